import { expect, test } from 'vitest'
import { followWrites, tablesReadBy } from './written-tables.ts'

const changed = { command: 'UPDATE', rowCount: 1, rows: [] }
const nothing = { command: 'UPDATE', rowCount: 0, rows: [] }
const toldOf = (...statements: (readonly [string, unknown])[]): string[][] => {
  const told: string[][] = []
  const follow = followWrites((tables) => void told.push([...tables]))
  for (const [text, result] of statements) follow(text, result)
  return told
}

test('a statement by itself is told of at once, by the tables it writes, however they are quoted', () => {
  expect(toldOf(['insert into "orders" ("id") values ($1) on conflict do nothing', changed])).toEqual([['orders']])
  expect(toldOf(['UPDATE pgboss.job_common j SET state = 1', changed])).toEqual([['job_common']])
  expect(toldOf(['with gone as (delete from "x"."a" returning 1) insert into b select * from gone', changed])).toEqual([
    ['a', 'b'],
  ])
  expect(toldOf(['copy a (id) from stdin;copy b (id) from stdin', { command: 'COPY', rows: [] }])).toEqual([['a', 'b']])
})

test('what changed nothing is not told of; a select that writes in a part of it is', () => {
  expect(toldOf(['update a set b = 1', nothing], ['select 1 from a', { command: 'SELECT', rowCount: 1 }])).toEqual([])
  expect(
    toldOf([
      'with w as (update a set b = 1 returning id) select * from w',
      { command: 'SELECT', rowCount: 0, rows: [] },
    ]),
  ).toEqual([['a']])
})

test('a transaction is told of once it is committed, once, and not when it is rolled back', () => {
  const [begin, commit, rollback] = ['begin', 'commit', 'rollback'].map((text) => [text, {}] as const)
  const [one, two] = ['update a set b = 1', 'insert into c values (1)'].map((text) => [text, changed] as const)
  if (!begin || !commit || !rollback || !one || !two) throw new Error('unreachable')
  expect(toldOf(begin, one, two, one)).toEqual([])
  expect(toldOf(begin, one, two, one, commit)).toEqual([['a', 'c']])
  expect(toldOf(begin, one, ['rollback to savepoint s', {}], two, commit)).toEqual([['a', 'c']])
  expect(toldOf(begin, one, rollback, begin, two, commit)).toEqual([['c']])
  expect(toldOf(['BEGIN; update a set b = 1; COMMIT;', [changed]], two)).toEqual([['a'], ['c']])
})

test('what a question of due work reads is found in its text', () => {
  const text = `select m.id from merchants m cross join lateral (select 1 from "events" e where e.merchant_id = m.id) e
    left join public.runs r on true`
  expect(tablesReadBy(text)).toEqual(expect.arrayContaining(['merchants', 'events', 'runs']))
})
