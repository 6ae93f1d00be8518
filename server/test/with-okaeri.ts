import { afterAll, beforeAll, beforeEach } from 'vitest'
import { connectSandboxStore } from '../src/features/stores/index.ts'
import { type Sandbox, startTestOkaeri, startTestSandbox, type TestMerchant, type TestOkaeri } from './harness.ts'
import { sandboxStore, SHOP, type StoreCommand } from './sandbox-store.ts'
import { connectWebhookStore, type WebhookStore } from './webhook-store.ts'

// What most test files begin with, said in one line at their head.

/** The one of the file. */
export let okaeri: TestOkaeri
/** The one of the present test, or of the file. */
export let merchant: TestMerchant
/** The present merchant's. */
export let store: WebhookStore
/** What is outside: the store platform and the mailbox. */
export let sandbox: Sandbox
/** What is done in the sandbox's store, or asked of it. */
export const play: StoreCommand = sandboxStore(() => sandbox)

type Options = NonNullable<Parameters<typeof startTestOkaeri>[0]>

/** The tests of the file share one Okaeri. What the file has to start before, such as a mail server, comes by a function. */
export function withOkaeri(options: Options | (() => Options) = {}): void {
  beforeAll(async () => {
    okaeri = await startTestOkaeri(typeof options === 'function' ? options() : options)
  })
  afterAll(() => okaeri.close())
}

/** Besides, they share one merchant. */
export function withOneMerchant(): void {
  withOkaeri()
  beforeAll(async () => {
    merchant = await okaeri.merchant()
  })
}

/** Besides, each of them has a merchant that nothing has happened to. */
export function withMerchants(options?: Options | (() => Options)): void {
  withOkaeri(options)
  eachWithMerchant()
}
/** Each test of a file that has an Okaeri by other means has such a merchant. */
export function eachWithMerchant(): void {
  beforeEach(async () => {
    merchant = await okaeri.merchant()
  })
}

/** Besides, each merchant has a store, which tells what the test says. */
export function withWebhookStores(): void {
  withOkaeri()
  eachWithWebhookStore()
}
export function eachWithWebhookStore(): void {
  eachWithMerchant()
  beforeEach(async () => {
    store = await connectWebhookStore(okaeri, merchant)
  })
}

interface Outside {
  /** How much is in the sandbox's store. */
  seed?: Parameters<typeof startTestSandbox>[0]
  env?: Record<string, string>
}
export const EMPTY = { customers: 0, products: 0, orders: 0 } as const

/** The tests of the file share one Okaeri, with the sandbox outside. */
export function withSandbox({ seed, env = {} }: Outside = {}): void {
  beforeAll(async () => {
    sandbox = await startTestSandbox(seed)
    okaeri = await startTestOkaeri({ sandbox, env })
  })
  afterAll(async () => {
    await okaeri.close()
    await sandbox.close()
  })
}

/** Besides, one merchant, who has the sandbox's store; nothing of it is copied yet. `connected: false`: a test will connect it. */
export function withSandboxStore({
  settings,
  switches,
  connected = true,
  ...outside
}: Outside & {
  settings?: Record<string, unknown>
  switches?: Record<string, unknown>
  connected?: boolean
} = {}): void {
  withSandbox(outside)
  beforeAll(async () => {
    merchant = await okaeri.merchant(settings)
    await play('switches.json', { bulk_duration_ms: 0, ...switches })
    if (connected) await connectSandbox()
  })
}
/** A store of the sandbox. Its exports are there at once: the time they take there is for people who watch. */
export async function connectSandbox(of: TestMerchant = merchant, shop = SHOP): Promise<void> {
  await sandboxStore(() => sandbox, shop)('switches.json', { bulk_duration_ms: 0 })
  await connectSandboxStore(of.scope(), shop)
}
