import { expect, test } from 'vitest'
import { eachWithMerchant, EMPTY, merchant, okaeri, withSandbox } from '../../../test/with-okaeri.ts'
import { createWebhookQueue, type WaitingWebhook } from './webhook-queue.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()

const MB = 1024 * 1024
const webhook = (bytes: number) => ({ body: Buffer.alloc(bytes), signature: 'x' })

/** Batches as they begin; the first stays under way until it is let go. */
function heldQueue() {
  const batches: (readonly WaitingWebhook[])[] = []
  let begun = (): void => {}
  let letGo = (): void => {}
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const queue = createWebhookQueue(okaeri.context, async (_, batch) => {
    batches.push(batch)
    begun()
    await held
    for (const { answer } of batch) answer(batches.length)
  })
  return { store: (bytes: number) => queue.store(merchant.id, webhook(bytes)), batches, hasBegun, letGo }
}

test('what comes while a batch is stored waits together for the next, a megabyte at a time', async () => {
  const { store, hasBegun, letGo } = heldQueue()
  const first = store(10)
  await hasBegun
  const others = [store(MB / 2), store(MB / 2), store(2 * MB), store(10)]
  letGo()
  expect(await Promise.all([first, ...others])).toEqual([1, 2, 2, 3, 4])
})

test('of a merchant only so much waits; the rest is refused at once and may be sent again', async () => {
  const { store, hasBegun, letGo } = heldQueue()
  const first = store(10)
  await hasBegun
  const waiting = Array.from({ length: 8 }, () => store(2 * MB))
  await expect(store(10)).rejects.toMatchObject({ code: 'unavailable', reason: 'database_busy' })
  letGo()
  expect(await Promise.all([first, ...waiting])).toHaveLength(9)
  expect(await store(10)).toBe(10)
})

test('a batch that fails is answered with its error, and the next is stored', async () => {
  let tries = 0
  const queue = createWebhookQueue(okaeri.context, async (_, batch) => {
    tries += 1
    if (tries === 1) throw new Error('cut off')
    for (const { answer } of batch) answer(1)
  })
  const both = await Promise.allSettled([1, 2].map((bytes) => queue.store(merchant.id, webhook(bytes))))
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await queue.store(merchant.id, webhook(1))).toBe(1)
})
