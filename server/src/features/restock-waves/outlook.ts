import { RestockChannel } from '@okaeri/contract/restocks/channel'
import type { Page } from '@okaeri/contract/paging'
import type { RestockSettings } from '@okaeri/contract/restocks/settings'
import { RETURNS_SHOWN } from '@okaeri/contract/restocks/wave-routes'
import type { OpenReturn, RestockNotice, RestockScenario, RestockWave } from '@okaeri/contract/restocks/waves'
import { conflict, notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import {
  countOpen,
  lockOpenReturns,
  markContinued,
  markStopped,
  type OpenRow,
  selectAwaitedProduct,
  selectNotices,
  selectOpenReturns,
  selectWaitingChannels,
  selectWaves,
  type WaveFigures,
} from './outlook-queries.ts'
import { selectRestockScenarios } from './return-queries.ts'
import { readRestockSettings } from './settings.ts'
import { placesFor, winners } from './wave.ts'

/** What was bought later is not counted as brought by the message. */
const WINDOW_DAYS = 5
const WAVES_SHOWN = 50
/** Variants of one product: the platform allows two thousand, but people never wait for that many at once. */
const RETURNS_OF_PRODUCT = 100

export async function readOutlook(scope: MerchantScope) {
  const scenarios = await listRestockScenarios(scope)
  const waiting = await selectWaitingChannels(scope)
  const { open, asking, people } = await countOpen(scope)
  return {
    scenarios,
    unanswered: waiting.filter((channel) => !scenarios.some(({ answers }) => answers.includes(channel))),
    test_mode: (await getMerchant(scope)).test_mode,
    asking: { returns: asking, people },
    open_count: open,
    open: await listOpen(scope, { limit: RETURNS_SHOWN }),
  }
}

export async function readRestockProduct(scope: MerchantScope, storeProductId: number) {
  const product = await selectAwaitedProduct(scope, storeProductId)
  if (!product) throw notFound('no one waits for this product')
  const { currency } = await getMerchant(scope)
  const waves = await selectWaves(scope, storeProductId, { limit: WAVES_SHOWN, windowDays: WINDOW_DAYS })
  return {
    store_product_id: String(storeProductId),
    product_name: product.product_name,
    image_url: product.image_url,
    waiting: product.waiting,
    open: await listOpen(scope, { storeProductId, limit: RETURNS_OF_PRODUCT }),
    waves: waves.map((wave) => presentWave(wave, currency)),
  }
}

export async function listNotices(
  scope: MerchantScope,
  of: { returnId: string; wave: number },
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<RestockNotice>> {
  const { rows, total } = await selectNotices(scope, of, { limit, offset })
  const data = rows.map(({ request_id, channel, registered_at, sent_at, bought_at, ...row }) => ({
    ...row,
    id: request_id,
    restock_type: channel,
    registered_at: registered_at.toISOString(),
    sent_at: sent_at?.toISOString() ?? null,
    bought_at: bought_at?.toISOString() ?? null,
  }))
  return { data, limit, offset, total }
}

/** No further people are notified of it until a member continues. Messages written already are sent. */
export const stopWaves = (scope: MerchantScope, storeProductId: number): Promise<number> =>
  scope.transaction((scope) => markStopped(scope, storeProductId))

/** Refused if the number of people to notify is no longer the one the member saw. */
export function continueWaves(scope: MerchantScope, storeProductId: number, seen: number): Promise<number> {
  return scope.transaction(async (scope) => {
    await lockOpenReturns(scope, storeProductId)
    const open = await listOpen(scope, { storeProductId, limit: RETURNS_OF_PRODUCT })
    const people = open.reduce((sum, { due_at, next_people }) => sum + (due_at === null ? next_people : 0), 0)
    if (people !== seen) throw conflict('people_changed', `now ${people} people would be notified`)
    return markContinued(scope, { storeProductId })
  })
}

export function continueMany(scope: MerchantScope, seen: number): Promise<number> {
  return scope.transaction(async (scope) => {
    await lockOpenReturns(scope, null)
    const { asking } = await countOpen(scope)
    if (asking !== seen) throw conflict('people_changed', `now ${asking} products wait`)
    return markContinued(scope, 'many')
  })
}

async function listRestockScenarios(scope: MerchantScope): Promise<RestockScenario[]> {
  const scenarios = await selectRestockScenarios(scope)
  const answering = winners(scenarios)
  return scenarios.map(({ id, name, channels }) => ({
    id,
    name,
    channels,
    answers: channels.filter((channel) => answering.get(channel) === id),
  }))
}

async function listOpen(
  scope: MerchantScope,
  which: { storeProductId?: number; limit: number },
): Promise<OpenReturn[]> {
  const channels = [...winners(await selectRestockScenarios(scope)).keys()]
  const settings = await readRestockSettings(scope)
  // Without a scenario the page says how many wait all the same.
  const rows = await selectOpenReturns(scope, {
    ...which,
    channels: channels.length > 0 ? channels : RestockChannel.options,
  })
  return rows.map((row) => presentOpen(row, { settings, isAnswered: channels.length > 0, now: scope.now }))
}

function presentOpen(
  row: OpenRow,
  { settings, isAnswered, now }: { settings: RestockSettings; isAnswered: boolean; now: Date },
): OpenReturn {
  const quantity = Math.max(0, row.quantity ?? 0)
  const all = placesFor(quantity, settings)
  const places = row.places_left === null ? Math.max(0, all - row.under_way) : Math.min(row.places_left, all)
  const isCounted = Number.isFinite(quantity)
  return {
    id: row.id,
    store_product_id: String(row.store_product_id),
    product_name: row.product_name,
    image_url: row.image_url,
    store_variant_id: row.store_variant_id === 0 ? null : String(row.store_variant_id),
    variant: row.variant,
    began_at: row.began_at.toISOString(),
    held_by: row.held_by ?? 'interval',
    due_at: dueOf(row)?.toISOString() ?? null,
    unanswered_since: isUnanswered(row, now) ? (row.unanswered_since?.toISOString() ?? null) : null,
    stock: row.quantity !== null && isCounted ? quantity : null,
    sells_without_stock: !isCounted,
    stock_read_at: row.read_at?.toISOString() ?? null,
    waiting: row.waiting,
    next_people: isAnswered ? Math.min(row.waiting, places) : 0,
  }
}

/** An answer takes some seconds. */
const ANSWERS_WITHIN_MS = 60_000
const isUnanswered = ({ held_by, unanswered_since: since }: OpenRow, now: Date): boolean =>
  held_by === 'reading' && since !== null && now.getTime() - since.getTime() >= ANSWERS_WITHIN_MS

/** The question to the store may be due before the return is looked at, and wakes it. */
const dueOf = ({ held_by, due_at, asked_at }: OpenRow): Date | null =>
  held_by === 'reading' && due_at !== null && asked_at !== null && asked_at < due_at ? asked_at : due_at

const presentWave = (wave: WaveFigures, currency: string): RestockWave => ({
  return_id: wave.return_id,
  number: wave.number,
  at: wave.at.toISOString(),
  store_variant_id: wave.store_variant_id === 0 ? null : String(wave.store_variant_id),
  variant: wave.variant,
  stock: wave.stock,
  notified: wave.told,
  sent: wave.sent,
  under_way: wave.under_way,
  bought_before: wave.bought,
  unreachable: wave.unreachable,
  buyers: wave.buyers,
  revenue: { amount: wave.revenue, currency },
})
