import type { RestockChannel } from '@okaeri/contract/restocks/channel'
import { type RestockSettings, MAX_NOTIFICATIONS } from '@okaeri/contract/restocks/settings'
import { crashPoint } from '../../kernel/crash-point.ts'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { askForStock } from '../catalog/index.ts'
import { type NewEvent, recordEvents } from '../events/index.ts'
import { getMerchant, type MerchantRow, nextAllowedTime } from '../merchants/index.ts'
import { endBoughtRequests, holdRequests, lockWaiting, type WaitingRequest } from '../restocks/index.ts'
import {
  claimDueReturn,
  countBegun,
  deleteReturn,
  holdReturn,
  lockProduct,
  type RestockScenario,
  type ReturnRow,
  selectRestockScenarios,
  selectStockOf,
  type StockOf,
} from './return-queries.ts'
import { readRestockSettings } from './settings.ts'
import { finishReturn } from './stock-return.ts'
import {
  countUnderWay,
  markWaveDone,
  type NewNotice,
  selectLastWave,
  selectNotified,
  selectWhoBought,
  upsertNotices,
  upsertWave,
  type WaveRow,
} from './wave-queries.ts'

const MINUTE_MS = 60_000
/** Stock read longer ago is read from the store again before people are notified. */
export const FRESH_MS = 5 * MINUTE_MS
/** Looked at again while the store does not answer: each pause as long as it has not answered so far, between these. An answer ends the pause. */
const READING_AGAIN_MS = 20_000
const READING_AGAIN_AT_MOST_MS = 6 * 60 * MINUTE_MS
/** What holds it may have ended. */
const LOOK_AGAIN_MS = 10 * MINUTE_MS
/** Registrations in one transaction; a wave of more goes on at once. */
export const AT_ONCE = 500
/** However much there is in stock. */
const MOST_PLACES = 5000
/** So many products that come back within an hour go out by themselves; for more a person looks. */
export const MANY_RETURNS = 100
const MANY_RETURNS_MS = 60 * MINUTE_MS
/** No one is notified again sooner, however often the stock changes. */
const ASKED_AGAIN_MS = 24 * 60 * MINUTE_MS

/** Does what is due for one return; returns whether there was one. Everything of it is one transaction. */
export async function advanceReturn(scope: TransactionScope): Promise<boolean> {
  const row = await claimDueReturn(scope)
  if (!row) return false
  const awaited = awaitedOf(row)
  // A person who waits for a variant and for the product as a whole is in two returns, and is notified in one.
  await lockProduct(scope, awaited.storeProductId)
  const last = await selectLastWave(scope, row.id)
  const stock = await selectStockOf(scope, awaited)
  const inMs = (ms: number): Date => new Date(scope.now.getTime() + ms)
  if (!stock.isOnSale) return end(scope, row, last, 'gone')
  const merchant = await getMerchant(scope)
  const scenarios = await selectRestockScenarios(scope)
  const answering = winners(scenarios)
  if (isOld(stock, scope.now)) {
    await askForStock(scope, stock.variantIds, { since: new Date(scope.now.getTime() - FRESH_MS) })
    await holdReturn(scope, row.id, { by: 'reading', until: inMs(pauseOf(row, scope.now)) })
    return true
  }
  const quantity = stock.quantity ?? 0
  if (quantity <= 0) return end(scope, row, last, 'sold_out')
  const hold = whyNotNow(scope, merchant, answering.size)
  if (hold) {
    await holdReturn(scope, row.id, { by: hold.by, until: hold.until ?? inMs(LOOK_AGAIN_MS) })
    return true
  }
  if (!last && row.continued_at === null && (await isFlood(scope))) {
    await holdReturn(scope, row.id, { by: 'many', until: null })
    return true
  }
  await notifyNext(scope, { row, last, quantity, answering, settings: await readRestockSettings(scope) })
  return true
}

function pauseOf({ unanswered_since: since }: ReturnRow, now: Date): number {
  const unansweredMs = since === null ? 0 : now.getTime() - since.getTime()
  return Math.min(READING_AGAIN_AT_MOST_MS, Math.max(READING_AGAIN_MS, unansweredMs))
}

export const awaitedOf = ({ store_product_id, store_variant_id }: ReturnRow) => ({
  storeProductId: store_product_id,
  storeVariantId: store_variant_id,
})

/** Also where the clock was set back. */
export const isOld = ({ readAt }: StockOf, now: Date): boolean =>
  readAt === null || now.getTime() - readAt.getTime() > FRESH_MS || readAt > now

/** Which scenario answers who registered by each channel: of those that send by it the one activated first. */
export function winners(scenarios: readonly RestockScenario[]): Map<RestockChannel, string> {
  const first = new Map<RestockChannel, string>()
  for (const { id, channels } of scenarios)
    for (const channel of channels) if (!first.has(channel)) first.set(channel, id)
  return first
}

/** Stock sold by a switch "always" is as much as the most places need. */
export const placesFor = (
  quantity: number,
  { people_per_unit: each }: Pick<RestockSettings, 'people_per_unit'>,
): number => Math.min(MOST_PLACES, quantity * each)

function whyNotNow(
  { now }: TransactionScope,
  merchant: MerchantRow,
  scenarios: number,
): { by: 'test_mode' | 'no_scenario' | 'hours'; until?: Date } | null {
  if (merchant.test_mode) return { by: 'test_mode' }
  if (scenarios === 0) return { by: 'no_scenario' }
  // Messages of several waves would gather overnight and leave together.
  const until = nextAllowedTime(now, merchant.sending_hours, merchant.timezone)
  return until && { by: 'hours', until }
}

