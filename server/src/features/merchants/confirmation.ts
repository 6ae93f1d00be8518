import { timingSafeEqual } from 'node:crypto'
import { mailboxOf, normalizeEmail } from '@okaeri/contract/fields'
import type {
  AddressConfirmation,
  ConfirmationLink,
  ConfirmationPurpose,
} from '@okaeri/contract/merchants/confirmation'
import type { FastifyReply } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { AppError, conflict, notFound } from '../../kernel/errors.ts'
import { job } from '../../kernel/work/jobs.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { countAttempt, type RateLimit } from '../../kernel/rate-limits.ts'
import { confirmationMail } from './confirmation-mail.ts'
import {
  type ConfirmationRow,
  findConfirmation,
  listConfirmations,
  listUnconfirmed,
  listWaitingFor,
  markConfirmed,
  markMailed,
  markMemberConfirmed,
  putConfirmation,
} from './confirmation-queries.ts'
import { findMemberForUpdate, findMemberRow, findMerchantRow, type MemberRow, type MerchantRow } from './queries.ts'

/** People read their mail on Monday. */
const LIFE_MS = 4 * 86_400_000
/** A change of the address one signs in by is confirmed at once or not at all. */
const SIGN_IN_LIFE_MS = 3_600_000
const MAC_BYTES = 16
/** A mail server that answers takes a link within seconds. */
const STUCK_MS = 60_000

const DAY = 86_400
/** Each is a mail to a person who may never have heard of the merchant. */
const byMerchantAndAddress: RateLimit = { name: 'confirm_merchant_address', max: 5, windowSeconds: DAY }
const byMerchant: RateLimit = { name: 'confirm_merchant', max: 20, windowSeconds: DAY }
/** However many merchants ask it. */
const byMailbox: RateLimit = { name: 'confirm_mailbox', max: 10, windowSeconds: DAY }

/** Mails the link. It is made from the row, so it is not stored, and a second run mails the same link. */
export const mailConfirmationLink = job<{ confirmationId: string }>(
  'merchants.mail_confirmation_link',
  ({ confirmationId }) => confirmationId,
  async (scope, { confirmationId }) => {
    const row = await findConfirmation(scope, confirmationId)
    if (!row || row.confirmed_at) return
    const merchant = await findMerchantRow(scope)
    const member = row.member_id ? await findMemberRow(scope, row.member_id) : null
    if (!merchant || !member) return
    const link = `${scope.context.settings.publicUrl}/_app/confirm?token=${tokenOf(scope, row.id)}`
    await scope.context.integrations.systemMail.send({
      to: row.email,
      ...confirmationMail(row.purpose, { language: member.language, link, siteName: merchant.site_name, member }),
    })
    await markMailed(scope, row.id, scope.context.clock.realNow())
  },
)

const tokenOf = ({ merchantId, context }: MerchantScope, id: string): string =>
  `${merchantId}.${id}.${context.keyring.linkMac(Buffer.from(`confirm ${merchantId} ${id}`), MAC_BYTES)}`

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const SHAPE = new RegExp(`^(${ID})\\.(${ID})\\.[0-9a-f]{${MAC_BYTES * 2}}$`)

/** What a mailed link is about. Throws `confirmation_link_invalid` for one that is not ours or too old. */
async function readLink(context: Context, token: string): Promise<{ scope: MerchantScope; row: ConfirmationRow }> {
  const [, merchantId, id] = SHAPE.exec(token) ?? []
  if (!merchantId || !id) throw refuseLink()
  const scope = merchantScope(context, merchantId)
  if (!timingSafeEqual(Buffer.from(tokenOf(scope, id)), Buffer.from(token))) throw refuseLink()
  const row = await findConfirmation(scope, id)
  if (!row || (!row.confirmed_at && row.expires_at <= context.clock.realNow())) throw refuseLink()
  return { scope, row }
}
const refuseLink = () =>
  new AppError('invalid', 'confirmation_link_invalid', 'the link is too old, or another took its place')

/** For the page behind the link. Changes nothing: mail scanners follow links. */
export async function checkLink(context: Context, token: string): Promise<ConfirmationLink> {
  const { scope, row } = await readLink(context, token)
  const merchant = await findMerchantRow(scope)
  const member = row.member_id ? await findMemberRow(scope, row.member_id) : null
  return {
    purpose: row.purpose,
    email: row.email,
    site_name: merchant?.site_name ?? '',
    asked_by: member?.email ?? null,
    confirmed: row.confirmed_at !== null,
  }
}

/**
 * The owner of the address agrees. A second time changes nothing. `changeSignIn` does what only sessions can: a member signs in by the
 * address from now on.
 */
