import { afterEach, describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { createThreads, OverBudget, type ThreadLimits, type Threads } from './threads.ts'

const file = new URL('../../../test/waiting-thread.ts', import.meta.url)
let threads: Threads

function start(limits: Partial<ThreadLimits> = {}): Threads {
  threads = createThreads({ file, lookEveryMs: 1, ...limits })
  return threads
}
afterEach(() => threads.close())

const gate = () => new Int32Array(new SharedArrayBuffer(4))
function open(one: Int32Array): void {
  Atomics.store(one, 0, 1)
  Atomics.notify(one, 0)
}
const echo = (owner: string, kind: 'asked' | 'work' = 'asked') => threads.run('echo', owner, { owner, kind })
const hold = (owner: string, one: Int32Array, kind: 'asked' | 'work' = 'asked') =>
  threads.run('hold', one, { owner, kind })

describe('threads that compute what people wrote', () => {
  test('one call of an owner runs at a time, and another owner’s does not wait for it', async () => {
    start({ size: 3 })
    const [first, second] = [gate(), gate()]
    const order: string[] = []
    const held = hold('hostile', first).then(() => order.push('hostile 1'))
    const behind = hold('hostile', second).then(() => order.push('hostile 2'))
    await echo('other')
    await echo('third')
    order.push('others')
    open(second)
    await echo('other')
    expect(order).toEqual(['others'])
    open(first)
    await Promise.all([held, behind])
    expect(order).toEqual(['others', 'hostile 1', 'hostile 2'])
  })

  test('owners take turns, however many calls one of them has waiting', async () => {
    start({ size: 1 })
    const first = gate()
    const order: string[] = []
    const note = (who: string) => () => void order.push(who)
    const all = [
      hold('many', first).then(note('many')),
      echo('many').then(note('many')),
      echo('many').then(note('many')),
      echo('one').then(note('one')),
    ]
    open(first)
    await Promise.all(all)
    expect(order.indexOf('one')).toBeLessThan(3)
  })

  test('calls for pages never take all threads: a worker’s call finds one', async () => {
    start({ size: 2 })
    const [one, other] = [gate(), gate()]
    const held = [hold('a', one), hold('b', other)]
    expect(await echo('c', 'work')).toBe('c')
    open(one)
    open(other)
    await Promise.all(held)
  })

  test('a call that has computed too long is ended, with only its thread', async () => {
    let computedMs = 1_000_000
    start({ size: 2, meter: async () => computedMs, budgetMs: 100_000 })
    const endless = threads.run('spin', null, { owner: 'hostile', kind: 'asked' })
    await expect(endless).rejects.toMatchObject({ name: 'OverBudget', of: 'time' })
    computedMs = 0
    expect(await echo('hostile')).toBe('hostile')
  })

  test('the computing time of a thread is known while it computes', async () => {
    start({ budgetMs: 20 })
    const endless = threads.run('spin', null, { owner: 'hostile', kind: 'asked' })
    await expect(endless).rejects.toBeInstanceOf(OverBudget)
  })

  test('a machine that stood still ends nothing: elapsed time is not counted', async () => {
    const waiting = gate()
    let looks = 0
    const looked = Promise.withResolvers<void>()
    const meter = async () => {
      looks += 1
      if (looks > 20) looked.resolve()
      return 0
    }
    start({ budgetMs: 1, meter })
    const held = hold('a', waiting)
    await looked.promise
    open(waiting)
    expect(await held).toBe('ok')
  })

  test('a thread that gets no processor time at all is given up, which does not count as the owner’s fault', async () => {
    start({ patienceMs: 1 })
    await expect(hold('a', gate())).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a call that fills the memory ends its own thread', async () => {
    start({ size: 2, memoryMb: 32, budgetMs: 1_000_000 })
    const hoarding = threads.run('hoard', null, { owner: 'hostile', kind: 'asked' })
    await expect(hoarding).rejects.toMatchObject({ name: 'OverBudget', of: 'memory' })
    expect(await echo('hostile')).toBe('hostile')
  })

  test('a few calls of an owner may wait; more are refused at once, but never a worker’s', async () => {
    start({ size: 2, maxWaiting: 3 })
    const one = gate()
    const asked = [hold('a', one), echo('a'), echo('a'), echo('a')]
    await expect(echo('a')).rejects.toMatchObject({ code: 'rate_limited' })
    await Promise.all(Array.from({ length: 10 }, () => echo('a', 'work')))
    open(one)
    expect(await Promise.all(asked)).toHaveLength(4)
  })

  test('an error inside is reported with its stack, and the thread continues', async () => {
    start()
    await expect(threads.run('fail', null, { owner: 'a', kind: 'work' })).rejects.toThrow(
      /a mistake of ours[^]*waiting-thread/,
    )
    expect(await echo('a')).toBe('a')
  })

  test('closing ends running and waiting calls', async () => {
    start()
    const endless = [1, 2, 3].map(() => threads.run('spin', null, { owner: 'a', kind: 'work' }))
    const answers = Promise.allSettled(endless)
    await threads.close()
    for (const answer of await answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(AppError) })
    await expect(echo('a')).rejects.toMatchObject({ code: 'unavailable' })
  })
})
