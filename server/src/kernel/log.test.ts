import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseAwayError } from './database/database-trouble.ts'
import { createLog } from './log.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function logged() {
  const lines: { msg: string; failures?: number; [name: string]: unknown }[] = []
  const log = createLog('warn', { write: (text) => void lines.push(JSON.parse(text)) })
  return { log, lines }
}
const away = () => new DatabaseAwayError(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))

test('while the database is away, one line a minute says so, with the number of failures', () => {
  const { log, lines } = logged()
  for (let failed = 0; failed < 3000; failed += 1)
    log.error({ error: away(), recurring: 'send' }, 'recurring work failed')
  expect(lines).toMatchObject([
    { trouble: 'database_away', failures: 1, last: expect.stringContaining('ECONNREFUSED') },
  ])
  vi.advanceTimersByTime(59_000)
  expect(lines).toHaveLength(1)
  vi.advanceTimersByTime(1000)
  expect(lines[1]).toMatchObject({ trouble: 'database_away', failures: 2999 })
  vi.advanceTimersByTime(600_000)
  expect(lines).toHaveLength(2)
})

test('its return is logged, and no earlier failure after that', () => {
  const { log, lines } = logged()
  for (let failed = 0; failed < 10; failed += 1) log.error({ error: away() }, 'request failed')
  log.warn({ over: 'database_away' }, 'the database is there again')
  vi.advanceTimersByTime(120_000)
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the database is away; what needs it waits, and goes on by itself',
    'the database is there again',
  ])
  log.error({ error: away() }, 'request failed')
  expect(lines).toHaveLength(3)
})

test('several outages at once are handled the same; other errors are logged as usual', () => {
  const { log, lines } = logged()
  log.error({ error: new AggregateError([away(), away()]) }, 'recurring work failed')
  log.error({ error: new AggregateError([away(), new Error('a fault')]) }, 'recurring work failed')
  log.error({ error: new Error('a fault') }, 'recurring work failed')
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the database is away; what needs it waits, and goes on by itself',
    'recurring work failed',
    'recurring work failed',
  ])
})

test('whom a mail was for is in no line, though mail servers repeat it', () => {
  const { log, lines } = logged()
  const cause = new Error('rejected: 550 5.1.1 <stranger@example.jp>: no such user')
  log.error({ error: new Error('smtp: 550', { cause }) }, 'job failed')
  log.warn({ answer: '450 4.2.1 stranger+news@mail.example.jp: too many' }, 'slower')
  const text = JSON.stringify(lines)
  expect(text).not.toContain('stranger')
  expect(text).toContain('550 5.1.1 <•••@•••>: no such user')
  expect(text).toContain('log.test.ts')
})
