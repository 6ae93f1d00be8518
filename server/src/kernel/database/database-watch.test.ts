import net from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { proxyTo } from '../../../test/database-proxy.ts'
import { stopwatch } from '../clock.ts'
import { DatabaseAwayError } from './database-trouble.ts'
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

test('what waits behind an answered statement of its connection is missed, too, when the database falls silent', async () => {
  const line = await proxyTo(inject('postgresUrl'))
  const watch = watchDatabase(line.url, { name: 'test', onAway: () => {}, onBack: () => {}, answerMs: ANSWER_MS })
  const client = new watch.Client({ connectionString: line.url })
  client.on('error', () => {})
  await client.connect()
  const answered = client.query('select 1')
  const waiting = client.query('select 2')
  await answered
  await line.cut('silent')
  await expect(waiting).rejects.toBeInstanceOf(DatabaseAwayError)
  watch.stop()
  await line.close()
})

test('a caller whose signal is already aborted does not wait for the database', async () => {
  const { watch, away } = lookingAt('postgres://x@127.0.0.1:1/x')
  await away
  await watch.whenBack(AbortSignal.abort())
  expect(watch.isAway).toBe(true)
  watch.stop()
})
