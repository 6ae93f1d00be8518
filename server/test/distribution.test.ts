import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { distribute, migrate } from '../src/kernel/database/migrate.ts'
import { createJoined, dropJoined } from './citus.ts'

const nodes = inject('citusNodes') ?? []
const made: string[] = []
const clients: pg.Client[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end()
  for (const name of made.splice(0)) await dropJoined(nodes, name)
})

/** A database on the cluster that nothing of is distributed yet. */
async function joinedDatabase(): Promise<string> {
  const name = `okaeri_${randomUUID().replaceAll('-', '')}`
  made.push(name)
  return createJoined({ urls: nodes }, name)
}
async function connected(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name })
  clients.push(client)
  await client.connect()
  return client
}

const MERCHANTS = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002']
const writeMember = (client: pg.Client, merchant: string): Promise<unknown> =>
  client.query(
    `insert into members (merchant_id, id, email, email_key, role, created_at) values ($1, $1, $2, $2, 'owner', now())`,
    [merchant, `${merchant}@shop.test`],
  )

describe.skipIf(nodes.length === 0)('a database on a Citus cluster', () => {
  test('is spread over the nodes with what is in it, once; what a later migration makes is spread too', async () => {
    const url = await joinedDatabase()
    await migrate(url)
    const client = await connected(url, 'test')
    for (const merchant of MERCHANTS) {
      await client.query(
        `insert into merchants (id, site_name, created_at, updated_at) values ($1, 'x', now(), now())`,
        [merchant],
      )
      await writeMember(client, merchant)
    }
    const tables = await distribute(url)
    expect(tables).toEqual(expect.arrayContaining(['merchants', 'members', 'customers', 'deliveries']))
    expect(tables).not.toContain('rate_limits')
    const { rows } = await client.query(
      'select m.id from merchants m join members o on o.merchant_id = m.id order by m.id',
    )
    expect(rows.map(({ id }) => id)).toEqual(MERCHANTS)
    await expect(writeMember(client, '018f0000-0000-7000-8000-000000000003')).rejects.toThrow('foreign key')
    expect(await distribute(url)).toEqual([])
    await client.query('create table later (merchant_id uuid, id uuid, primary key (merchant_id, id))')
    expect(await migrate(url)).toEqual([])
    const { rows: later } = await client.query(`select from pg_dist_partition where logicalrelid = 'later'::regclass`)
    expect(later).toHaveLength(1)
  })

  test('is not touched while a process of Okaeri is connected', async () => {
    const url = await joinedDatabase()
    const client = await connected(url, 'okaeri-worker')
    await expect(distribute(url)).rejects.toThrow('Okaeri is running on this database (okaeri-worker)')
    const { rows } = await client.query(`select to_regclass('merchants') as merchants`)
    expect(rows).toEqual([{ merchants: null }])
  })

  test('is refused where no node takes data', async () => {
    const url = await joinedDatabase()
    const client = await connected(url, 'test')
    await client.query(
      `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', false) from pg_dist_node`,
    )
    await expect(distribute(url)).rejects.toThrow('has no node that takes data')
  })
})
