import { getSync } from '@okaeri/contract/customers/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSandboxStore } from '../src/features/stores/index.ts'
import { type Sandbox, startTestOkaeri, startTestSandbox, type TestOkaeri } from './harness.ts'

let sandbox: Sandbox
let okaeri: TestOkaeri
beforeAll(async () => {
  sandbox = await startTestSandbox()
  // With its workers, as `npm start` has them.
  okaeri = await startTestOkaeri({ sandbox, env: { ROLE: 'all' } })
})
afterAll(async () => {
  await okaeri.close()
  await sandbox.close()
})

const ask = async (address: string, headers: Record<string, string> = {}) =>
  fetch(address, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '{}' })
async function worked(address: string): Promise<boolean> {
  return ((await (await ask(address)).json()) as { worked: boolean }).worked
}

test('asked to settle, sandbox and workers do all that is due: a store is copied when neither found anything more', async () => {
  const merchant = await okaeri.merchant()
  await connectSandboxStore(merchant.scope(), 'okaeri-sandbox.myshopify.com')
  let rounds = 0
  for (let busy = true; busy; rounds++) {
    busy = await worked(`${sandbox.url}/settle.json`)
    busy = (await worked(`${okaeri.url}/debug/settle`)) || busy
  }
  expect(rounds).toBeGreaterThan(1)
  expect((await merchant.call(getSync, {})).sync.status).toBe('done')
  // Two requests at once get two answers.
  const both = await Promise.all([worked(`${okaeri.url}/debug/settle`), worked(`${okaeri.url}/debug/settle`)])
  // Whether something was due meanwhile is the clock's to say.
  expect(both.map((one) => typeof one)).toEqual(['boolean', 'boolean'])
})

test('no one may ask from elsewhere, or where no sandbox is', async () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'via'])
    expect((await ask(`${okaeri.url}/debug/settle`, { [name]: 'proxy.example.com' })).status).toBe(404)
  const real = await startTestOkaeri({ env: { SANDBOX: 'off', SMTP_URL: 'smtp://127.0.0.1:9' } })
  expect((await ask(`${real.url}/debug/settle`)).status).toBe(404)
  await real.close()
})
