import net from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { stopwatch } from './clock.ts'
import { watchDatabase } from './database-watch.ts'

const ANSWER_MS = 50
/** A watch that had a reason to check, with its reports. */
function lookingAt(url: string) {
  const { promise: away, resolve: onAway } = Promise.withResolvers<string>()
  const watch = watchDatabase(url, {
    name: 'test',
    onAway: () => onAway('away'),
    onBack: () => undefined,
    answerMs: ANSWER_MS,
  })
  watch.met(new Error('timeout expired'))
  return { watch, away }
}

test('a busy process does not believe that its database is away', async () => {
  const { watch, away } = lookingAt(inject('postgresUrl'))
  const since = stopwatch()
  while (since() < 20 * ANSWER_MS) {
    const begun = stopwatch()
    while (begun() < 3 * ANSWER_MS);
    await turn()
  }
  watch.stop()
  expect(await Promise.race([away, Promise.resolve('there')])).toBe('there')
})

test('an idle process treats a silent database as away', async () => {
  const silent = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as net.AddressInfo
  const { watch, away } = lookingAt(`postgres://x@127.0.0.1:${port}/x`)
  expect(await away).toBe('away')
  watch.stop()
  silent.close()
})

test('a caller whose signal is already aborted does not wait for the database', async () => {
  const { watch, away } = lookingAt('postgres://x@127.0.0.1:1/x')
  await away
  await watch.whenBack(AbortSignal.abort())
  expect(watch.isAway).toBe(true)
  watch.stop()
})
