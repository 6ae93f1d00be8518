import type { ScenarioEvent } from '@okaeri/contract/scenarios/event'
import type { Page } from '@okaeri/contract/paging'
import { notFound } from '../../kernel/errors.ts'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type EventFilter, type EventRow, insertEvents, selectEvent, selectEvents, type NewEvent } from './queries.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** The decisions of scenarios about these events. */
    entriesOfEvents(
      scope: MerchantScope,
      eventIds: readonly string[],
    ): Promise<ReadonlyMap<string, ScenarioEvent['entries']>>
  }
}

/** As many as one statement takes. */
const AT_ONCE = 5000

/** Writes what happened, each event once however often it is reported. Returns how many were new. */
export async function recordEvents(scope: MerchantScope, events: readonly NewEvent[]): Promise<number> {
  // One statement cannot insert a key twice.
  const once = [...new Map(events.map((event) => [event.key, event])).values()]
  let written = 0
  for (let at = 0; at < once.length; at += AT_ONCE) {
    const some = once.slice(at, at + AT_ONCE)
    const ids = newIds(some.length)
    written += await insertEvents(
      scope,
      some.map((event, index) => ({ ...event, id: ids[index] ?? '' })),
    )
  }
  return written
}

export async function listEvents(
  scope: MerchantScope,
  { limit, offset, ...filter }: EventFilter & { limit: number; offset: number },
): Promise<Page<ScenarioEvent>> {
  const { rows, total } = await selectEvents(scope, filter, { limit, offset })
  return { data: await present(scope, rows), limit, offset, total }
}

export async function getEvent(scope: MerchantScope, id: string): Promise<ScenarioEvent> {
  const row = await selectEvent(scope, id)
  const [event] = row ? await present(scope, [row]) : []
  if (!event) throw notFound('there is no such event')
  return event
}

async function present(scope: MerchantScope, rows: readonly EventRow[]): Promise<ScenarioEvent[]> {
  const entries = await scope.context.ports.entriesOfEvents(
    scope,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    customer_id: row.customer_id,
    customer_name: row.customer_name,
    guest_id: row.guest_id,
    subject: row.subject,
    occurred_at: row.occurred_at.toISOString(),
    entries: [...(entries.get(row.id) ?? [])],
  }))
}
