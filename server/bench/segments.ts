import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Condition, Leaf } from '@okaeri/contract/segments/condition'
import { sql } from 'kysely'
import { readConfig } from '../src/app/config.ts'
import { startProcess } from '../src/app/process.ts'
import { createClock, stopwatch } from '../src/kernel/clock.ts'
import type { Database } from '../src/kernel/database/database.ts'
import { newId } from '../src/kernel/ids.ts'
import { forgetSecrets } from './installation.ts'
import { WORLD_NOW } from './million.ts'

export interface SegmentFigure {
  what: string
  medianMs: number
  p95Ms: number
  chosen: number
}
export interface SegmentFigures {
  /** The live count of a typical segment of five conditions, over HTTP. */
  typical: SegmentFigure
  /** The same question as one statement written by hand, on a connection of its own. */
  byHand: SegmentFigure
  /** Medians compared. */
  ratio: number
  thirty: SegmentFigure[]
}

const is = (category: string, name: string, operator: string, value: Leaf['value'] = null): Leaf => ({
  type: 'condition',
  id: 'x',
  category,
  name,
  operator,
  value,
})
const group = (operator: 'and' | 'or' | 'not', ...children: Condition[]): Condition => ({
  type: 'group',
  id: 'g',
  operator,
  children,
})
const days = (within_days: number) => ({ within_days })

/** May be mailed, bought twice or more and lately, lives in Tokyo or Kanagawa, opened something this quarter. */
export const typicalSegment: Condition = group(
  'and',
  is('consent', 'accepts_marketing', 'is', true),
  is('orders', 'orders_count', 'greater_or_equal', 2),
  is('orders', 'last_order_at', 'within_last_days', 180),
  is('address', 'prefecture', 'is_one_of', ['JP-13', 'JP-14']),
  is('emails', 'emails_opened', 'at_least', { value: 1, campaigns: null, window: days(90) }),
)

/** Ids of things in the large world, looked up once. */
export interface Named {
  products: string[]
  collections: string[]
  campaigns: string[]
  points: string
  color: string
}

