import { normalizeEmail } from '@okaeri/contract/fields'
import type { Member } from '@okaeri/contract/merchants/merchant'
import { conflict } from '../../kernel/errors.ts'
import type { Identity } from '../../kernel/http/http.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import {
  askConfirmation,
  changeOwnMember,
  countConfirmation,
  findSignIn,
  getMember,
  moveSignIn,
  presentMember,
} from '../merchants/index.ts'
import { notifyMember } from './notice.ts'
import { deleteOneTimeTokens } from './queries.ts'
import { endSessionsOf } from './session.ts'
import { type Caller, holdUnchanged, refuseWrongPassword } from './sign-in.ts'

export interface MemberChange {
  name?: string | undefined
  language?: 'ja' | 'en' | undefined
  email?: string | undefined
  current_password?: string | undefined
}

/**
 * Name and language at once. Another address to sign in by asks for the password, of who has one, and is only mailed a link: until it is
 * confirmed the old one stays. Throws `wrong_current_password`, `email_taken`.
 */
export async function changeMember(
  caller: Caller,
  identity: Identity,
  { email, current_password, ...change }: MemberChange,
): Promise<Member> {
  const scope = merchantScope(caller.context, identity.merchantId, identity.memberId)
  const member = await getMember(scope, identity.memberId)
  const emailKey = email === undefined ? null : normalizeEmail(email)
  if (email === undefined || emailKey === normalizeEmail(member.email))
    return changeOwnMember(scope, member.id, { ...change, ...(email === undefined ? {} : { spelling: email }) })
  // Without one the store vouches for the session, and a link to set one goes to the very address that may be wrong.
  if (member.password_hash !== null) await refuseWrongPassword(caller, member, current_password ?? '')
  const taken = await findSignIn(caller.context, email)
  if (taken && taken.member_id !== member.id) throw conflict('email_taken', 'this address signs in already')
  await countConfirmation(caller.context, caller.reply, { merchantId: scope.merchantId, email })
  await scope.transaction(async (scope) => {
    await holdUnchanged(scope, member)
    await changeOwnMember(scope, member.id, change)
    await askConfirmation(scope, { purpose: 'sign_in', email, memberId: member.id })
    await notifyMember(scope, member, 'address_asked')
  })
  return presentMember(await getMember(scope, member.id))
}

/**
 * The new address is confirmed: from now on the member signs in by it, and mails to the old one open nothing. Only the session that
 * confirms it lives on. Throws `email_taken`.
 */
export async function changeSignIn(
  scope: MerchantScope,
  row: { email: string; member_id: string },
  keptSessionId: string | null,
): Promise<void> {
  const member = await getMember(scope, row.member_id)
  await moveSignIn(scope, member.id, row.email)
  await endSessionsOf(scope, member.id, 'address_changed', keptSessionId)
  for (const purpose of ['password_reset', 'store_sign_in'] as const)
    await deleteOneTimeTokens(scope, member.id, purpose)
  await notifyMember(scope, member, 'address_changed')
}
