import type pg from 'pg'
import { StartupError } from '../errors.ts'

/**
 * Tables without a merchant: they lead to the merchant, or are about the installation. On Citus they stay on the coordinator: each is read and
 * written alone, by its own key, or together with rows of a single merchant.
 */
export const ofNoMerchant = [
  'installation',
  'ledger_state',
  'rate_limits',
  'sign_in_directory',
  'store_directory',
  'store_authorizations',
  'line_channel_directory',
  'link_host_directory',
  'migrations',
] as const

/** The table of merchants, distributed by its id; a merchant's rows in all other tables are on the same node. */
const MERCHANTS = 'merchants'

/** The distribution column of a table; null: it stays on the coordinator. `npm run house` checks that every table is one or the other. */
export function distributionOf(table: string): 'id' | 'merchant_id' | null {
  if ((ofNoMerchant as readonly string[]).includes(table)) return null
  return table === MERCHANTS ? 'id' : 'merchant_id'
}

/** The name of a migrating or distributing connection in `pg_stat_activity`. */
export const MIGRATING = 'okaeri-migrations'

/** A connection, or a pool of them. */
interface Asked {
  query(text: string): Promise<{ rows: unknown[] }>
}

/** Whether the merchants of this database are distributed over a Citus cluster. */
export async function isDistributed(client: Asked): Promise<boolean> {
  if (!(await hasCitus(client))) return false
  const { rows } = await client.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('public.${MERCHANTS}')`,
  )
  return rows.length > 0
}

/** The merchants on each node, which the coordinator knows by who may sign in. */
export async function listMerchantsByNode(client: Asked): Promise<string[][]> {
  const { rows } = await client.query(`
    select array_agg(distinct s.merchant_id) as merchant_ids from sign_in_directory s
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('${MERCHANTS}', s.merchant_id)
    group by p.groupid`)
  return (rows as { merchant_ids: string[] }[]).map(({ merchant_ids }) => merchant_ids)
}

async function hasCitus(client: Asked): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  return rows.length > 0
}

/** Throws {@link StartupError} with one sentence that says what is missing. */
export async function refuseWithoutCluster(client: pg.ClientBase): Promise<void> {
  if (!(await hasCitus(client)))
    throw new StartupError(
      'This database has no Citus: as its superuser run "create extension citus" in it, here and on each worker node.',
    )
  const { rows: here } = await client.query<{ groupid: number }>('select groupid from pg_dist_local_group')
  if (here[0]?.groupid !== 0)
    throw new StartupError('This is a worker node of Citus: let DATABASE_URL name the coordinator.')
  const { rows: nodes } = await client.query<{ place: string; works: boolean }>(`
    select nodename || ':' || nodeport as place, isactive and metadatasynced as works from pg_dist_node
    where noderole = 'primary' and shouldhaveshards order by 1`)
  if (nodes.length === 0)
    throw new StartupError(
      'The cluster has no node that takes data: add workers to it with "select citus_add_node(host, port)".',
    )
  const away = nodes.filter(({ works }) => !works).map(({ place }) => place)
  if (away.length > 0)
    throw new StartupError(`Not all nodes of the cluster are active: ${away.join(', ')}. See "table pg_dist_node".`)
}

/** While a table is being distributed, its rows cannot be read, and writes would wait or fail. */
export async function refuseWhileOthersRun(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; connections: number }>(`
    select application_name as name, count(*)::int as connections from pg_stat_activity
    where datname = current_database() and application_name like 'okaeri%' and application_name <> '${MIGRATING}'
    group by 1 order by 1`)
  if (rows.length > 0)
    throw new StartupError(
      `Okaeri is running on this database (${rows.map(({ name }) => name).join(', ')}): stop every process of it first.`,
    )
}

/**
 * Distributes the remaining tables, with their rows, one after the other. If it is interrupted, the next call continues. Returns the tables
 * distributed now. The caller holds the lock of the migrations.
 */
export async function distributeTables(client: pg.ClientBase): Promise<string[]> {
  const { rows: functions } = await client.query<{ name: string }>(`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname like 'okaeri%'
      and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)`)
  for (const { name } of functions) await client.query('select create_distributed_function($1)', [name])
  const { rows: tables } = await client.query<{ name: string; refers: boolean }>(`
    select c.relname as name, exists (select from pg_constraint f where f.contype = 'f' and f.conrelid = c.oid) as refers
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid)
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname <> '${MERCHANTS}', c.relname`)
  const wanted = tables.filter(({ name }) => distributionOf(name) !== null)
  const tied = wanted.filter(({ name, refers }) => refers || name === MERCHANTS).map(({ name }) => name)
  if (tied.length > 0) await distributeTogether(client, tied)
  for (const { name } of wanted) if (!tied.includes(name)) await distribute(client, name)
  return wanted.map(({ name }) => name)
}

/** A local table cannot refer to a distributed one, so foreign keys are dropped during the distribution. */
async function distributeTogether(client: pg.ClientBase, tables: readonly string[]): Promise<void> {
  await client.query('begin')
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])`,
    [tables],
  )
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const table of tables) await distribute(client, table)
  for (const { table, name, definition } of references)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  await client.query('commit')
}

async function distribute(client: pg.ClientBase, table: string): Promise<void> {
  const colocated = table === MERCHANTS ? 'none' : MERCHANTS
  await client.query('select create_distributed_table($1::regclass, $2, colocate_with => $3)', [
    table,
    distributionOf(table),
    colocated,
  ])
}
