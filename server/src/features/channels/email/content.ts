import { createHash } from 'node:crypto'
import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import type { Locale } from '@okaeri/contract/locale'
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
import { findLinkHost } from '../../sender-domains/index.ts'
import { type EmailContent, findEmailContent, templatesOf } from '../../emails/index.ts'
import { type EmailOfStep, findEmailOfStep, insertMail } from './content-queries.ts'
import type { MailVariant, FrozenContent } from './content-sql.ts'

/** What is to be sent, as the emails feature keeps it. */
export interface MailContent {
  emailId: string
  subject: string
  preheader: string
  fromName: string
  fromEmail: string
  replyTo: string | null
  html: string
  /** As a person wrote it; without it, made from the HTML. */
  plainText?: string | null
  /** The language of a variant that is sent alone; without it, the merchant's. */
  language?: Locale | null
  /** The same in other languages. */
  variants?: readonly VariantContent[]
}
/** What a mail says in one language. */
interface MailTexts {
  subject: string
  preheader: string
  html: string
  plainText?: string | null
}
export interface VariantContent extends MailTexts {
  language: Locale
}

/** Not inside a transaction: it may take as long as a template may. Throws `preflight_failed` when it takes longer. */
export async function prepareMail(
  scope: MerchantScope,
  content: MailContent,
  tracking: Tracking,
): Promise<PreparedContent> {
  const { emailId, subject, preheader, fromName, fromEmail, replyTo, language = null } = content
  try {
    const { html, text, links, variants } = await prepareAll(scope, content, tracking)
    const sender = { from_name: fromName, from_email: fromEmail, reply_to: replyTo }
    const mail = { subject, preheader, ...sender, html, text }
    const link_host = await findLinkHost(scope, fromEmail)
    return readyToFreeze({ ...mail, language, link_host, variants }, { emailId, tracking, links })
  } catch (error) {
    if (error instanceof TemplateError) throw conflict('preflight_failed', error.message)
    throw error
  }
}

const readyToFreeze = (
  content: FrozenContent,
  { emailId, tracking, links }: { emailId: string; tracking: Tracking; links: string[] },
): PreparedContent => {
  const { variants, language: _, link_host: _host, ...mail } = content
  return {
    channel: 'email',
    contentId: emailId,
    tracking,
    links,
    insert: (scope, messageId) => insertMail(scope, messageId, content),
    // See insertMail.
    legacyColumns: variants.length === 0 ? mail : { ...mail, from_email: '' },
  }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** In all its languages, one after the other; the links of all of them are those of the message. */
async function prepareAll(
  scope: MerchantScope,
  { emailId, variants = [], ...base }: MailTexts & { emailId: string; variants?: readonly VariantContent[] },
  tracking: Tracking,
): Promise<Prepared & { variants: MailVariant[] }> {
  const prepared = await prepare(scope, { ...base, emailId, firstLink: 0 }, tracking)
  const links = [...prepared.links]
  const findings = [...prepared.findings]
  const made: MailVariant[] = []
  for (const { language, ...localized } of variants) {
    const one = await prepare(scope, { ...localized, emailId, firstLink: links.length }, tracking)
    const { subject, preheader } = localized
    made.push({ language, subject, preheader, html: one.html, text: one.text, first_link: links.length })
    links.push(...one.links)
    findings.push(...one.findings.map((found) => ({ ...found, language })))
  }
  return { ...prepared, links, findings, variants: made }
}

const prepare = async (
  scope: MerchantScope,
  { emailId, subject, preheader, html, plainText, firstLink }: MailTexts & { emailId: string; firstLink: number },
  { enabled, parameters }: Tracking,
) =>
  prepareContent(scope, {
    html,
    subject,
    preheader,
    plainText: plainText ?? null,
    firstLink,
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
  if (email.needs_whole) return findWholeState(scope, emailId)
  return stateOf(scope, { ...email, variants_hash: null }, await getMerchant(scope))
}

/** A component or a variant may have changed too. */
async function findWholeState(scope: MerchantScope, emailId: string): Promise<ContentState | null> {
  const email = await findEmailContent(scope, emailId)
  return email && stateOf(scope, wholeOf(email), await getMerchant(scope))
}

/** With the components in it. Without components and variants it is what {@link findEmailOfStep} finds. */
const wholeOf = (email: EmailContent) => ({
  ...email,
  content_hash: hashOf(email.content),
  text_hash: email.plain_text === null ? null : hashOf(email.plain_text),
  variants_hash: email.variants.length === 0 ? null : hashOf(JSON.stringify(frozenTextsOf(email).variants)),
})

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
  const state = await stateOf(scope, wholeOf(email), await getMerchant(scope))
  if (!state.sender.from_email)
    return { missing: 'template_broken', detail: 'there is no sender address in the settings' }
  const { subject, preheader } = email
  const prepared = await prepareAll(scope, { emailId, ...frozenTextsOf(email) }, tracking).catch(asFailure)
  if ('missing' in prepared) return prepared
  const broken = prepared.findings.find(({ code }) => code.startsWith('template_'))
  if (broken) return { missing: 'template_broken', detail: broken.detail ?? '' }
  const { html, text, links, variants } = prepared
  const uses = await variablesUsed(scope, templatesOf(email))
  const mail = {
    subject,
    preheader,
    ...state.sender,
    html,
    text,
    language: null,
    link_host: state.link_host ?? null,
    variants,
  }
  return { state, uses, ...readyToFreeze(mail, { emailId, tracking, links }) }
}

const asFailure = (error: unknown): NoContent => {
  if (error instanceof TemplateError) return { missing: 'template_broken', detail: error.message }
  throw error
}

/** What a message freezes of an email, in all its languages. */
export const frozenTextsOf = (email: EmailContent): MailTexts & { variants: VariantContent[] } => ({
  ...textsOf(email),
  variants: email.variants.map((variant) => ({ ...textsOf(variant), language: variant.language })),
})
const textsOf = ({
  subject,
  preheader,
  content,
  plain_text,
}: Pick<EmailContent, 'subject' | 'preheader' | 'content' | 'plain_text'>): MailTexts => ({
  subject,
  preheader,
  html: content,
  plainText: plain_text,
})

async function stateOf(
  scope: MerchantScope,
  {
    subject,
    preheader,
    content_hash,
    text_hash,
    variants_hash,
    ...written
  }: Omit<EmailOfStep, 'needs_whole'> & { variants_hash: string | null },
  merchant: MerchantRow,
) {
  const { name, email, replyTo } = senderOf(written, merchant)
  const sender = { from_name: name, from_email: email, reply_to: replyTo }
  // What most mails have not is left out: their state is what it was before there were variants.
  const link_host = await findLinkHost(scope, email)
  const more = {
    ...(text_hash && { text_hash }),
    ...(variants_hash && { variants_hash }),
    ...(link_host && { link_host }),
  }
  return { subject, preheader, content_hash, sender, ...more }
}
