import { isOutage } from '../../kernel/database/database-trouble.ts'
import type { Publish } from '../../kernel/context.ts'
import { type MerchantScope, merchantScope, type TransactionScope } from '../../kernel/merchant-scope.ts'
import { findErasedLine } from '../customers/index.ts'
import { claimEvents, deleteEvents, type EventRow, markFailedTry, markProcessed } from './event-queries.ts'
import { block, follow, recordContact } from './friend.ts'

/** Per transaction: a campaign's thousands of new friends share commits. */
const BATCH = 100
/** After so many tries it is kept, and the ones behind it are processed. */
const MAX_TRIES = 10
const MAX_ERROR_LENGTH = 500

type Effect = (scope: TransactionScope, lineUserId: string, event: EventRow) => Promise<void>

const effects: Readonly<Record<string, Effect>> = {
  async follow(scope, lineUserId, event) {
    const customerId = await follow(scope, lineUserId, { at: event.happened_at })
    if (customerId) await publish(scope, 'line.followed', { ...factOf(event, lineUserId), customerId })
  },
  async unfollow(scope, lineUserId, event) {
    const customerId = await block(scope, lineUserId, event.happened_at)
    if (customerId) await publish(scope, 'line.blocked', { ...factOf(event, lineUserId), customerId })
  },
  async message(scope, lineUserId, event) {
    const customerId = await recordContact(scope, lineUserId, event.happened_at)
    const text = textIn(event.event['message'], 'text')
    if (customerId) await publish(scope, 'line.message', { ...factOf(event, lineUserId), customerId, text })
  },
  async postback(scope, lineUserId, event) {
    const customerId = await recordContact(scope, lineUserId, event.happened_at)
    const data = textIn(event.event['postback'], 'data') ?? ''
    if (customerId) await publish(scope, 'line.postback', { ...factOf(event, lineUserId), customerId, data })
  },
  async accountLink(scope, lineUserId, event) {
    const { link } = event.event
    const isOk = textIn(link, 'result') === 'ok'
    // Where linking failed, another person may have opened the link.
    if (isOk) await recordContact(scope, lineUserId, event.happened_at)
    const nonce = textIn(link, 'nonce') ?? ''
    await publish(scope, 'line.link_answered', { lineUserId, nonce, isOk, receivedAt: event.received_at })
  },
}

const publish: Publish = (scope, name, fact) => scope.context.publish(scope, name, fact)
const factOf = ({ id, happened_at }: EventRow, lineUserId: string) => ({ lineUserId, at: happened_at, eventId: id })

/** A part of the event that the platform's next version may shape otherwise. */
function textIn(part: unknown, key: string): string | null {
  const value = typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[key] : null
  return typeof value === 'string' ? value : null
}

/** One batch of a merchant; returns whether there was anything. What fails is tried by itself, so that it takes no other with it. */
export async function processEvents(scope: MerchantScope): Promise<boolean> {
  const fresh = (): MerchantScope => merchantScope(scope.context, scope.merchantId)
  try {
    return (await processSome(fresh(), BATCH)) > 0
  } catch (error) {
    if (isOutage(error)) throw error
    scope.context.log.warn({ merchantId: scope.merchantId, error }, 'events of LINE are processed one by one')
  }
  for (let left = BATCH; left > 0; left -= 1) if (!(await processOne(fresh()))) break
  return true
}

const processSome = (scope: MerchantScope, limit: number): Promise<number> =>
  scope.transaction(async (scope) => {
    const events = await claimEvents(scope, limit)
    for (const event of await withoutErased(scope, events)) await take(scope, event)
    await markProcessed(
      scope,
      events.map(({ id }) => id),
    )
    return events.length
  })

/** False when none waits. */
async function processOne(scope: MerchantScope): Promise<boolean> {
  let current: EventRow | undefined
  try {
    return await scope.transaction(async (scope) => {
      current = (await claimEvents(scope, 1))[0]
      if (!current) return false
      for (const event of await withoutErased(scope, [current])) await take(scope, event)
      await markProcessed(scope, [current.id])
      return true
    })
  } catch (error) {
    if (isOutage(error) || !current) throw error
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const failure = { error: message.slice(0, MAX_ERROR_LENGTH), givenUp: current.attempts + 1 >= MAX_TRIES }
    await markFailedTry(scope, current.id, failure)
    return true
  }
}

/** Events of people who were erased at their request are not stored, also when the platform sends them again. */
async function withoutErased(scope: TransactionScope, events: readonly EventRow[]): Promise<EventRow[]> {
  const users = new Set(events.flatMap(({ line_user_id }) => line_user_id ?? []))
  const erased = await findErasedLine(scope, [...users])
  if (erased.size === 0) return [...events]
  const isOld = ({ line_user_id, happened_at }: EventRow): boolean => {
    const erasedAt = line_user_id === null ? undefined : erased.get(line_user_id)
    return erasedAt !== undefined && happened_at <= erasedAt
  }
  await deleteEvents(
    scope,
    events.filter(isOld).map(({ id }) => id),
  )
  return events.filter((event) => !isOld(event))
}

/** In standby another of the merchant's systems answers, and the friendship is not ours to follow (reference, webhook.yml). */
async function take(scope: TransactionScope, event: EventRow): Promise<void> {
  if (event.line_user_id === null || event.event['mode'] === 'standby') return
  await effects[event.type]?.(scope, event.line_user_id, event)
}
