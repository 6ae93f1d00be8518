/** The database is away, overloaded, or has kept us waiting for what somebody else holds: nothing is wrong with what was being done, and the same will work later. */
export function isOutage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(08|53|55P03|57P|40|E[A-Z]+$)/.test(code) || (error instanceof Error && /connection/i.test(error.message))
}
