import type { EmailAddressSeen } from '@okaeri/contract/emails/addresses'

type State = EmailAddressSeen['state']
export const isDead = ({ state }: { state: State }): boolean => state === 'gone' || state === 'no_host'

export function sumUp(addresses: readonly EmailAddressSeen[]): { total: number; dead: number; unknown: number } {
  return {
    total: addresses.length,
    dead: addresses.filter(isDead).length,
    unknown: addresses.filter(({ state }) => state === 'unknown' || state === 'not_checked').length,
  }
}

const order: readonly State[] = ['gone', 'no_host', 'unknown', 'waits', 'not_checked', 'answers', 'never_checked']
/** The worst first, else as they stand in the mail. */
export const worstFirst = (addresses: readonly EmailAddressSeen[]): EmailAddressSeen[] =>
  addresses.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
