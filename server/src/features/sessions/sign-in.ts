import type { Tokens } from '@okaeri/contract/sessions/routes'
import { normalizeEmail } from '@okaeri/contract/fields'
import type { Locale } from '@okaeri/contract/locale'
import type { Member } from '@okaeri/contract/merchants/merchant'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { AppError, forbidden } from '../../kernel/errors.ts'
import type { Identity } from '../../kernel/http/http.ts'
import { newId, NIL_ID } from '../../kernel/ids.ts'
import { type MerchantScope, merchantScope, scopeIn, type TransactionScope } from '../../kernel/merchant-scope.ts'
import { type CountedAttempt, countAttempt, originOf } from '../../kernel/rate-limits.ts'
import {
  askConfirmation,
  confirmUnasked,
  createMerchant,
  findMember,
  findSignIn,
  getMember,
  getMerchant,
  holdMember,
  isFirstMerchant,
  type MemberRow,
  mayAskConfirmation,
  presentMember,
} from '../merchants/index.ts'
import { acceptInvitation } from './invitation.ts'
import { findKnownDevice, rememberDevice } from './known-device.ts'
import {
  passwordByMember,
  signInByAddress,
  signInByAddressAndOrigin,
  signInByDevice,
  signInByOrigin,
  signUpByOrigin,
} from './limits.ts'
import { refuseGuessablePassword } from './password-choice.ts'
import { hashPassword, passwordMatches } from './password.ts'
import { notifyMember } from './notice.ts'
import { replacePassword } from './reset.ts'
import { findRemember, startSession, wrongCredentials } from './session.ts'

export interface Caller {
  context: Context
  request: FastifyRequest
  reply: FastifyReply
}
const userAgentOf = ({ request }: Caller): string | undefined => request.headers['user-agent']

/** Signs in by address and password. Throws `wrong_credentials` for an unknown address as for a wrong password. */
export async function signInByPassword(
  caller: Caller,
  { email, password, remember }: { email: string; password: string; remember: boolean },
): Promise<Tokens> {
  const { context } = caller
  const found = await findSignIn(context, email)
  const counted = await countSignIn(caller, email, found?.member_id ?? NIL_ID)
  const scope = merchantScope(context, found?.merchant_id ?? NIL_ID)
  const member = await findMember(scope, found?.member_id ?? NIL_ID)
  if (!(await passwordMatches(member?.password_hash ?? null, password)) || !member) throw wrongCredentials()
  const { id: memberId, password_hash: passwordHash } = member
  const tokens = await startSession(scope, { memberId, remember, userAgent: userAgentOf(caller), passwordHash })
  await counted.forgive(signInByAddressAndOrigin, signInByDevice)
  rememberDevice(caller, memberId)
  return tokens
}

/** Before the password is checked, and in the same way for an unknown address. */
function countSignIn({ context, request, reply }: Caller, email: string, memberId: string): Promise<CountedAttempt> {
  const device = findKnownDevice(context, request, memberId)
  if (device) return countAttempt(context, reply, [[signInByDevice, `${device} ${memberId}`]])
  const address = normalizeEmail(email)
  const origin = originOf(request)
  return countAttempt(context, reply, [
    [signInByAddressAndOrigin, `${address} ${origin}`],
    [signInByOrigin, origin],
    [signInByAddress, address],
  ])
}

/** Signs in whom the store platform, or another proof, vouched for. */
export function signInMember(caller: Caller, scope: MerchantScope, memberId: string): Promise<Tokens> {
  rememberDevice(caller, memberId)
  return startSession(scope, { memberId, remember: false, userAgent: userAgentOf(caller), passwordHash: null })
}

