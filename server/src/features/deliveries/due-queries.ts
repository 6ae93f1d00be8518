import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

// What is due here, over all merchants.

export const releasedMessages: DueWork = {
  name: 'released_messages',
  merchants: () => sql`select distinct merchant_id from messages where state = 'released'`,
  next: ({ clock }) => sql`select min(until) as at from channel_pauses where until > ${clock.now()}`,
}

export const uncountedMessages: DueWork = {
  name: 'uncounted_messages',
  merchants: () => sql`select distinct merchant_id from messages where uncounted_from is not null`,
}

/** Whether one has run out its beats tell, which are watched. */
export const heldLeases: DueWork = {
  name: 'delivery_leases',
  merchants: () => sql`select distinct merchant_id from delivery_leases`,
}

export const troubledSteps: DueWork = {
  name: 'troubled_steps',
  merchants: ({ clock }) => sql`select distinct merchant_id from step_brakes where look_at <= ${clock.now()}`,
  next: () => sql`select min(look_at) as at from step_brakes`,
}

/** Not work that recurs: who has something to tell an operator. */
export const keptJournals: DueWork = {
  name: 'departure_journals',
  merchants: () => sql`select distinct merchant_id from departure_journals`,
}