/** One after another: over columns, orders, lines, mails, lists of two thousand; for few people, for half of them, for nearly all. */
export function thirtySegments({ products, collections, campaigns, points, color }: Named): Record<string, Condition> {
  const [product = '', another = ''] = products
  const ordered = (value: object): Leaf['value'] =>
    ({ measure: 'count', value: 1, filter: {}, window: null, ...value }) as Leaf['value']
  const mails = (value: object): Leaf['value'] =>
    ({ value: 1, campaigns: null, window: null, ...value }) as Leaf['value']
  const things = { products: null, min_amount: null, window: null }
  return {
    everyone: is('orders', 'orders_count', 'greater_or_equal', 0),
    'may be mailed': is('consent', 'accepts_marketing', 'is', true),
    'spent 50,000 yen': is('orders', 'orders_amount', 'greater_or_equal', 50_000),
    'never ordered': is('orders', 'ordered', 'exactly', ordered({ value: 0 })),
    'ordered within 30 days': is('orders', 'ordered', 'at_least', ordered({ window: days(30) })),
    'ordered three times within a year': is('orders', 'ordered', 'at_least', ordered({ value: 3, window: days(365) })),
    'spent 30,000 yen within 180 days': is(
      'orders',
      'ordered',
      'at_least',
      ordered({ measure: 'amount', value: 30_000, window: days(180) }),
    ),
    'ordered in one month of last year': is(
      'orders',
      'ordered',
      'at_least',
      ordered({ window: { from: '2025-08-01', to: '2025-08-31' } }),
    ),
    'bought one product': is('orders', 'product_bought', 'bought', { ids: [product], within_days: null }),
    'never bought a product that sells well': is(
      'orders',
      'ordered',
      'exactly',
      ordered({ value: 0, filter: { products: [product, another] } }),
    ),
    'bought twice of a collection within a year': is(
      'orders',
      'ordered',
      'at_least',
      ordered({ value: 2, filter: { collections: collections.slice(0, 1) }, window: days(365) }),
    ),
    'five items of a vendor': is(
      'orders',
      'ordered',
      'at_least',
      ordered({ measure: 'quantity', value: 5, filter: { vendors: ['メーカー3'] } }),
    ),
    'bought on sale, as a gift': is(
      'orders',
      'ordered',
      'at_least',
      ordered({ filter: { product_tags: ['セール'], order_tags: ['ギフト'] } }),
    ),
    'used a code within 90 days': is(
      'orders',
      'ordered',
      'at_least',
      ordered({ filter: { discount_codes: ['obk8', 'obk16'] }, window: days(90) }),
    ),
    'average order of 12,000 yen': is('orders', 'average_amount', 'greater', 12_000),
    'opened within 30 days': is('emails', 'emails_opened', 'at_least', mails({ window: days(30) })),
    'opened three mails within half a year': is(
      'emails',
      'emails_opened',
      'at_least',
      mails({ value: 3, window: days(180) }),
    ),
    'got a campaign and did not open it': group(
      'and',
      is('emails', 'emails_received', 'at_least', mails({ campaigns: campaigns.slice(0, 1) })),
      is('emails', 'emails_opened', 'exactly', mails({ value: 0, campaigns: campaigns.slice(0, 1) })),
    ),
    'clicked one of five campaigns': is(
      'emails',
      'emails_clicked',
      'at_least',
      mails({ campaigns: campaigns.slice(0, 5) }),
    ),
    'got ten mails within a year': is('emails', 'emails_received', 'at_least', mails({ value: 5, window: days(365) })),
    'name in kana': is('customer', 'display_name', 'contains', 'けんじ'),
    'address not at a domain': is('customer', 'email', 'not_contains', '@EXAMPLE7.jp'),
    'one of two thousand addresses': is(
      'customer',
      'email',
      'is_one_of',
      Array.from({ length: 2000 }, (_, n) => `Person${n * 37}@example${(n * 37) % 50}.jp`),
    ),
    'none of two thousand tags': is('customer', 'tags', 'has_not', [
      '卸',
      ...Array.from({ length: 1999 }, (_, n) => `tag ${n}`),
    ]),
    'tag, city and postal code': group(
      'and',
      is('customer', 'tags', 'has', ['vip', '店頭']),
      is('address', 'city', 'contains', '市'),
      is('address', 'postal_code', 'starts_with_any', ['1', '23', '150-0']),
    ),
    'birthday within 30 days': is('customer', 'birthday', 'within_next_days', 30),
    'points and a colour': group(
      'or',
      is('metafields', points, 'greater_or_equal', 4000),
      is('metafields', color, 'equals', '赤'),
    ),
    'left a checkout over 5,000 yen within 60 days': is('checkouts', 'checkout_unfinished', 'has', {
      ...things,
      min_amount: 5000,
      window: days(60),
    }),
    'likes a product and never bought it': group(
      'and',
      is('interests', 'favorite', 'has', { ...things, products: [product] }),
      is('orders', 'product_bought', 'not_bought', { ids: [product], within_days: null }),
    ),
    'a tree of all kinds': group(
      'or',
      group(
        'and',
        is('consent', 'marketing_state', 'is_one_of', ['granted', 'unknown']),
        group('not', is('consent', 'suppressed', 'is', true), is('orders', 'last_order_at', 'within_last_days', 30)),
        is('orders', 'ordered', 'at_least', ordered({ filter: { collections: collections.slice(1, 3) } })),
      ),
      group(
        'and',
        is('customer', 'tags', 'has_not', ['卸']),
        is('emails', 'emails_clicked', 'at_least', mails({ window: days(120) })),
        is('metafields', points, 'between', [100, 500]),
      ),
    ),
  }
}

/**
 * The question of {@link typicalSegment} as an engineer would write it by hand for these tables: the count, how many of them can be mailed
 * and why not the others, the newest ten.
 */
const byHand = (merchantId: string) => sql<{ total: number }>`
  with chosen as materialized (
    select c.id, c.email_key, c.created_at from customers c
    where c.merchant_id = ${merchantId} and c.marketing_state = 'granted' and c.orders_count >= 2
      and c.last_order_at >= '2026-05-04 15:00+00' and c.last_order_at <= ${WORLD_NOW}
      and c.province_code in ('JP-13', 'JP-14') and c.last_opened_at >= '2026-08-02 15:00+00'
  )
  select count(*)::int as total, count(email_key)::int as with_address,
    count(distinct email_key) filter (where s.address_key is null)::int as reachable,
    count(s.address_key)::int as suppressed,
    (select count(*)::int from customers where merchant_id = ${merchantId}) as everyone,
    array(select id from chosen order by created_at desc, id desc limit 10) as first
  from chosen left join suppressions s on s.merchant_id = ${merchantId} and s.channel = 'email' and s.lifted_at is null
    and s.address_key = chosen.email_key`

