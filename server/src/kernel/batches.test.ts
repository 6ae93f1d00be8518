import { expect, test } from 'vitest'
import { merchant, withMerchants } from '../../test/with-okaeri.ts'
import { inBatches } from './batches.ts'
import { DatabaseAwayError } from './database-trouble.ts'

withMerchants()

/** What was done together; a batch waits until it is let go. */
function recorded(work: (items: readonly string[]) => readonly string[] = (items) => items) {
  const batches: string[][] = []
  const held: (() => void)[] = []
  const call = inBatches<string, string>({
    most: 3,
    mostWaiting: 5,
    work: async (_scope, items) => {
      batches.push([...items])
      await new Promise<void>((resolve) => held.push(resolve))
      return work(items)
    },
  })
  const go = async (): Promise<void> => {
    held.shift()?.()
    // The batch answers, and the next begins, within turns of the event loop.
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
  }
  return { batches, go, call: (item: string) => call(merchant.scope(), item) }
}

test('what arrives while a batch is worked on waits together for the next, in its order, and not more than fits', async () => {
  const { batches, go, call } = recorded()
  const answers = [call('a')]
  await go()
  answers.push(...['b', 'c', 'd', 'e'].map(call))
  for (let batch = 0; batch < 3; batch += 1) await go()
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(batches).toEqual([['a'], ['b', 'c', 'd'], ['e']])
})

test('where one is wrong, the others of its batch are done all the same, and it is told of its own error', async () => {
  const { batches, go, call } = recorded((items) => {
    if (items.includes('wrong')) throw new Error(`wrong among ${items.length}`)
    return items
  })
  const answers = ['a', 'wrong', 'b'].map(call)
  const settled = Promise.allSettled(answers)
  for (let batch = 0; batch < 5; batch += 1) await go()
  expect(await settled).toEqual([
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: new Error('wrong among 1') },
    { status: 'fulfilled', value: 'b' },
  ])
  expect(batches).toEqual([['a', 'wrong', 'b'], ['a'], ['wrong'], ['b']])
})

test('while the database is away nothing is tried one by one, and too many at once are refused', async () => {
  const { batches, go, call } = recorded(() => {
    throw new DatabaseAwayError('gone')
  })
  const settled = Promise.allSettled(['a', 'b', 'c', 'd', 'e', 'f'].map(call))
  for (let batch = 0; batch < 4; batch += 1) await go()
  const reasons = (await settled).map((one) => (one.status === 'rejected' ? (one.reason as Error).message : 'done'))
  expect(reasons.slice(0, 5).every((reason) => reason.includes('gone'))).toBe(true)
  expect(reasons[5]).toContain('too many wait')
  expect(batches).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ])
})
