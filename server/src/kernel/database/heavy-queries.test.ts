import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { createFairQueue } from './heavy-queries.ts'

/** Queries that the test finishes; `begun` has them in the order of their turns. */
function questions(turns: ReturnType<typeof createFairQueue>) {
  const begun: string[] = []
  const answers = new Map<string, () => void>()
  const settled: Promise<unknown>[] = []
  const ask = (owner: string, name: string, isGone?: () => boolean): void => {
    const question = () =>
      new Promise<string>((resolve) => {
        begun.push(name)
        answers.set(name, () => resolve(name))
      })
    settled.push(turns.take(owner, question, isGone).catch((error: unknown) => (error as AppError).reason))
  }
  const answer = async (name: string): Promise<void> => {
    answers.get(name)?.()
    await new Promise(setImmediate)
  }
  return { begun, ask, answer, settled }
}

test('one merchant has a limited number of queries at a time, and a later merchant gets a turn before the rest of them', async () => {
  const { begun, ask, answer } = questions(createFairQueue({ each: 2, atOnce: 3, maxWaiting: 5 }))
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name)
  ask('b', 'b1')
  ask('b', 'b2')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await answer('a1')
  expect(begun.slice(3)).toEqual(['a3'])
  await answer('b1')
  expect(begun.slice(4)).toEqual(['b2'])
  await answer('b2')
  // Two of the other merchant's are running.
  expect(begun.slice(5)).toEqual([])
  await answer('a2')
  expect(begun.slice(5)).toEqual(['a4'])
})

test('too many waiting queries are refused, those whose caller has left are not run, and the next one runs after a failure', async () => {
  const turns = createFairQueue({ each: 1, atOnce: 1, maxWaiting: 2 })
  const failing = turns.take('a', () => Promise.reject(new Error('broken off')))
  const { begun, ask, answer, settled } = questions(turns)
  ask('a', 'left', () => true)
  ask('a', 'next')
  ask('a', 'one too many')
  await expect(failing).rejects.toThrow('broken off')
  await new Promise(setImmediate)
  expect(begun).toEqual(['next'])
  await answer('next')
  expect(await Promise.all(settled)).toEqual(['unavailable', 'next', 'rate_limited'])
})
