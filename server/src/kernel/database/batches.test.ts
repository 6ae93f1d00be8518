import fc from 'fast-check'
import { expect, test } from 'vitest'
import { merchant, withMerchants } from '../../../test/with-okaeri.ts'
import { inBatches } from './batches.ts'
import { DatabaseAwayError } from './database-trouble.ts'

withMerchants()

/** What was done together; a batch waits until it is let go. */
function recorded(
  work: (items: readonly string[]) => readonly string[] = (items) => items,
  more: Partial<Parameters<typeof inBatches<string, string>>[0]> = {},
) {
  const batches: string[][] = []
  const held: (() => void)[] = []
  const call = inBatches<string, string>({
    most: 3,
    mostWaiting: 5,
    ...more,
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

test('a second batch begins beside the first when enough wait for it, and no third', async () => {
  const { batches, go, call } = recorded(undefined, { atOnce: 2, enough: 2 })
  const turn = () => new Promise(setImmediate)
  const answers = [call('a')]
  await turn()
  answers.push(call('b'))
  await turn()
  expect(batches).toEqual([['a']])
  answers.push(call('c'))
  await turn()
  answers.push(call('d'), call('e'))
  await turn()
  expect(batches).toEqual([['a'], ['b', 'c']])
  for (let batch = 0; batch < 3; batch += 1) await go()
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(batches).toEqual([['a'], ['b', 'c'], ['d', 'e']])
})

test('what is of one person is done in its order, whatever is done beside it, and what is of others does not wait for that', async () => {
  // Two letters: whose, and what is done.
  const order = (item: string) => ({ of: item[0] ?? '', kind: item[1] ?? '' })
  const press = fc.constantFrom('a+', 'a-', 'b+', 'b-', 'c+', 'd-')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(press, { maxLength: 6 }), { maxLength: 8 }), async (turns) => {
      const running: (readonly string[])[] = []
      const done: string[] = []
      const ends: (() => void)[] = []
      const call = inBatches<string, string>({
        most: 4,
        mostWaiting: 1000,
        atOnce: 3,
        enough: 1,
        order,
        work: async (_scope, items) => {
          const people = items.map((item) => order(item).of)
          for (const other of running) expect(other.some((item) => people.includes(order(item).of))).toBe(false)
          expect(new Set(items.map((item) => item.slice(0, 2))).size).toBe(new Set(people).size)
          expect(running.length).toBeLessThan(3)
          running.push(items)
          await new Promise<void>((resolve) => ends.push(resolve))
          running.splice(running.indexOf(items), 1)
          done.push(...items)
          return items
        },
      })
      const pressed = turns.flatMap((presses, turn) => presses.map((item, index) => `${item}${turn}.${index}`))
      const answers: Promise<string>[] = []
      for (const [turn, presses] of turns.entries()) {
        answers.push(...presses.map((item, index) => call(merchant.scope(), `${item}${turn}.${index}`)))
        await new Promise(setImmediate)
        // The one that began last ends first.
        if (turn % 2 === 1) ends.pop()?.()
      }
      const all = Promise.all(answers)
      while (done.length < pressed.length) {
        ends.pop()?.()
        await new Promise(setImmediate)
      }
      expect(await all).toEqual(pressed)
      for (const who of 'abcd')
        expect(done.filter((item) => item[0] === who)).toEqual(pressed.filter((item) => item[0] === who))
    }),
  )
})

test('where one is wrong, the others of its batch are done all the same, and it gets its own error', async () => {
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
