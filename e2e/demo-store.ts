import { expect, request } from '@playwright/test'
import { demoEmail } from './journeys/account.ts'
import { okaeriUrl, run } from './run.ts'

/** Before the first journey: the demo merchant's store is copied. */
export default async function waitForTheDemoStore(): Promise<void> {
  const okaeri = await request.newContext({ baseURL: okaeriUrl })
  const signedIn = await okaeri.post('/api/auth/login', { data: { email: demoEmail, password: run.password } })
  const { access_token } = (await signedIn.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  await expect
    .poll(
      async () => {
        const answer = await okaeri.get('/store/sync', { headers })
        return ((await answer.json()) as { sync: { status: string } }).sync.status
      },
      { timeout: 90_000, message: 'the demo store is copied' },
    )
    .toBe('done')
  await okaeri.dispose()
}
