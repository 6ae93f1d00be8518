import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startTestOkaeri, type TestMerchant, type TestOkaeri } from './harness.ts'
import { connectWebhookStore, type WebhookStore } from './webhook-store.ts'

// What most test files begin with, said in one line at their head.

/** The one of the file. */
export let okaeri: TestOkaeri
/** The one of the present test. */
export let merchant: TestMerchant
/** The present merchant's. */
export let store: WebhookStore

type Options = NonNullable<Parameters<typeof startTestOkaeri>[0]>

/** The tests of the file share one Okaeri. What the file has to start before, such as a mail server, comes by a function. */
export function withOkaeri(options: Options | (() => Options) = {}): void {
  beforeAll(async () => {
    okaeri = await startTestOkaeri(typeof options === 'function' ? options() : options)
  })
  afterAll(() => okaeri.close())
}

/** Besides, each of them has a merchant that nothing has happened to. */
export function withMerchants(options?: Options | (() => Options)): void {
  withOkaeri(options)
  beforeEach(async () => {
    merchant = await okaeri.merchant()
  })
}

/** Besides, each merchant has a store, which tells what the test says. */
export function withWebhookStores(): void {
  withMerchants()
  beforeEach(async () => {
    store = await connectWebhookStore(okaeri, merchant)
  })
}