/** What of the filled database the segments name. */
export async function namedIn(db: Database, merchantId: string): Promise<Named> {
  const { rows } = await sql<Named>`
    select array(select id::text from products where merchant_id = ${merchantId} order by store_product_id limit 10) as products,
      array(select id::text from collections where merchant_id = ${merchantId} order by store_collection_id limit 5) as collections,
      array(select id::text from campaigns where merchant_id = ${merchantId} order by sent_at desc limit 10) as campaigns,
      (select id::text from metafield_settings where merchant_id = ${merchantId} and key = 'points') as points,
      (select id::text from metafield_settings where merchant_id = ${merchantId} and key = 'color') as color`.execute(
    db,
  )
  if (!rows[0]) throw new Error('one row is answered')
  return rows[0]
}

async function measure(what: string, rounds: number, ask: () => Promise<number>): Promise<SegmentFigure> {
  let chosen = await ask()
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const elapsed = stopwatch()
    chosen = await ask()
    took.push(elapsed())
  }
  took.sort((a, b) => a - b)
  const at = (share: number): number => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
  return { what, medianMs: at(0.5), p95Ms: at(0.95), chosen }
}

/**
 * Live counts over HTTP (POST /customer_segments/preview) against a filled database (`million.ts`), at the world's own time. Each is
 * asked once before it is counted.
 */
export async function runSegmentsBench(
  url: string,
  merchantId: string,
  { rounds = 20, say = () => {} }: { rounds?: number; say?: (figure: SegmentFigure) => void } = {},
): Promise<SegmentFigures> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-bench-'))
  const memberId = newId()
  const clock = createClock()
  clock.setOffset(Date.parse(WORLD_NOW) - clock.realNow().getTime())
  await forgetSecrets(url)
  const okaeri = await startProcess(
    readConfig({
      ROLE: 'api',
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: url,
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
    }),
    { clock, authenticate: () => ({ merchantId, memberId, sessionId: memberId, role: 'owner' }) },
  )
  try {
    const address = okaeri.server?.server.address()
    if (!address || typeof address === 'string') throw new Error('not listening')
    const preview = async (conditions: Condition): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${address.port}/customer_segments/preview`, {
        method: 'POST',
        headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
        body: JSON.stringify({ conditions }),
      })
      const body = (await answer.json()) as { target_counts?: { total: number } }
      if (!body.target_counts) throw new Error(JSON.stringify(body))
      return body.target_counts.total
    }
    const { db } = okaeri.context
    const thirty: SegmentFigure[] = []
    const typical = await measure('five conditions', rounds, () => preview(typicalSegment))
    say(typical)
    const hand = await measure('the same by hand', rounds, async () => {
      const { rows } = await byHand(merchantId).execute(db)
      return rows[0]?.total ?? 0
    })
    say(hand)
    for (const [what, condition] of Object.entries(thirtySegments(await namedIn(db, merchantId)))) {
      const figure = await measure(what, Math.max(3, Math.ceil(rounds / 4)), () => preview(condition))
      say(figure)
      thirty.push(figure)
    }
    return { typical, byHand: hand, ratio: typical.medianMs / hand.medianMs, thirty }
  } finally {
    await okaeri.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, merchant: { type: 'string' }, rounds: { type: 'string', default: '20' } },
  })
  if (!values.url || !values.merchant) throw new Error('--url and --merchant say which (filled) database to ask')
  const say = ({ what, medianMs, p95Ms, chosen }: SegmentFigure): void =>
    console.log(
      `${what.padEnd(48)} ${medianMs.toFixed(0).padStart(6)} ${p95Ms.toFixed(0).padStart(6)} ms  ${chosen.toLocaleString('en')}`,
    )
  const { ratio, thirty } = await runSegmentsBench(values.url, values.merchant, { rounds: Number(values.rounds), say })
  console.log(`five conditions, beside the same by hand: ${ratio.toFixed(2)}`)
  console.log(`the worst of thirty: ${Math.max(...thirty.map(({ p95Ms }) => p95Ms)).toFixed(0)} ms`)
  process.exit(0)
}
