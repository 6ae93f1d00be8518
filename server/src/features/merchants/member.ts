import { normalizeEmail } from '@okaeri/contract/fields'
import type { Locale } from '@okaeri/contract/locale'
import type { Member } from '@okaeri/contract/merchants/merchant'
import type { Context } from '../../kernel/context.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { confirmUnasked } from './confirmation.ts'
import {
  claimSignIn,
  findMemberForUpdate,
  findMemberRow,
  findOwnerRow,
  findSignInRow,
  insertMember,
  type MemberRow,
  releaseOtherSignIns,
  type SignIn,
  updateMember,
} from './queries.ts'

export const presentMember = ({ id, merchant_id, email, name, role, language, password_hash }: MemberRow): Member => ({
  id,
  merchant_id,
  email,
  name,
  role,
  language,
  has_password: password_hash !== null,
})

/** A member of the scope's merchant. */
export async function getMember(scope: MerchantScope, memberId: string): Promise<MemberRow> {
  const member = await findMemberRow(scope, memberId)
  if (!member) throw notFound('no such member')
  return member
}

/**
 * The member as they are now, locked until the transaction ends. A caller that checked a password or a mailed link some moments ago begins
 * with this and checks again: what a new password ends, it also ends if that was under way.
 */
export async function holdMember(scope: TransactionScope, memberId: string): Promise<MemberRow> {
  const member = await findMemberForUpdate(scope, memberId)
  if (!member) throw notFound('no such member')
  return member
}

export async function getOwner(scope: MerchantScope): Promise<MemberRow> {
  const owner = await findOwnerRow(scope)
  if (!owner) throw notFound('no owner')
  return owner
}

/** Who an address signs in to. */
export const findSignIn = (context: Context, email: string): Promise<SignIn | null> =>
  findSignInRow(context, normalizeEmail(email))

export async function addMember(
  scope: MerchantScope,
  { signIn, ...member }: Parameters<typeof insertMember>[1] & { signIn: 'required' | 'if_free' },
): Promise<void> {
  const free = await claimSignIn(scope, member.id, member.email_key)
  if (!free && signIn === 'required') throw conflict('email_taken', 'this address signs in already')
  await insertMember(scope, member)
}

/** Changes one's own name or language, or how one's address is spelled. */
export function changeOwnMember(
  scope: MerchantScope,
  memberId: string,
  change: { name?: string | undefined; language?: Locale | undefined; spelling?: string },
): Promise<Member> {
  return scope.transaction(async (scope) => {
    const { spelling, name, language } = change
    await updateMember(scope, memberId, {
      ...(name === undefined ? {} : { name }),
      ...(language === undefined ? {} : { language }),
      ...(spelling === undefined ? {} : { email: spelling }),
    })
    return presentMember(await getMember(scope, memberId))
  })
}

/** The member signs in by this address from now on, which is known to be theirs; the old one is free. Throws `email_taken`. */
export async function moveSignIn(scope: MerchantScope, memberId: string, email: string): Promise<void> {
  const emailKey = normalizeEmail(email)
  if (!(await claimSignIn(scope, memberId, emailKey))) throw conflict('email_taken', 'this address signs in already')
  await releaseOtherSignIns(scope, memberId, emailKey)
  const confirmedAt = scope.context.clock.realNow()
  await updateMember(scope, memberId, { email, email_key: emailKey, email_confirmed_at: confirmedAt })
}

/** Opening a link mailed to the member proves that they have the address. */
export const confirmOwnAddress = async (scope: MerchantScope, memberId: string): Promise<void> => {
  const { email, email_confirmed_at } = await getMember(scope, memberId)
  if (!email_confirmed_at) await confirmUnasked(scope, { purpose: 'account', email, memberId })
}

export const setMemberLanguage = (scope: MerchantScope, memberId: string, language: Locale): Promise<void> =>
  updateMember(scope, memberId, { language })

/** Stores the hash of a new password; sessions decides who may and what ends with it. */
export const setPasswordHash = (scope: MerchantScope, memberId: string, passwordHash: string): Promise<void> =>
  updateMember(scope, memberId, { password_hash: passwordHash })
