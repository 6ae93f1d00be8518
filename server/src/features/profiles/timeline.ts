import { TimelineEntry, type TimelinePart, type WhyNot } from '@okaeri/contract/customers/timeline'
import { DateTime } from 'luxon'
import { z } from 'zod'
import { invalid, notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { emailKeyOf } from '../customers/index.ts'
import { presentMessage } from './profile.ts'
import { findAddress, type MessageRow, selectMessagesByIds } from './queries.ts'
import {
  selectDecidingChanges,
  selectDecidingSuppressions,
  selectInstead,
  selectTimeline,
  type TimelinePlace,
  type TimelineRow,
} from './timeline-queries.ts'

/** Everything that happened with a customer, newest first. Throws 404 for another merchant's. */
export async function getTimeline(
  scope: MerchantScope,
  customerId: string,
  query: { limit: number; cursor?: string | undefined; part?: TimelinePart | undefined },
): Promise<{ data: TimelineEntry[]; next: string | null }> {
  const place = query.cursor === undefined ? null : readPlace(query.cursor)
  const customer = await findAddress(scope, customerId)
  if (!customer) throw notFound('there is no such customer')
  const emailKey = emailKeyOf(customer.email)
  const found = await selectTimeline(
    scope,
    { customerId, emailKey },
    { part: query.part, limit: query.limit + 1, place },
  )
  const rows = found.slice(0, query.limit)
  const last = rows.at(-1)
  const messages = new Map(
    (await selectMessagesByIds(scope, deliveriesOf(rows))).map((message) => [message.id, message]),
  )
  const reasons = await whyNot(scope, { customerId, emailKey }, [...messages.values()])
  return {
    data: rows.flatMap((row) => present(row, messages, reasons) ?? []),
    next: last && found.length > query.limit ? writePlace({ at: last.exact, id: last.id }) : null,
  }
}

const deliveriesOf = (rows: readonly TimelineRow[]): string[] =>
  rows.flatMap(({ kind, facts }) => (kind === 'message' ? String(facts['delivery_id']) : []))

/** By delivery: why it was not sent, if the records say. */
async function whyNot(
  scope: MerchantScope,
  who: { customerId: string; emailKey: string | null },
  messages: readonly MessageRow[],
): Promise<Map<string, WhyNot>> {
  const skipped = (reason: string): string[] =>
    messages.filter((row) => row.status === 'skipped' && row.reason === reason).map(({ id }) => id)
  const [unpermitted, suppressed, duplicates] = [
    skipped('no_consent'),
    skipped('suppressed'),
    skipped('duplicate_address'),
  ]
  const [changes, suppressions, instead] = await Promise.all([
    unpermitted.length === 0 ? [] : selectDecidingChanges(scope, who.customerId, unpermitted),
    suppressed.length === 0 ? [] : selectDecidingSuppressions(scope, who.emailKey, suppressed),
    duplicates.length === 0 ? [] : selectInstead(scope, duplicates),
  ])
  const reasons = new Map<string, WhyNot>(
    unpermitted.map((id) => [
      id,
      { decided_by: 'consent', state: 'unknown', since: null, source: null, page: null, changed_meanwhile: false },
    ]),
  )
  for (const { deliveryId, state, at, source, page, later } of changes)
    reasons.set(deliveryId, {
      decided_by: 'consent',
      state,
      since: at.toISOString(),
      source,
      page,
      changed_meanwhile: later,
    })
  for (const { deliveryId, reason, at, proof, liftedAt, later } of suppressions)
    reasons.set(deliveryId, {
      decided_by: 'suppression',
      reason,
      since: at.toISOString(),
      proof,
      lifted_at: liftedAt?.toISOString() ?? null,
      changed_meanwhile: later,
    })
  for (const { deliveryId, customerId, name } of instead)
    reasons.set(deliveryId, { decided_by: 'other_customer', customer_id: customerId, customer_name: name })
  return reasons
}

/** Facts in the names of the contract. Instants among them have the database's JSON format. */
function factsOf({ facts }: TimelineRow): Record<string, unknown> {
  const money = (amount: unknown) => ({ amount, currency: facts['currency'] })
  const { total_amount: total, current_amount: current, ...others } = facts
  const instants = Object.entries(others).flatMap(([name, value]) =>
    name.endsWith('_at') && typeof value === 'string' ? [[name, new Date(value).toISOString()]] : [],
  )
  return {
    ...others,
    ...Object.fromEntries(instants),
    ...(total === undefined ? {} : { total: money(total) }),
    ...(current === undefined ? {} : { current: money(current) }),
  }
}

function present(
  row: TimelineRow,
  messages: ReadonlyMap<string, MessageRow>,
  reasons: ReadonlyMap<string, WhyNot>,
): TimelineEntry | null {
  const entry = { id: row.id, at: row.at.toISOString(), kind: row.kind }
  if (row.kind === 'change_not_used') return TimelineEntry.parse({ ...entry, conflict: factsOf(row) })
  if (row.kind !== 'message') return TimelineEntry.parse({ ...entry, ...factsOf(row) })
  const message = messages.get(String(row.facts['delivery_id']))
  // Erased between the two statements.
  if (!message) return null
  return { ...entry, kind: 'message', message: presentMessage(message), why_not: reasons.get(message.id) ?? null }
}

const writePlace = ({ at, id }: TimelinePlace): string => Buffer.from(JSON.stringify([at, id])).toString('base64url')

const Place = z.tuple([
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?[+-]\d{2}(:\d{2}){0,2}$/)
    .refine((at) => DateTime.fromSQL(at).isValid),
  z.string().regex(/^[a-z_]{1,40}:[0-9a-f-]{36}$/),
])

function readPlace(cursor: string): TimelinePlace {
  try {
    const [at, id] = Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    return { at, id }
  } catch {
    throw invalid({ cursor: 'invalid' })
  }
}
