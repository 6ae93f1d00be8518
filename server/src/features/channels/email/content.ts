import { createHash } from 'node:crypto'
import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { conflict } from '../../../kernel/errors.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import {
  type ContentState,
  type NoContent,
  type PreparedContent,
  recordTestDeliveries,
  type StepContent,
  type Tracking,
} from '../../deliveries/index.ts'
import {
  prepareContent,
  readMailProducts,
  storeUrlOf,
  TemplateError,
  variablesUsed,
} from '../../email-rendering/index.ts'
import { getMerchant, type MerchantRow, senderOf } from '../../merchants/index.ts'
import { findEmailContent } from '../../emails/index.ts'
import { type EmailOfStep, findEmailOfStep, insertMail } from './content-queries.ts'

/** What is to be sent, as the emails feature keeps it. */
export interface MailContent {
  emailId: string
  subject: string
  preheader: string
  fromName: string
  fromEmail: string
  replyTo: string | null
  html: string
}

/** A mail as it is kept with its message. */
export interface MailColumns {
  subject: string
  preheader: string
  from_name: string
  from_email: string
  reply_to: string | null
  html: string
  text: string
}

/** Not inside a transaction: it may take as long as a template may. Throws `preflight_failed` when it takes longer. */
export async function prepareMail(
  scope: MerchantScope,
  content: MailContent,
  tracking: Tracking,
): Promise<PreparedContent> {
  const { emailId, subject, preheader, fromName, fromEmail, replyTo } = content
  try {
    const { html, text, links } = await prepare(scope, content, tracking)
    const sender = { from_name: fromName, from_email: fromEmail, reply_to: replyTo }
    return readyToFreeze({ subject, preheader, ...sender, html, text }, { emailId, tracking, links })
  } catch (error) {
    if (error instanceof TemplateError) throw conflict('preflight_failed', error.message)
    throw error
  }
}

const readyToFreeze = (
  mail: MailColumns,
  { emailId, tracking, links }: { emailId: string; tracking: Tracking; links: string[] },
): PreparedContent => ({
  channel: 'email',
  contentId: emailId,
  tracking,
  links,
  insert: (scope, messageId) => insertMail(scope, messageId, mail),
  columnsOfBefore: mail,
})

const prepare = async (
  scope: MerchantScope,
  { emailId, subject, preheader, html }: Pick<MailContent, 'emailId' | 'subject' | 'preheader' | 'html'>,
  { enabled, parameters }: Tracking,
) =>
  prepareContent(scope, {
    html,
    subject,
    preheader,
    trackingEnabled: enabled,
    trackingParameters: parameters,
    contentId: emailId,
    ...(await readMailProducts(scope, [html], { locale: 'en', storeUrl: await storeUrlOf(scope) })),
  })

/** Mails the content to addresses a person typed, marked as a test; they count nowhere. One row each, written before it is sent. */
export async function sendTestMail(
  scope: MerchantScope,
  content: MailContent,
  to: { addresses: readonly string[]; customerId: string | null },
): Promise<DeliveryView[]> {
  const untracked = { enabled: false, parameters: NO_PARAMETERS }
  return recordTestDeliveries(scope, await prepareMail(scope, content, untracked), to)
}

/** What makes a scenario's mail differ from an earlier one: the email, and the sender of the settings. */
export async function findMailState(scope: MerchantScope, emailId: string): Promise<ContentState | null> {
  const email = await findEmailOfStep(scope, emailId)
  if (!email) return null
  if (email.has_components) return findWholeState(scope, emailId)
  return stateOf(email, await getMerchant(scope))
}

/** A component may have changed too. */
async function findWholeState(scope: MerchantScope, emailId: string): Promise<ContentState | null> {
  const email = await findEmailContent(scope, emailId)
  return email && stateOf({ ...email, content_hash: hashOf(email.content) }, await getMerchant(scope))
}

/** As PostgreSQL's `md5`. */
const hashOf = (content: string): string => createHash('md5').update(content).digest('hex')

/** It may have been edited since it was looked at: what is frozen is one state of it, named by that state. */
export async function prepareMailOfStep(
  scope: MerchantScope,
  emailId: string,
  tracking: Tracking,
): Promise<StepContent | NoContent> {
  const email = await findEmailContent(scope, emailId)
  if (!email) return { missing: 'email_gone', detail: emailId }
  const state = stateOf({ ...email, content_hash: hashOf(email.content) }, await getMerchant(scope))
  if (!state.sender.from_email)
    return { missing: 'template_broken', detail: 'there is no sender address in the settings' }
  const { subject, preheader, content: written } = email
  const prepared = await prepare(scope, { emailId, subject, preheader, html: written }, tracking).catch(asFailure)
  if ('missing' in prepared) return prepared
  const broken = prepared.findings.find(({ code }) => code.startsWith('template_'))
  if (broken) return { missing: 'template_broken', detail: broken.detail ?? '' }
  const { html, text, links } = prepared
  const uses = await variablesUsed(scope, [subject, preheader, written])
  const mail = { subject, preheader, ...state.sender, html, text }
  return { state, uses, ...readyToFreeze(mail, { emailId, tracking, links }) }
}

const asFailure = (error: unknown): NoContent => {
  if (error instanceof TemplateError) return { missing: 'template_broken', detail: error.message }
  throw error
}

function stateOf(
  { subject, preheader, content_hash, ...written }: Omit<EmailOfStep, 'has_components'>,
  merchant: MerchantRow,
) {
  const { name, email, replyTo } = senderOf(written, merchant)
  const sender = { from_name: name, from_email: email, reply_to: replyTo }
  return { subject, preheader, content_hash, sender }
}
