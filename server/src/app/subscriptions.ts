import type { Subscriptions } from '../kernel/events.ts'

/** Who reacts to which fact, in order, inside the publisher's transaction. */
export const subscriptions: Subscriptions = {}
