import { expect, test } from 'vitest'
import { DatabaseAwayError, isOutage, saysAway, troubleOf, withItsCode } from './database-trouble.ts'

const failed = (code: string | undefined, message = 'failed'): Error =>
  Object.assign(new Error(message), code && { code })

test.each([
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08P01',
  '25006',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])('%s on a connection means that the database is away', (code) => {
  expect(saysAway(failed(code))).toBe(true)
  expect(troubleOf(new DatabaseAwayError(failed(code)))).toBe('database_away')
  // Only PostgreSQL has codes of this form.
  expect(troubleOf(failed(code))).toBe(/^\d/.test(code) ? 'database_away' : null)
})

test.each(['23505', '42P01', '57014', '53300', '53100', '40P01', '22P02', '28000'])('%s does not', (code) => {
  expect(saysAway(failed(code))).toBe(false)
})

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'timeout expired',
  'Query read timeout',
  'There was an error establishing an SSL connection',
])('pg has no code for "%s" either', (message) => {
  expect(saysAway(failed(undefined, message))).toBe(true)
})

test('trouble that lasts until space is freed, and trouble that passes, have their own words', () => {
  expect([failed('53100'), failed('ENOSPC')].map(troubleOf)).toEqual(['disk_full', 'disk_full'])
  const passing = ['53300', '53200', '57014', '55P03', '40001', '40P01'].map((code) => failed(code))
  expect(new Set(passing.map(troubleOf))).toEqual(new Set(['database_busy']))
  expect(troubleOf(failed(undefined, 'timeout exceeded when trying to connect (Queue: send)'))).toBe('database_busy')
})

test('a statement that took too long is not an outage: it would take as long again', () => {
  expect(isOutage(failed('57014'))).toBe(false)
  expect(isOutage(failed('53300'))).toBe(true)
  expect(isOutage(failed('53100'))).toBe(true)
})

test('an outside service that refuses connections is not our database', () => {
  expect(troubleOf(failed('ECONNREFUSED'))).toBe(null)
  expect(troubleOf(new AggregateError([new DatabaseAwayError('x'), failed('23505')]))).toBe(null)
})

test.each([
  ['XX000', 'duplicate key value violates unique constraint "customers_pkey_102040"', '23505'],
  ['XX000', 'new row for relation "executions_102069" violates check constraint "executions_check_102069"', '23514'],
  ['XX000', 'deadlock detected', '40P01'],
  ['XX000', 'could not find tuple for trigger', 'XX000'],
  ['23505', 'duplicate key value violates unique constraint "customers_pkey"', '23505'],
])('an error that a cluster node passed on gets its code back: %s, %s', (passedOn, message, code) => {
  expect(withItsCode(failed(passedOn, message))).toHaveProperty('code', code)
})
