import type { Channel, Composer, Outgoing, Route } from '../channel.ts'
import type { Lease } from './lease.ts'

/** A worker's time with one message: what its claims and its connections know in common. */
export interface TimeSlice {
  outgoing: Outgoing
  channel: Channel
  route: Route
  composer: Composer
  lease: Lease
}

/**
 * In test mode nothing reaches anyone but the test addresses (domain.md §5), a test send neither. A row marked as test when it was reserved
 * stays one after test mode was left.
 */
export const isRedirected = (
  row: { kind: string; test_mode: boolean; address: string },
  { merchant, message }: Pick<Outgoing, 'merchant' | 'message'>,
  testAddresses: readonly string[],
): boolean => {
  if (message.for_tests) return true
  return row.kind === 'test' ? merchant.test_mode && !testAddresses.includes(row.address) : row.test_mode
}
