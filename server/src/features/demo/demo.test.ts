import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestOkaeri } from '../../../test/harness.ts'
import { okaeri, sandbox, withSandbox } from '../../../test/with-okaeri.ts'
import { createClient } from '@okaeri/contract/client'
import { getSettings } from '@okaeri/contract/merchants/routes'
import { signIn } from '@okaeri/contract/sessions/routes'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { playLine } from '../../../test/line-platform.ts'
import { readFollowers } from '../line-friends/index.ts'
import { listTesters } from '../line-friends/tester.ts'
import { findSignIn } from '../merchants/index.ts'
import { disconnectStore } from '../stores/index.ts'
import { disconnectLine, findLineAccount } from '../line-accounts/index.ts'
import {
  connectDemoLine,
  connectDemoStore,
  DEMO_EMAIL,
  linkDemoFriends,
  makeDemoExamples,
  prepareDemo,
} from './index.ts'

withSandbox()

const enter = async (password: string) => {
  const { access_token, refresh_token } = await okaeri.call(signIn, { body: { email: DEMO_EMAIL, password } })
  const call = createClient({ baseUrl: okaeri.url, headers: () => ({ authorization: `Bearer ${access_token}` }) })
  return { settings: await call(getSettings, {}), refresh_token }
}
const never = new AbortController().signal

test('the demo merchant is ready to send: signed in, on a plan that does not end, in test mode, with a connected store', async () => {
  const { password } = await prepareDemo(okaeri.context, null)
  expect(password?.length).toBeGreaterThanOrEqual(12)
  expect(await connectDemoStore.run(okaeri.context, never)).toBe(true)
  expect(await connectDemoStore.run(okaeri.context, never)).toBe(false)
  const { settings } = await enter(password ?? '')
  expect(settings).toMatchObject({
    userSetting: { test_mode: true, test_emails: [DEMO_EMAIL], sender_email: 'shop@okaeri-store.test' },
    plan: { code: 'pro', status: 'active', trial_ends_at: null },
    store: { shop_domain: 'okaeri-sandbox.myshopify.com', status: 'connected' },
    sender_domain_custom: true,
  })
})

test('a later start prints no password, keeps the sessions, and applies a given password', async () => {
  expect(await prepareDemo(okaeri.context, null)).toEqual({ email: DEMO_EMAIL, password: null })
  await prepareDemo(okaeri.context, 'given-later-1')
  const { refresh_token } = await enter('given-later-1')
  await prepareDemo(okaeri.context, 'given-later-1')
  const { refreshToken } = await import('@okaeri/contract/sessions/routes')
  await okaeri.call(refreshToken, { body: { refresh_token } })
})

test('two processes starting at once make one', async () => {
  const other = await startTestOkaeri({ sandbox })
  const made = await Promise.all([prepareDemo(other.context, null), prepareDemo(other.context, null)])
  expect(made.filter(({ password }) => password !== null)).toHaveLength(1)
  await other.close()
})

test('it is connected to the sandbox’s official account; disconnected manually, it stays disconnected', async () => {
  expect(await connectDemoLine.run(okaeri.context, never)).toBe(true)
  expect(await connectDemoLine.run(okaeri.context, never)).toBe(false)
  const found = await findSignIn(okaeri.context, DEMO_EMAIL)
  const scope = merchantScope(okaeri.context, found?.merchant_id ?? '')
  expect(await findLineAccount(scope)).toMatchObject({
    display_name: 'おかえり商店',
    login_enabled: true,
    trouble: null,
  })
  // Friends are linked as they are read, also those the first run did not find yet.
  await okaeri.settle()
  const linked = async () =>
    (
      await sql<{ id: string; email: string }>`select f.line_user_id as id, c.email from line_friends f
        join customers c on c.merchant_id = f.merchant_id and c.id = f.customer_id
        where f.merchant_id = ${scope.merchantId} and c.store_customer_id is not null order by 1`.execute(scope.db)
    ).rows
  const all = await linked()
  expect(all.length).toBeGreaterThan(10)
  const [last] = all
  await sql`delete from line_friends where merchant_id = ${scope.merchantId} and line_user_id = ${last?.id}`.execute(
    scope.db,
  )
  const context = { ...okaeri.context }
  expect(await linkDemoFriends.run(context, never)).toBe(false)
  await readFollowers.run(scope, { start: null })
  expect([await linkDemoFriends.run(context, never), await linkDemoFriends.run(context, never)]).toEqual([true, false])
  expect(await linked()).toEqual(all)
  // A tester who writes the keyword gets the link to connect their account.
  const { testers } = await listTesters(scope)
  expect(testers).toHaveLength(2)
  const [tester] = testers
  await playLine(`users/${tester?.line_user_id}/say.json`, { text: '連携' })
  await okaeri.settle()
  const chat = JSON.stringify(await playLine(`users/${tester?.line_user_id}/chat.json`))
  expect(chat).toContain('/frontend/line/connect?chat=')
  await sql`update line_messages set deleted_at = now() where merchant_id = ${scope.merchantId}`.execute(scope.db)
  await linkDemoFriends.run(context, never)
  expect(await makeDemoExamples.run(context, never)).toBe(false)
  await disconnectLine(scope)
  // Like a later process, without memory.
  expect(await connectDemoLine.run({ ...okaeri.context }, never)).toBe(false)
})

test('a store disconnected manually stays disconnected', async () => {
  const found = await findSignIn(okaeri.context, DEMO_EMAIL)
  await disconnectStore(merchantScope(okaeri.context, found?.merchant_id ?? ''))
  expect(await connectDemoStore.run(okaeri.context, never)).toBe(false)
})

test('a sandbox that is not up yet is tried again', async () => {
  const early = await startTestOkaeri()
  await prepareDemo(early.context, null)
  expect(await connectDemoStore.run(early.context, never)).toBe(false)
  await early.close()
})
