import type { Notice } from '../../integrations/bounces/notices.ts'
import { readBounce } from '../../integrations/bounces/read-bounce.ts'
import type { ReadBounce } from '../../integrations/bounces/report.ts'
import type { Context } from '../../kernel/context.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { BOUNCE_TOKEN_LENGTH, type LinkToken, readBounceToken, readLinkToken } from '../deliveries/index.ts'
import { recordReport } from './bounce.ts'
import { findOnlyDelivery } from './due-queries.ts'
import type { NewBounce } from './queries.ts'

/** What a mail or a notice names its delivery by, the surest first. */
interface Clues {
  /** Addresses it was sent to, or that the mail was sent from. */
  returnPaths: readonly string[]
  messageId: string | null
  unsubscribeLinks: readonly string[]
}
interface Match extends LinkToken {
  matchedBy: NewBounce['matchedBy']
}

const RETURN_PATH = /^b\+([a-z2-7]+)$/i

/** Which delivery a local part of our bounce domain belongs to; null where we did not make it. */
export function readReturnPath(context: Context, localPart: string): LinkToken | null {
  const token = RETURN_PATH.exec(localPart)?.[1]
  return token === undefined ? null : readBounceToken(context.keyring, token)
}

/** All of them are signed by us: a report about another merchant's mail cannot be made without having got it. */
function match(context: Context, { returnPaths, messageId, unsubscribeLinks }: Clues): Match | null {
  for (const address of returnPaths) {
    const found = readReturnPath(context, address.split('@')[0] ?? '')
    if (found) return { ...found, matchedBy: 'return_path' }
  }
  const named = readBounceToken(context.keyring, (messageId ?? '').slice(0, BOUNCE_TOKEN_LENGTH))
  if (named && messageId?.[BOUNCE_TOKEN_LENGTH] === '@') return { ...named, matchedBy: 'message_id' }
  for (const link of unsubscribeLinks) {
    const found = readLinkToken(context.keyring, link.split('/u/')[1] ?? '')
    if (found) return { ...found, matchedBy: 'link' }
  }
  return null
}

/** Mails that were never signed, or were cut off. They may be forged, so nothing is done to the address. */
async function matchByRecipient(context: Context, { reports }: Pick<ReadBounce, 'reports'>): Promise<Match | null> {
  const [{ recipient, originalRecipient, verdict }] = reports
  const addressKey = originalRecipient ?? recipient
  if (reports.length > 1 || addressKey === null || verdict === 'auto_reply' || verdict === 'not_a_bounce') return null
  const found = await findOnlyDelivery(context, addressKey)
  return found && { ...found, matchedBy: 'recipient' }
}

/** A mail that came back. Throws where it could not be stored; returns whether it said something new of one of our mails. */
export async function receiveMail(
  context: Context,
  mail: Uint8Array,
  { way, returnPaths }: { way: 'smtp' | 'imap'; returnPaths: readonly string[] },
): Promise<boolean> {
  const read = readBounce(mail)
  const clues = { ...read, returnPaths: way === 'imap' ? read.sentTo : returnPaths }
  const found = match(context, clues) ?? (way === 'imap' ? await matchByRecipient(context, read) : null)
  if (!found) return false
  const { reports, evidence, writtenAt } = read
  return recordReport(merchantScope(context, found.merchantId), { ...found, reports, evidence, writtenAt, way })
}

/** What a sending service reported. With a merchant: by their own account, so only about their mail. */
export async function receiveNotice(
  context: Context,
  notice: Notice,
  { way, merchantId }: { way: 'ses' | 'sendgrid'; merchantId: string | null },
): Promise<boolean> {
  const found = match(context, { ...notice, returnPaths: notice.sender === null ? [] : [notice.sender] })
  if (!found || (merchantId !== null && found.merchantId !== merchantId)) return false
  const { reports, evidence, at: writtenAt } = notice
  return recordReport(merchantScope(context, found.merchantId), { ...found, reports, evidence, writtenAt, way })
}