export async function confirmByLink(
  context: Context,
  token: string,
  changeSignIn: (scope: MerchantScope, row: ConfirmationRow & { member_id: string }) => Promise<void>,
): Promise<ConfirmationLink> {
  const { scope, row } = await readLink(context, token)
  const at = context.clock.realNow()
  if (!row.confirmed_at)
    await scope.transaction(async (scope) => {
      if (row.purpose === 'sign_in' && row.member_id) {
        await findMemberForUpdate(scope, row.member_id)
        const now = await findConfirmation(scope, row.id)
        // A new password, or another address asked for meanwhile, ended this one.
        if (!now) throw refuseLink()
        if (now.confirmed_at) return
        await changeSignIn(scope, { ...row, member_id: row.member_id })
      }
      if (row.purpose === 'account' && row.member_id)
        await markMemberConfirmed(scope, { memberId: row.member_id, emailKey: row.email_key, at })
      await markConfirmed(scope, row.id, at)
    })
  if (!row.confirmed_at && row.purpose === 'account' && row.member_id) await askForWaiting(scope, row.member_id)
  return checkLink(context, token)
}

/** Writes down that it was asked for, and mails the link once the transaction is committed. */
export async function askConfirmation(
  scope: MerchantScope,
  asked: { purpose: ConfirmationPurpose; email: string; memberId: string },
): Promise<void> {
  const at = scope.context.clock.realNow()
  const confirmationId = await putConfirmation(scope, {
    purpose: asked.purpose,
    email: asked.email,
    email_key: normalizeEmail(asked.email),
    member_id: asked.memberId,
    asked_at: at,
    expires_at: new Date(at.getTime() + (asked.purpose === 'sign_in' ? SIGN_IN_LIFE_MS : LIFE_MS)),
  })
  await scope.context.jobs.later(scope, mailConfirmationLink, { confirmationId })
}

/**
 * To be called before {@link askConfirmation}, outside a transaction. `reply` null: the caller continues without the mail, so the answer
 * names no time to wait.
 */
export const countConfirmation = (
  context: Context,
  reply: FastifyReply | null,
  { merchantId, email }: { merchantId: string; email: string },
): Promise<unknown> => {
  return countAttempt(context, reply, [
    [byMerchantAndAddress, `${merchantId} ${normalizeEmail(email)}`],
    [byMerchant, merchantId],
    [byMailbox, mailboxOf(email)],
  ])
}

/** Whether a link may be mailed now, for a caller that continues without. */
export async function mayAskConfirmation(
  context: Context,
  asked: { merchantId: string; email: string },
): Promise<boolean> {
  try {
    await countConfirmation(context, null, asked)
    return true
  } catch (error) {
    if (error instanceof AppError && error.reason === 'rate_limited') return false
    throw error
  }
}

/** A member asks for the link, or for it again. Others are asked only by an account whose own address is known to be right. */
export async function requestConfirmation(
  scope: MerchantScope,
  reply: FastifyReply,
  { purpose, email, member }: { purpose: 'account' | 'test' | 'sender'; email: string | null; member: MemberRow },
): Promise<void> {
  const address = purpose === 'account' ? member.email : email
  if (address === null) throw notFound()
  if (purpose !== 'account') {
    await refuseUnlessAccountConfirmed(scope)
    if ((await listUnconfirmed(scope, purpose, [normalizeEmail(address)])).length === 0) return
  } else if (member.email_confirmed_at) return
  await countConfirmation(scope.context, reply, { merchantId: scope.merchantId, email: address })
  await scope.transaction((scope) => askConfirmation(scope, { purpose, email: address, memberId: member.id }))
}

/** Throws `account_unconfirmed`. */
export async function refuseUnlessAccountConfirmed(scope: MerchantScope): Promise<void> {
  const merchant = await findMerchantRow(scope)
  if (!merchant?.account_confirmed) throw conflict('account_unconfirmed', 'confirm the address of the account first')
}

/** A new address in the settings is asked to confirm automatically, as far as the limits allow; the page offers the rest. */
export async function askForNewAddresses(
  scope: MerchantScope,
  memberId: string,
  typed: { sender?: string | undefined; tests?: readonly string[] | undefined },
): Promise<void> {
  const merchant = await findMerchantRow(scope)
  if (!merchant?.account_confirmed) return
  const known = new Set((await listConfirmations(scope)).map(({ purpose, email_key }) => `${purpose} ${email_key}`))
  const wanted = [
    ...(typed.sender ? [{ purpose: 'sender' as const, email: typed.sender }] : []),
    ...(typed.tests ?? []).map((email) => ({ purpose: 'test' as const, email })),
  ]
  for (const { purpose, email } of wanted) {
    const key = normalizeEmail(email)
    if (known.has(`${purpose} ${key}`) || (await listUnconfirmed(scope, purpose, [key])).length === 0) continue
    if (!(await mayAskConfirmation(scope.context, { merchantId: scope.merchantId, email }))) return
    await scope.transaction((scope) => askConfirmation(scope, { purpose, email, memberId }))
  }
}

