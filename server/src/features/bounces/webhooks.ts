import { readSendgridEvent, readSesNotice } from '../../integrations/bounces/notices.ts'
import { isSignedBySendgrid, readSendgridKey } from '../../integrations/bounces/sendgrid.ts'
import { confirmSubscription, isSignedByAmazon, readSnsMessage } from '../../integrations/bounces/sns.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound, unauthorized } from '../../kernel/errors.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { findFeedbackKey } from '../own-mailers/index.ts'
import { receiveNotice } from './intake.ts'

type Headers = Record<string, string | string[] | undefined>

/**
 * A message of Amazon SNS, of the installation's account or, with a merchant, of its own one. A subscription is confirmed for the topics of the
 * configuration, or of that account, alone; messages of other topics, and what Amazon
 * did not sign, are refused. The same message again changes nothing.
 */
export async function receiveSes(
  context: Context,
  body: unknown,
  merchantId: string | null,
): Promise<{ stored: number }> {
  const own = merchantId && (await findFeedbackKey(merchantScope(context, merchantId), 'ses'))
  const topics = merchantId === null ? context.settings.bounces.sesTopics : own ? [own] : []
  if (topics.length === 0) throw notFound('no topic of Amazon SNS is configured')
  const message = readSnsMessage(textOf(body))
  if (!message) throw new AppError('invalid', 'bad_request', 'the body is no message of Amazon SNS')
  if (!topics.includes(message.TopicArn) || !(await isSignedByAmazon(message)))
    throw unauthorized('webhook_signature_invalid', 'the message is not signed for a topic of ours')
  if (message.Type === 'SubscriptionConfirmation') {
    await confirmSubscription(message)
    context.log.warn({ topic: message.TopicArn }, 'bounces of Amazon SES are reported from now on')
    return { stored: 0 }
  }
  if (message.Type === 'UnsubscribeConfirmation') {
    context.log.error({ topic: message.TopicArn }, 'bounces of Amazon SES are no longer reported')
    return { stored: 0 }
  }
  const notice = readSesNotice(parsed(message.Message))
  return { stored: notice && (await receiveNotice(context, notice, { way: 'ses', merchantId })) ? 1 : 0 }
}

/** Up to a thousand events of SendGrid, of the installation's account or a merchant's own one. */
export async function receiveSendgrid(
  context: Context,
  { headers, body }: { headers: Headers; body: unknown },
  merchantId: string | null,
): Promise<{ stored: number }> {
  const own = merchantId && (await findFeedbackKey(merchantScope(context, merchantId), 'sendgrid'))
  const key = merchantId === null ? context.settings.bounces.sendgridKey : own ? readSendgridKey(own) : null
  if (key === null) throw notFound('no key of SendGrid is configured')
  const header = (name: string): string => {
    const value = headers[`x-twilio-email-event-webhook-${name}`]
    return typeof value === 'string' ? value : ''
  }
  const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  if (!isSignedBySendgrid(key, { signature: header('signature'), timestamp: header('timestamp'), body: raw }))
    throw unauthorized('webhook_signature_invalid', 'the signature does not fit the body')
  const events = parsed(textOf(raw))
  if (!Array.isArray(events)) throw new AppError('invalid', 'bad_request', 'the body is no list of events')
  let stored = 0
  // One after another: several may be about one address.
  for (const event of events) {
    const notice = readSendgridEvent(event)
    if (notice && (await receiveNotice(context, notice, { way: 'sendgrid', merchantId }))) stored += 1
  }
  return { stored }
}

const textOf = (body: unknown): string => (Buffer.isBuffer(body) ? body.toString('utf8') : '')
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What is no JSON says nothing.
    return null
  }
}
