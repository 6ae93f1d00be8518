import { expect, request } from '@playwright/test'
import { demoEmail } from './journeys/account.ts'
import { okaeriUrl, run } from './run.ts'

/** Ever longer: who fails to sign in ten times within minutes is held back (server/src/features/sessions/attempts.ts). */
const SIGN_IN_AGAIN_AFTER_MS = [500, 1000, 2000, 4000, 8000, 16_000, 32_000]

/** Before the first journey: the demo merchant is there, which is a moment after the server answers, and its store is copied. */
export default async function waitForTheDemoStore(): Promise<void> {
  const okaeri = await request.newContext({ baseURL: okaeriUrl })
  const data = { email: demoEmail, password: run.password }
  let token = ''
  await expect
    .poll(
      async () => {
        const answer = await okaeri.post('/api/auth/login', { data })
        if (!answer.ok()) return answer.status()
        token = ((await answer.json()) as { access_token: string }).access_token
        return 'signed in'
      },
      { timeout: 120_000, intervals: SIGN_IN_AGAIN_AFTER_MS, message: 'the demo merchant signs in' },
    )
    .toBe('signed in')
  const headers = { authorization: `Bearer ${token}` }
  await expect
    .poll(
      async () => {
        const answer = await okaeri.get('/store/sync', { headers })
        expect(answer.ok(), await answer.text()).toBe(true)
        return ((await answer.json()) as { sync: { status: string } }).sync.status
      },
      { timeout: 300_000, message: 'the demo store is copied' },
    )
    .toBe('done')
  await okaeri.dispose()
}
