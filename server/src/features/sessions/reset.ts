import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { systemMessage } from '../../integrations/mail/system-message.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Identity } from '../../kernel/http/http.ts'
import { job } from '../../kernel/work/jobs.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import {
  confirmOwnAddress,
  deleteSignInConfirmations,
  findMember,
  findSignIn,
  getMember,
  getMerchant,
  holdMember,
  mayAskConfirmation,
  setPasswordHash,
} from '../merchants/index.ts'
import { readSecretToken } from './secret-token.ts'
import { notifyMember } from './notice.ts'
import { makeOneTimeToken } from './one-time-token.ts'
import { refuseGuessablePassword } from './password-choice.ts'
import { hashPassword } from './password.ts'
import { deleteOneTimeTokens, findGoodOneTimeToken, useOneTimeToken } from './queries.ts'
import { endSessionsOf } from './session.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** Who owns the mailbox took over an account whose address was never confirmed. The one who used it until now may be another. */
    'account.claimed': { memberId: string }
  }
}

/** Mails the link. The token is made here, so that it lies nowhere in between; a second run mails a second good link. */
export const mailResetLink = job<{ memberId: string }>(
  'sessions.mail_reset_link',
  ({ memberId }) => memberId,
  async (scope, { memberId }) => {
    const member = await findMember(scope, memberId)
    if (!member) return
    const token = await makeOneTimeToken(scope, { memberId, purpose: 'password_reset' })
    const link = `${scope.context.settings.publicUrl}/_app/reset?token=${token}`
    await scope.context.integrations.systemMail.send({ to: member.email, ...resetMail(member.language, link) })
  },
)

/**
 * Sends a link to the member who signs in by this address, if there is one. An address that was never confirmed may be a stranger's, who
 * gets no more of these than of the links that confirm.
 */
export async function requestReset(context: Context, email: string): Promise<void> {
  const found = await findSignIn(context, email)
  if (!found) return
  const scope = merchantScope(context, found.merchant_id)
  const member = await findMember(scope, found.member_id)
  // Removed just now: as for an unknown address.
  if (!member) return
  if (!member.email_confirmed_at && !(await mayAskConfirmation(context, { merchantId: found.merchant_id, email })))
    return
  await scope.transaction((scope) => context.jobs.later(scope, mailResetLink, { memberId: found.member_id }))
}

/**
 * Sets the password by the token of a mailed link, once, and ends all sessions. Returns whose. If the address was never confirmed and the
 * member is not signed in here either, another person may have used the account until now. Throws `reset_token_invalid`.
 */
export async function setForgottenPassword(
  context: Context,
  identity: Identity | null,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const refuse = () => new AppError('invalid', 'reset_token_invalid', 'the link was used already or is too old')
  const given = readSecretToken(token)
  if (!given) throw refuse()
  const wanted = { id: given.rowId, purpose: 'password_reset', hash: given.hash, at: context.clock.realNow() } as const
  const scope = merchantScope(context, given.merchantId)
  // Looked at first: an invented token is not worth hashing a password for.
  const good = await findGoodOneTimeToken(scope, wanted)
  if (!good) throw refuse()
  const member = await getMember(scope, good)
  refuseGuessablePassword(password, [member.email, member.name, (await getMerchant(scope)).site_name])
  const passwordHash = await hashPassword(password)
  return scope.transaction(async (scope) => {
    // Everything that replaces the password locks in the same order: of two links used at once the second finds nothing.
    const { role, email_confirmed_at } = await holdMember(scope, good)
    const memberId = await useOneTimeToken(scope, wanted)
    if (!memberId) throw refuse()
    await replacePassword(scope, memberId, passwordHash)
    await confirmOwnAddress(scope, memberId)
    const isClaimed = role === 'owner' && !email_confirmed_at && identity?.memberId !== memberId
    if (isClaimed) await scope.context.publish(scope, 'account.claimed', { memberId })
    await notifyMember(scope, await getMember(scope, memberId), 'password_changed')
    return memberId
  })
}

/** Sets a new password: ends all sessions, the links mailed before and a change of address that is not confirmed. */
export async function replacePassword(scope: MerchantScope, memberId: string, passwordHash: string): Promise<void> {
  await setPasswordHash(scope, memberId, passwordHash)
  await endSessionsOf(scope, memberId, 'password_changed')
  for (const purpose of ['password_reset', 'store_sign_in'] as const)
    await deleteOneTimeTokens(scope, memberId, purpose)
  await deleteSignInConfirmations(scope, memberId)
}

const mailWords = {
  subject: { ja: '【Okaeri】パスワードの再設定', en: '[Okaeri] Set a new password' },
  lines: [
    { ja: 'パスワード再設定のご依頼を受け付けました。', en: 'We received a request to reset your password.' },
    {
      ja: '次のリンクから新しいパスワードを設定してください。リンクは1時間有効で、一度だけ使えます。',
      en: 'Use this link to set a new password. It works once, within one hour.',
    },
  ],
  button: { ja: '新しいパスワードを設定する', en: 'Set a new password' },
  ignore: {
    ja: 'お心当たりのない場合は、このメールを破棄してください。パスワードは変わりません。',
    en: 'If you did not request this, ignore this email. Your password will not change.',
  },
}

function resetMail(language: Locale, link: string): ReturnType<typeof systemMessage> {
  const { subject, lines, button, ignore } = wordsIn(mailWords, language)
  return systemMessage({ language, subject, paragraphs: [lines], button: { text: button, link }, end: ignore })
}
