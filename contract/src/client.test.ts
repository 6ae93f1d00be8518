import { expect, test } from 'vitest'
import { createClient } from './client.ts'
import { listCampaigns } from './campaigns/routes.ts'

/** What a call makes of an answer. */
const madeOf = (answer: Response) =>
  createClient({ baseUrl: '', fetch: () => Promise.resolve(answer) })(listCampaigns, { query: {} }).catch(
    (error: unknown) => error,
  )
const page = (status: number) =>
  new Response('<html>Bad gateway</html>', { status, headers: { 'content-type': 'text/html', 'retry-after': '7' } })

test('a proxy that answers with a page of its own is understood by its status', async () => {
  expect(await madeOf(page(502))).toMatchObject({ status: 502, reason: 'unavailable', retryAfterMs: 7000 })
  expect(await madeOf(page(413))).toMatchObject({ status: 413, reason: 'body_too_large' })
  expect(await madeOf(page(429))).toMatchObject({ status: 429, reason: 'rate_limited' })
  expect(await madeOf(page(500))).toMatchObject({ status: 500, reason: 'internal' })
})

test('what is not the answer of the server is no data', async () => {
  expect(await madeOf(page(200))).toMatchObject({ name: 'ApiError', reason: 'network' })
})

test('a refusal that was cut off is understood by its status, a whole one by what it says', async () => {
  const json = { 'content-type': 'application/json' }
  expect(await madeOf(new Response('{"error":', { status: 503, headers: json }))).toMatchObject({
    reason: 'unavailable',
  })
  const error = { code: 'unavailable', reason: 'database_away', message: 'away' }
  expect(await madeOf(Response.json({ error }, { status: 503 }))).toMatchObject({ reason: 'database_away', fields: {} })
})
