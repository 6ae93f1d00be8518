import { expect, test } from 'vitest'
import { citusJoinOffences, citusOffences, citusOffencesOfMigration } from './citus-shapes.ts'

test('what a Citus cluster refuses, or does otherwise, is found in statements', () => {
  const offending = [
    'update leases set at = clock_timestamp() where merchant_id = $1',
    'insert into a (n) values ($1) on conflict (merchant_id) do update set n = default, m = 1',
    'insert into a (n) values ($1) on conflict (merchant_id) do update set at = now()',
    "insert into a (n) values ($1) on conflict (merchant_id) do update set at = a.at + a.ms * '1 millisecond'::interval",
    "insert into a (n) values ($1) on conflict (merchant_id) do update set n = 1 where a.at > excluded.at + interval '1 day'",
    'select (select count(*) from d x where x.merchant_id = c.merchant_id) from c where c.merchant_id = ${merchantId}',
    'insert into a (n) select n from b on conflict (merchant_id) do update set n = excluded.n where a.at < ${since}',
    "update a x set n = jsonb_build_object('n', x.m) where x.merchant_id = $1",
    "update a x set n = jsonb_set(x.n, '{code}', to_jsonb(r.code)) from r where x.merchant_id = $1",
    'insert into a (n) values ($1) on conflict (merchant_id) do update set n = 1 where a.seen_at < excluded.seen_at - ${AGE}',
    "update a set at = at + interval '1 day' where merchant_id = $1",
    "update a set at = least(b, at + $2::float8 * '1 millisecond'::interval) from r where merchant_id = $1",
    'update a set n = case m when ${m} then 1 end where merchant_id = $1',
    "select case outcome when 'ended' then 1 end from (select 'ended' as outcome from a) x",
    "select set_config('timezone', $1, true)",
    'delete from a where ctid = any(array(select ctid from a where merchant_id = $1))',
    'with written as (insert into a select n from g returning n) select n from written',
    'with x as (select 1), written as materialized (\n insert into a select n from g returning n) select n from written',
    'update a set n = 1 where merchant_id = $1 and exists (select from ledger_state where held_since is null)',
  ]
  for (const statement of offending)
    expect([statement, citusOffences(`sql\`${statement}\``).length]).toEqual([statement, 1])
  for (const counted of [
    'const { numAffectedRows } = await sql`\n insert into a select n from g on conflict do nothing`',
    'const { numAffectedRows } = await sql`\n with g as (select n from b) insert into a select n from g on conflict do nothing`',
    'const result = await sql`\n insert into a select n from g`.execute(db)\n return Number(result.numAffectedRows ?? 0n)',
  ])
    expect([counted, citusOffences(counted).length]).toEqual([counted, 1])
})

test('rows of an insert without a conflict, and of an update, may be counted', () => {
  for (const fine of [
    'const { numAffectedRows } = await sql`\n with m as (update b set n = 1 returning *) insert into a select n from m`',
    'const result = await sql`update a set n = 1`.execute(db)\n return result.numAffectedRows',
    'const result = await sql`\n insert into a select n from g`.execute(db)\n const { numAffectedRows } = await sql`update a set n = 1`',
  ])
    expect([fine, citusOffences(fine)]).toEqual([fine, []])
})

test('and nothing where it is done the way that works on both', () => {
  const fine = [
    'insert into a (n) values ($1) on conflict (merchant_id) do update set n = excluded.n',
    'insert into a (n) select n from b on conflict (merchant_id) do update set n = excluded.n where a.at < ${sql.lit(since)}',
    'insert into a with before as materialized (select n from b) select n from before',
    "update a x set n = r.n from (select jsonb_build_object('n', m) as n from b) r where x.merchant_id = $1",
    'with gone as (delete from a using b where a.n = b.n returning n) update b set n = 1 from gone where b.n = gone.n',
    'select (select count(*) from d where d.merchant_id = $1) from c where c.merchant_id = $1',
  ]
  for (const statement of fine) expect([statement, citusOffences(`sql\`${statement}\``)]).toEqual([statement, []])
})

test('a table joined without its merchant is found, in tests too', () => {
  const tables = new Set(['orders', 'customers'])
  const joined = (on: string): string[] =>
    citusJoinOffences(`sql\`select o.id from customers c join orders o ${on} where c.merchant_id = $1\``, tables)
  expect(joined('on o.customer_id = c.id')).toHaveLength(1)
  expect(joined('on o.merchant_id = c.merchant_id and o.customer_id = c.id')).toEqual([])
  expect(joined('on ${theirs}')).toEqual([])
  const apart = 'sql`select 1 from customers c join given g on g.id = c.id where c.merchant_id = $1`'
  expect(citusJoinOffences(apart, tables)).toEqual([])
})

test('migrations are held to it from the first on that may meet a cluster', () => {
  const statement = 'alter table a add column n int check (n > 0);'
  expect(citusOffencesOfMigration('0341_later.sql', statement)).toHaveLength(1)
  expect(citusOffencesOfMigration('0301_earlier.sql', statement)).toEqual([])
  expect(citusOffencesOfMigration('0341_later.sql', 'alter table a add column n int; -- check (n > 0)')).toEqual([])
})
