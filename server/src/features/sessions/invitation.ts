import { timingSafeEqual } from 'node:crypto'
import { normalizeEmail } from '@okaeri/contract/fields'
import type { SignUpDoor } from '@okaeri/contract/sessions/routes'
import type { Context } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { hasAccounts } from '../merchants/index.ts'

const LIFE_SECONDS = 7 * 86_400
const MAC_BYTES = 16

/**
 * A link for one address to sign up with, good for a week. Nothing is stored: it can be used once because an address signs up once, and
 * only the installation's key makes one.
 */
export function makeInvitation(context: Context, email: string): string {
  const until = Math.floor(context.clock.realNow().getTime() / 1000) + LIFE_SECONDS
  const query = new URLSearchParams({ email, invitation: `${until}.${macOf(context, email, until)}` })
  return `${context.settings.publicUrl}/_app/signup?${query.toString()}`
}

const macOf = ({ keyring }: Context, email: string, until: number): string =>
  keyring.linkMac(Buffer.from(`invitation ${until} ${normalizeEmail(email)}`), MAC_BYTES)

function isInvited(context: Context, email: string, invitation: string): boolean {
  const [, until = '', mac = ''] = /^(\d{1,12})\.([0-9a-f]{32})$/.exec(invitation) ?? []
  if (until === '') return false
  const isOurs = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(context, email, Number(until))))
  return isOurs && Number(until) * 1000 > context.clock.realNow().getTime()
}

/** What the sign-up page says before anything is typed. The first member of an installation needs no invitation. */
export async function checkInvitation(context: Context): Promise<SignUpDoor> {
  const { signUp } = context.settings
  return signUp === 'invite' && !(await hasAccounts(context)) ? 'open' : signUp
}

/**
 * Throws `sign_up_closed` or `sign_up_by_invitation`. Returns whether the address was invited: then the operator vouches for it, and
 * whether it may come in only as the very first, which is to be looked at again while it is stored.
 */
export async function acceptInvitation(
  context: Context,
  { email, invitation }: { email: string; invitation: string | undefined },
): Promise<{ invited: boolean; onlyAsFirst: boolean }> {
  const { signUp } = context.settings
  if (signUp === 'closed') throw forbidden('sign_up_closed')
  if (invitation !== undefined && isInvited(context, email, invitation)) return { invited: true, onlyAsFirst: false }
  if (signUp === 'open') return { invited: false, onlyAsFirst: false }
  if (await hasAccounts(context)) throw forbidden('sign_up_by_invitation')
  return { invited: false, onlyAsFirst: true }
}
