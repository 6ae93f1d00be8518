import { expect, test } from 'vitest'
import { followWrites, tablesReadBy, WAKES_NOTHING_TEXT } from './written-tables.ts'

const changed = { command: 'UPDATE', rowCount: 1, rows: [] }
const nothing = { command: 'UPDATE', rowCount: 0, rows: [] }
const tablesReported = (...statements: (readonly [string, unknown])[]): string[][] => {
  const reported: string[][] = []
  const follow = followWrites((tables) => void reported.push([...tables]))
  for (const [text, result] of statements) follow(text, result)
  return reported
}

test('a statement outside a transaction is reported at once, by the tables it writes, however they are quoted', () => {
  expect(tablesReported(['insert into "orders" ("id") values ($1) on conflict do nothing', changed])).toEqual([
    ['orders'],
  ])
  expect(tablesReported(['UPDATE pgboss.job_common j SET state = 1', changed])).toEqual([['job_common']])
  expect(
    tablesReported(['with gone as (delete from "x"."a" returning 1) insert into b select * from gone', changed]),
  ).toEqual([['a', 'b']])
  expect(tablesReported(['copy a (id) from stdin;copy b (id) from stdin', { command: 'COPY', rows: [] }])).toEqual([
    ['a', 'b'],
  ])
})

test('an update that says so is not reported', () => {
  expect(tablesReported([`update ${WAKES_NOTHING_TEXT} a set b = 1`, changed])).toEqual([])
})

test('a lock, and what is done on a conflict, are no writes of a table', () => {
  const locked = { command: 'SELECT', rowCount: 1, rows: [{}] }
  expect(
    tablesReported(
      ['select * from a for update skip locked', locked],
      ['select * from a for no key update nowait', locked],
      ['insert into b values (1) on conflict (c) do update set d = 1', changed],
      ['with w as (select from a for update skip locked) update e set f = 1', changed],
    ),
  ).toEqual([['b'], ['e']])
})

test('a statement without changes is not reported; a select with a writing part is', () => {
  expect(
    tablesReported(['update a set b = 1', nothing], ['select 1 from a', { command: 'SELECT', rowCount: 1 }]),
  ).toEqual([])
  expect(
    tablesReported([
      'with w as (update a set b = 1 returning id) select * from w',
      { command: 'SELECT', rowCount: 0, rows: [] },
    ]),
  ).toEqual([['a']])
})

test('a transaction is reported once, after its commit, and not if it is rolled back', () => {
  const [begin, commit, rollback] = ['begin', 'commit', 'rollback'].map((text) => [text, {}] as const)
  const [one, two] = ['update a set b = 1', 'insert into c values (1)'].map((text) => [text, changed] as const)
  if (!begin || !commit || !rollback || !one || !two) throw new Error('unreachable')
  expect(tablesReported(begin, one, two, one)).toEqual([])
  expect(tablesReported(begin, one, two, one, commit)).toEqual([['a', 'c']])
  expect(tablesReported(begin, one, ['rollback to savepoint s', {}], two, commit)).toEqual([['a', 'c']])
  expect(tablesReported(begin, one, rollback, begin, two, commit)).toEqual([['c']])
  expect(tablesReported(['BEGIN; update a set b = 1; COMMIT;', [changed]], two)).toEqual([['a'], ['c']])
})

test('the tables that a query for due work reads are found in its text', () => {
  const text = `select m.id from merchants m cross join lateral (select 1 from "events" e where e.merchant_id = m.id) e
    left join public.runs r on true`
  expect(tablesReadBy(text)).toEqual(expect.arrayContaining(['merchants', 'events', 'runs']))
})
