import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { readConfig } from '../src/app/config.ts'
import { startProcess } from '../src/app/process.ts'
import { stopwatch } from '../src/kernel/clock.ts'
import { connect } from '../src/kernel/database/database.ts'
import { newId } from '../src/kernel/ids.ts'

export interface PeopleFigure {
  what: string
  medianMs: number
  p95Ms: number
}

const q = encodeURIComponent
/** A measuring database belongs to no installation: whichever process asks it next makes its own secrets. */
async function belongToNobody(url: string): Promise<void> {
  const connection = connect(url, { name: 'bench', max: 1 })
  await sql`delete from installation`.execute(connection.db)
  await connection.close()
}

/** What is asked of the list; each is also paged deep where that makes sense. */
const lists: Record<string, string> = {
  'first page': '',
  'by name': 'sort=name&direction=asc',
  'by revenue': 'sort=total_revenue',
  'by orders': 'sort=orders_count',
  'by last order': 'sort=last_order_at',
  'by last order, ascending': 'sort=last_order_at&direction=asc',
  'with permission': 'marketing=granted',
  'withdrawn, English, without orders': 'marketing=withdrawn&language=en&has_orders=no',
  // None of them stands near the beginning of this order.
  'withdrawn, English, without orders, by revenue': 'marketing=withdrawn&language=en&has_orders=no&sort=total_revenue',
  'those who bought, least first': 'has_orders=yes&sort=total_revenue&direction=asc',
  'tag VIP': 'tag=VIP',
  'tag VIP, by name': 'tag=VIP&sort=name&direction=asc',
  suppressed: 'suppressed=yes',
  'created in one month': 'created_from=2026-03-01&created_to=2026-03-31',
  'LINE connected': 'line=yes',
  'search a common name': `q=${q('佐藤')}`,
  'search a name, by revenue': `q=${q('田中 凛')}&sort=total_revenue`,
  'search a name in full width': `q=${q('ＴＡＮＡＫＡ')}`,
  // 55,000 of a million who stand together: all are sorted.
  'search a common name, by name': `q=${q('渡辺')}&sort=name&direction=asc`,
  'search a common name with permission, by name': `q=${q('渡辺')}&marketing=granted&sort=name&direction=asc`,
  'search the first letters of everyone': 'q=pe&sort=name',
  'search one address': 'q=person77123@',
  'search by phone': `q=${q('090-1234')}`,
  'search nobody': `q=${q('いないひと')}`,
  'search a domain with permission': 'q=example7.jp&marketing=granted&sort=name',
  'search a name among the suppressed': `q=${q('佐藤')}&suppressed=yes`,
}
/** Lists paged through to places all over their depth, by the cursors as a client would have them. */
const deep: Record<string, string> = {
  'newest first': '',
  'by name': 'sort=name&direction=asc',
  'by last order': 'sort=last_order_at',
  'with permission, by revenue': 'marketing=granted&sort=total_revenue',
  'a common name': `q=${q('佐藤')}`,
  'a common name, by name': `q=${q('渡辺')}&sort=name&direction=asc`,
  'tag VIP, by revenue': 'tag=VIP&sort=total_revenue',
  'created in one month, by name': 'created_from=2026-03-01&created_to=2026-03-31&sort=name&direction=asc',
  'withdrawn, English, without orders': 'marketing=withdrawn&language=en&has_orders=no',
  suppressed: 'suppressed=yes',
}

/**
 * The list of customers, its searches, orders and deep pages, and the detail with its timeline, over HTTP against a filled database
 * (`million.ts`). p95 over `rounds` of each after one that is not counted.
 */
export async function runPeopleBench(url: string, merchantId: string, rounds = 40): Promise<PeopleFigure[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-bench-'))
  const memberId = newId()
  await belongToNobody(url)
  const okaeri = await startProcess(
    readConfig({
      ROLE: 'api',
      PORT: '0',
      DATA_DIR: folder,
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: url,
    }),
    { authenticate: () => ({ merchantId, memberId, sessionId: memberId, role: 'owner' }) },
  )
  const address = okaeri.server?.server.address()
  if (!address || typeof address === 'string') throw new Error('not listening')
  const get = async (at: string): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${address.port}${at}`, {
      headers: { authorization: 'Bearer bench' },
    })
    if (!response.ok) throw new Error(`${at}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }
  const figures: PeopleFigure[] = []
  const measure = async (what: string, addresses: readonly string[]): Promise<void> => {
    const times: number[] = []
    await get(addresses[0] ?? '')
    for (let round = 0; round < rounds; round += 1) {
      const elapsed = stopwatch()
      await get(addresses[round % addresses.length] ?? '')
      times.push(elapsed())
    }
    times.sort((one, other) => one - other)
    const at = (share: number): number => times[Math.min(rounds - 1, Math.floor(rounds * share))] ?? 0
    figures.push({ what, medianMs: at(0.5), p95Ms: at(0.95) })
  }
  try {
    for (const [name, query] of Object.entries(lists)) await measure(`list: ${name}`, [`/customers?limit=20&${query}`])
    for (const [name, query] of Object.entries(deep)) {
      const places: string[] = []
      let cursor: unknown = 'end'
      while (places.length < rounds && typeof cursor === 'string') {
        const place = `/customers?limit=100&${query}&cursor=${cursor}`
        places.push(place)
        cursor = (await get(place))['prev']
      }
      await measure(`list, the last ${places.length} pages of 100: ${name}`, places)
    }
    await measure('list, exact count of all', ['/customers/count'])
    const { rows } = await sql<{ id: string }>`
      (select id from customers where merchant_id = ${merchantId} order by orders_count desc limit 20)
      union all (select id from customers where merchant_id = ${merchantId} limit 20)
    `.execute(okaeri.context.db)
    await measure(
      'detail',
      rows.map(({ id }) => `/customers/${id}`),
    )
    await measure(
      'timeline, first page of 50',
      rows.map(({ id }) => `/customers/${id}/timeline?limit=50`),
    )
  } finally {
    await okaeri.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
  return figures
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { url: { type: 'string' }, merchant: { type: 'string' } } })
  if (!values.url || !values.merchant)
    throw new Error('--url and --merchant say which filled database and whom to ask about')
  for (const { what, medianMs, p95Ms } of await runPeopleBench(values.url, values.merchant))
    console.log(`${what.padEnd(66)} median ${medianMs.toFixed(0).padStart(5)}   p95 ${p95Ms.toFixed(0).padStart(5)} ms`)
}