/** What was typed into the settings while the account's own address was not known to be right waited for that. */
async function askForWaiting(scope: MerchantScope, memberId: string): Promise<void> {
  const merchant = await findMerchantRow(scope)
  if (!merchant) return
  const senders = [merchant.sender_email, ...merchant.senders.map(({ email }) => email)]
  for (const sender of senders) await askForNewAddresses(scope, memberId, { sender })
  await askForNewAddresses(scope, memberId, { tests: merchant.test_emails })
}

const mailOf = ({ mailed_at, asked_at }: ConfirmationRow, at: Date): 'sent' | 'under_way' | 'stuck' =>
  mailed_at ? 'sent' : at.getTime() - asked_at.getTime() < STUCK_MS ? 'under_way' : 'stuck'

/** Every address of the settings and every other that was asked for, with how it stands; what others want to sign in by is theirs to see. */
export async function presentConfirmations(
  scope: MerchantScope,
  merchant: MerchantRow,
  member: MemberRow,
): Promise<AddressConfirmation[]> {
  const all = await listConfirmations(scope)
  const rows = all.filter(({ purpose, member_id }) =>
    purpose === 'sign_in' ? member_id === member.id : purpose !== 'account',
  )
  const own = all.find(({ purpose, email_key }) => purpose === 'account' && email_key === normalizeEmail(member.email))
  const used = [
    ...(merchant.sender_email ? [{ purpose: 'sender' as const, email: merchant.sender_email }] : []),
    ...merchant.senders.map(({ email }) => ({ purpose: 'sender' as const, email })),
    ...merchant.test_emails.map((email) => ({ purpose: 'test' as const, email })),
    ...(member.email_confirmed_at
      ? (['sender', 'test'] as const).map((purpose) => ({ purpose, email: member.email }))
      : []),
  ]
  const unconfirmed = {
    test: await listUnconfirmed(scope, 'test', keysOf(used, 'test')),
    sender: await listUnconfirmed(scope, 'sender', keysOf(used, 'sender')),
  }
  const known = new Set(rows.map(({ purpose, email_key }) => `${purpose} ${email_key}`))
  const at = scope.context.clock.realNow()
  const account = { purpose: 'account', email: member.email, asked_at: null } as const
  return [
    member.email_confirmed_at
      ? { ...account, status: 'confirmed', mail: null }
      : { ...account, status: 'asked', mail: own ? mailOf(own, at) : 'sent' },
    ...rows
      .filter(({ confirmed_at, expires_at, purpose }) => (confirmed_at ? purpose !== 'sign_in' : expires_at > at))
      .map((row) => ({
        purpose: row.purpose,
        email: row.email,
        asked_at: row.asked_at.toISOString(),
        ...(row.confirmed_at
          ? { status: 'confirmed' as const, mail: null }
          : { status: 'asked' as const, mail: mailOf(row, at) }),
      })),
    ...used
      .filter(({ purpose, email }) => !known.has(`${purpose} ${normalizeEmail(email)}`))
      .map(({ purpose, email }) => ({
        purpose,
        email,
        status: unconfirmed[purpose].includes(normalizeEmail(email)) ? ('unasked' as const) : ('confirmed' as const),
        asked_at: null,
        mail: null,
      })),
  ]
}

const keysOf = (used: readonly { purpose: string; email: string }[], purpose: string): string[] =>
  used.filter((one) => one.purpose === purpose).map(({ email }) => normalizeEmail(email))

/** Those of these addresses whose owner has not agreed, as keys (lower case). */
export const unconfirmedOf = (
  scope: MerchantScope,
  purpose: 'test' | 'sender',
  emails: readonly string[],
): Promise<string[]> => listUnconfirmed(scope, purpose, emails.map(normalizeEmail))

/** Confirmed by others: the maker of the demo merchant, or the operator. */
export async function confirmUnasked(
  scope: MerchantScope,
  { purpose, email, memberId }: { purpose: ConfirmationPurpose; email: string; memberId: string | null },
): Promise<void> {
  const at = scope.context.clock.realNow()
  const emailKey = normalizeEmail(email)
  if (purpose === 'account' && memberId) await markMemberConfirmed(scope, { memberId, emailKey, at })
  else
    await putConfirmation(scope, {
      purpose,
      email,
      email_key: emailKey,
      member_id: memberId,
      asked_at: at,
      expires_at: at,
      confirmed_at: at,
    })
}

/** For the operator: confirms an address wherever it waits, without mail. Returns what it was confirmed as. */
export async function confirmEverywhere(
  context: Context,
  email: string,
): Promise<{ site_name: string; purpose: ConfirmationPurpose }[]> {
  const waiting = await listWaitingFor(context, normalizeEmail(email))
  for (const { merchant_id, purpose, email, member_id } of waiting)
    await merchantScope(context, merchant_id).transaction((scope) =>
      confirmUnasked(scope, { purpose, email, memberId: member_id }),
    )
  return waiting
}
