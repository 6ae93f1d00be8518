import type { Context } from '../../../kernel/context.ts'

/** What the client for LINE keeps open to one host. */
const MOST_CONNECTIONS = 100

/** How many hand-overs go at once, for each merchant whose channel was slowed down. Kept in memory only: it is found again. */
const paces = new WeakMap<Context, Map<string, number>>()

const pacesOf = (context: Context): Map<string, number> => {
  const known = paces.get(context) ?? new Map<string, number>()
  paces.set(context, known)
  return known
}

export const connectionsOf = (context: Context, merchantId: string): number =>
  pacesOf(context).get(merchantId) ?? MOST_CONNECTIONS

/** The platform said that we are too fast with so many at once: half of them. Said by many answers at the same time it is one step. */
export const slowDown = (context: Context, merchantId: string, connections: number): void =>
  void pacesOf(context).set(merchantId, Math.max(1, Math.floor(connections / 2)))

/** A while went well: a few more, until nothing holds back. */
export function speedUp(context: Context, merchantId: string): void {
  const pace = pacesOf(context).get(merchantId)
  if (pace === undefined) return
  if (pace >= MOST_CONNECTIONS) pacesOf(context).delete(merchantId)
  else pacesOf(context).set(merchantId, Math.min(MOST_CONNECTIONS, Math.ceil(pace * 1.25)))
}