/** A merchant with its owner, signed in: all stored together. Throws `email_taken`, `password_guessable`, and what the door says. */
export async function signUp(
  caller: Caller,
  init: {
    email: string
    password: string
    siteName: string
    name: string
    language: Locale
    invitation: string | undefined
  },
): Promise<{ user: Member } & Tokens> {
  const { context, request, reply } = caller
  await countAttempt(context, reply, [[signUpByOrigin, originOf(request)]])
  const { invited, onlyAsFirst } = await acceptInvitation(context, init)
  refuseGuessablePassword(init.password, [init.email, init.name, init.siteName])
  const passwordHash = await hashPassword(init.password)
  const merchantId = newId()
  // Without the mail the account is made all the same; its pages offer the link again.
  const asks = !invited && (await mayAskConfirmation(context, { merchantId, email: init.email }))
  const signedUp = await context.db.transaction().execute(async (transaction) => {
    const scope = scopeIn(context, transaction, merchantId)
    if (onlyAsFirst && !(await isFirstMerchant(scope))) throw forbidden('sign_up_by_invitation')
    const memberId = await createMerchant(scope, {
      siteName: init.siteName,
      language: init.language,
      owner: { email: init.email, name: init.name, passwordHash },
      signIn: 'required',
    })
    if (invited) await confirmUnasked(scope, { purpose: 'account', email: init.email, memberId })
    if (asks) await askConfirmation(scope, { purpose: 'account', email: init.email, memberId })
    const userAgent = userAgentOf(caller)
    const tokens = await startSession(scope, { memberId, remember: false, userAgent, passwordHash })
    return { user: presentMember(await getMember(scope, memberId)), ...tokens }
  })
  rememberDevice(caller, signedUp.user.id)
  return signedUp
}

/** Changes one's own password; every session ends and this browser gets a new one. Throws `wrong_current_password`. */
export async function changePassword(
  caller: Caller,
  identity: Identity,
  { current, next }: { current: string; next: string },
): Promise<Tokens> {
  const scope = merchantScope(caller.context, identity.merchantId, identity.memberId)
  const member = await getMember(scope, identity.memberId)
  await refuseWrongPassword(caller, member, current)
  refuseGuessablePassword(next, [member.email, member.name, (await getMerchant(scope)).site_name])
  const passwordHash = await hashPassword(next)
  return scope.transaction(async (scope) => {
    await holdUnchanged(scope, member)
    const remember = await findRemember(scope, identity.sessionId)
    await replacePassword(scope, member.id, passwordHash)
    await notifyMember(scope, member, 'password_changed')
    return startSession(scope, { memberId: member.id, remember, userAgent: userAgentOf(caller), passwordHash })
  })
}

/** A signed-in member proves that they are not a stranger at an unlocked screen. Throws `wrong_current_password`. */
export async function refuseWrongPassword(
  { context, reply }: Caller,
  member: MemberRow,
  current: string,
): Promise<void> {
  const counted = await countAttempt(context, reply, [[passwordByMember, member.id]])
  if (!(await passwordMatches(member.password_hash, current))) throw wrongCurrentPassword()
  await counted.forgive(passwordByMember)
}
const wrongCurrentPassword = () =>
  new AppError('invalid', 'wrong_current_password', 'the current password is wrong', {
    current_password: 'wrong_password',
  })

/** The password that {@link refuseWrongPassword} let pass still is the member's, and stays it until the transaction ends. */
export async function holdUnchanged(scope: TransactionScope, member: MemberRow): Promise<void> {
  const { password_hash } = await holdMember(scope, member.id)
  if (password_hash !== member.password_hash) throw wrongCurrentPassword()
}

/** Whether the address signs in with this password; ends and starts nothing. */
export async function signsInWith(context: Context, email: string, password: string): Promise<boolean> {
  const found = await findSignIn(context, email)
  const scope = merchantScope(context, found?.merchant_id ?? NIL_ID)
  const member = await findMember(scope, found?.member_id ?? NIL_ID)
  return passwordMatches(member?.password_hash ?? null, password)
}

/** For the operator: sets a member's password without mail. Null when no member signs in by this address. */
export async function setPasswordOf(context: Context, email: string, password: string): Promise<Member | null> {
  const found = await findSignIn(context, email)
  if (!found) return null
  const passwordHash = await hashPassword(password)
  return merchantScope(context, found.merchant_id).transaction(async (scope) => {
    await replacePassword(scope, found.member_id, passwordHash)
    return presentMember(await getMember(scope, found.member_id))
  })
}
