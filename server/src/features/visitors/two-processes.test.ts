import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SANDBOX_APP, startTestOkaeri, type TestOkaeri } from '../../../test/harness.ts'
import { signedByProxy } from '../../../test/signed-proxy.ts'
import { SHOP } from '../../../test/sandbox-store.ts'
import { EMPTY, okaeri, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomToken } from '../../kernel/keyring.ts'

// Two processes of one installation: one database, one secret, and connections of their own.

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-two-'))
const env = { SECRETS_FILE: path.join(folder, 'secrets.json') }
withSandboxStore({ seed: EMPTY, env })
let other: TestOkaeri
beforeAll(async () => {
  other = await startTestOkaeri({ sandbox, databaseUrl: okaeri.databaseUrl, env })
})
afterAll(async () => {
  await other.close()
  fs.rmSync(folder, { recursive: true })
})

const both = () => [okaeri, other]
/** To one and the other in turn. */
const turn = (count: number): TestOkaeri => both()[count % 2] ?? okaeri
const origin = () => new URL(sandbox.url).origin

async function pageToken(): Promise<string> {
  const answer = await fetch(signedByProxy('/shopify/proxy/connect', {}, SANDBOX_APP.apiSecret))
  return ((await answer.json()) as { connection: { page_token: string } }).connection.page_token
}
const convert = (at: TestOkaeri, token: string, guest_id: string): Promise<Response> =>
  fetch(`${at.url}/frontend/convert_token/?shop=${SHOP}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, origin: origin(), 'content-type': 'application/json' },
    body: JSON.stringify({ guest_id }),
  })
const shortToken = async (): Promise<string> => {
  const answer = await convert(okaeri, await pageToken(), randomToken(16))
  return ((await answer.json()) as { token: { access_token: string } }).token.access_token
}
const list = (at: TestOkaeri, token: string): Promise<Response> =>
  fetch(`${at.url}/frontend/favorite?shop=${SHOP}`, { headers: { authorization: `Bearer ${token}`, origin: origin() } })

test('a token that one process made is good at the other', async () => {
  const token = await shortToken()
  for (const at of both()) expect((await list(at, token)).status).toBe(200)
})

test('who asks both in turn for tokens gets no more than from one', async () => {
  const [token, guest] = [await pageToken(), randomToken(16)]
  const statuses: number[] = []
  for (let asked = 0; asked < 64; asked += 1) statuses.push((await convert(turn(asked), token, guest)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  expect(statuses.slice(60)).toEqual([429, 429, 429, 429])
})

test('who calls both at once is refused by both, at the one limit and what each lets through uncounted', async () => {
  const token = await shortToken()
  const statuses: number[] = []
  for (let made = 0; made < 320; made += 20)
    statuses.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, async (_, at) => {
          const answer = await list(turn(at), token)
          await answer.arrayBuffer()
          return answer.status
        }),
      )),
    )
  // 240 a minute, and the first 30 at each process.
  expect(statuses.filter((status) => status === 200)).toHaveLength(300)
  expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  for (const at of both()) expect((await list(at, token)).status).toBe(429)
  const another = await shortToken()
  for (const at of both()) expect((await list(at, another)).status).toBe(200)
})