async function isFlood(scope: TransactionScope): Promise<boolean> {
  const since = new Date(scope.now.getTime() - MANY_RETURNS_MS)
  return (await countBegun(scope, since, MANY_RETURNS)) >= MANY_RETURNS
}

async function end(
  scope: TransactionScope,
  row: ReturnRow,
  last: WaveRow | null,
  as: 'sold_out' | 'gone',
): Promise<boolean> {
  if (!last) await deleteReturn(scope, row.id)
  else {
    await markWaveDone(scope, row.id, last.number)
    await finishReturn(scope, row.id, as)
  }
  return true
}

interface NextNotices {
  row: ReturnRow
  last: WaveRow | null
  quantity: number
  answering: ReadonlyMap<RestockChannel, string>
  settings: RestockSettings
}

/** The next people of the wave: their events, what is noted of them, and when it goes on. */
async function notifyNext(
  scope: TransactionScope,
  { row, last, quantity, answering, settings }: NextNotices,
): Promise<void> {
  const goesOn = last && !last.is_done ? last : null
  const number = goesOn?.number ?? (last?.number ?? 0) + 1
  // Some were bought since the wave began.
  const places = goesOn
    ? Math.min(goesOn.places, placesFor(quantity, settings))
    : // People whose messages are under way count as places taken, so that delayed messages do not pile up.
      placesFor(quantity, settings) - (last ? await countUnderWay(scope, row.id) : 0)
  const left = places - (goesOn?.told ?? 0)
  if (!goesOn && left <= 0) {
    await holdReturn(scope, row.id, { by: 'interval', until: new Date(scope.now.getTime() + LOOK_AGAIN_MS) })
    return
  }
  const limit = Math.min(AT_ONCE, Math.max(left, 0))
  const waiting = await nextWaiting(scope, row, { channels: [...answering.keys()].toSorted(), limit, settings })
  crashPoint('wave_locked')
  const { events, notices, bought, unreachable } = await sort(scope, row, { number, waiting, answering })
  await recordEvents(scope, events)
  await upsertNotices(scope, row.id, notices)
  await holdRequests(
    scope,
    notices.map(({ requestId }) => requestId),
    row.id,
  )
  await endBoughtRequests(scope, bought)
  const noOneLeft = waiting.length < limit
  const isFull = left - events.length <= 0
  const isDone = noOneLeft || isFull
  if (goesOn || notices.length > 0 || bought.length > 0)
    await upsertWave(scope, row.id, {
      number,
      stock: Number.isFinite(quantity) ? quantity : null,
      places,
      told: events.length,
      bought: bought.length,
      unreachable,
      isDone,
    })
  if (noOneLeft && last === null && notices.length === 0 && bought.length === 0) await deleteReturn(scope, row.id)
  else if (noOneLeft) await finishReturn(scope, row.id, 'all_told')
  else {
    const until = new Date(scope.now.getTime() + (isFull ? settings.wave_minutes * MINUTE_MS : 0))
    await holdReturn(scope, row.id, { by: 'interval', until })
  }
  crashPoint('wave_notified')
}

/** Those never notified come before those notified again. */
async function nextWaiting(
  scope: TransactionScope,
  row: ReturnRow,
  { channels, limit, settings }: { channels: RestockChannel[]; limit: number; settings: RestockSettings },
): Promise<WaitingRequest[]> {
  const awaited = awaitedOf(row)
  const first = await lockWaiting(scope, awaited, { channels, limit, again: null })
  if (!settings.asks_again || first.length >= limit) return first
  const longAgo = new Date(row.began_at.getTime() - ASKED_AGAIN_MS)
  const again = await lockWaiting(scope, awaited, {
    channels,
    limit: limit - first.length,
    again: { before: longAgo, atMost: MAX_NOTIFICATIONS },
  })
  return [...first, ...again]
}

async function sort(
  scope: TransactionScope,
  row: ReturnRow,
  {
    number,
    waiting,
    answering,
  }: { number: number; waiting: readonly WaitingRequest[]; answering: ReadonlyMap<RestockChannel, string> },
) {
  const awaited = awaitedOf(row)
  const boughtIt = await selectWhoBought(scope, awaited, waiting)
  const notified = await selectNotified(
    scope,
    row,
    waiting.flatMap(({ customerId }) => customerId ?? []),
  )
  const events: NewEvent[] = []
  const notices: NewNotice[] = []
  for (const { id, customerId, channel } of waiting) {
    const scenarioId = answering.get(channel) ?? null
    if (boughtIt.has(id)) continue
    const notice = { requestId: id, wave: number, customerId, scenarioId }
    if (customerId === null) {
      notices.push({ ...notice, eventKey: null, outcome: 'no_customer' })
      continue
    }
    // Registered twice, by mail and by LINE, or for the variant and the whole: one message answers both.
    const known = notified.get(customerId)
    const eventKey = known?.event_key ?? `product_restocked:${row.id}:${number}:${customerId}`
    notices.push({ ...notice, scenarioId: known?.scenario_id ?? scenarioId, eventKey, outcome: 'under_way' })
    if (known || scenarioId === null) continue
    notified.set(customerId, { event_key: eventKey, scenario_id: scenarioId })
    events.push({
      kind: 'product_restocked',
      key: eventKey,
      customerId,
      scenarioId,
      subject: {
        store_product_id: awaited.storeProductId,
        ...(awaited.storeVariantId === 0 ? {} : { store_variant_id: awaited.storeVariantId }),
      },
      occurredAt: scope.now,
    })
  }
  return {
    events,
    notices,
    bought: [...boughtIt],
    unreachable: notices.filter(({ outcome }) => outcome === 'no_customer').length,
  }
}
