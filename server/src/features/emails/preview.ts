import type { RenderedEmail } from '@okaeri/contract/emails/email'
import type { Locale } from '@okaeri/contract/locale'
import { invalid } from '../../kernel/errors.ts'
import { computingTime } from '../../kernel/clock.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant, type MerchantRow } from '../merchants/index.ts'
import {
  exampleMailMetafields,
  listKeptMetafields,
  type MetafieldPath,
  readMailMetafields,
} from '../metafields/index.ts'
import { findStore } from '../stores/index.ts'
import { brokenDetail, finding, MARKERS, prepareContent, type PreparedContent } from './content.ts'
import { eventData, exampleVariables } from './event-data.ts'
import { customerData, exampleCustomer, type KnownCustomer, type MessageData } from './message-data.ts'
import { metafieldPathsOf } from './metafield-tags.ts'
import { personalLink } from './personal-links.ts'
import { preflight, sizeOfRendered } from './preflight.ts'
import { findKnownCustomer } from './queries.ts'
import { compileTemplate, escapeHtml, oneLine, TemplateError } from './template.ts'
import { variablesUsed } from './variables-used.ts'

/** What of an email is sent; a row of `emails` fits. */
export interface WrittenEmail {
  subject: string
  preheader: string
  from_email: string | null
  from_name: string | null
  content: string
}
export interface MailToRender {
  email: WrittenEmail
  /** Null: someone invented, in the merchant's language. */
  customer: KnownCustomer | null
  /** The email's id; unsaved content has none yet. */
  contentId: string | null
  /** Of a campaign: what only scenarios know is found. */
  inCampaign?: boolean
  trackingEnabled: boolean
  trackingParameters: { source: string | null; medium: string | null; campaign: string | null }
}

/** Rendering for a hundred thousand takes that many times as long. */
const SLOW_RENDER_MS = 50
/** One transparent dot: looking at a preview is no opening. */
const NO_PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const NO_TRACKING = { source: null, medium: null, campaign: null }
/** As long as a real one; nobody is unsubscribed by it. */
const EXAMPLE_UNSUBSCRIBE = `/u/${'x'.repeat(56)}`

/** Where the store can be visited; empty when none was ever connected. */
export async function storeUrlOf(scope: MerchantScope): Promise<string> {
  const store = await findStore(scope)
  return store ? (store.storefront_url ?? `https://${store.shop_domain}`) : ''
}

const senderOf = (email: Pick<WrittenEmail, 'from_name' | 'from_email'>, merchant: MerchantRow) => ({
  name: email.from_name || merchant.sender_name,
  email: email.from_email || merchant.sender_email,
})

/**
 * The mail as one customer will get it, with its findings and its final size. Links lead to their targets and the pixel nowhere:
 * nothing done in a preview is counted. A broken template is a finding.
 */
export async function renderForCustomer(scope: MerchantScope, mail: MailToRender): Promise<RenderedEmail> {
  const merchant = await getMerchant(scope)
  const { content, subject, preheader } = mail.email
  const paths = metafieldPathsOf(content, subject, preheader)
  const names = paths.length === 0 ? [] : await listKeptMetafields(scope)
  return renderMail(
    { ...mail, customer: await withMetafields(scope, mail.customer, { paths, locale: merchant.language }) },
    merchant,
    {
      storeUrl: await storeUrlOf(scope),
      publicUrl: scope.context.settings.publicUrl,
      now: scope.now,
      metafields: new Set(names.map(({ namespace, key }) => `${namespace}.${key}`)),
    },
  )
}

/** What the mail writes of the customer's metafields, or of someone invented. */
async function withMetafields(
  scope: MerchantScope,
  customer: KnownCustomer | null,
  wanted: { paths: readonly MetafieldPath[]; locale: Locale },
): Promise<KnownCustomer | null> {
  if (wanted.paths.length === 0) return customer
  if (!customer?.id) {
    const metafields = await exampleMailMetafields(scope, wanted.locale)
    return { ...(customer ?? exampleCustomer[wanted.locale]), metafields }
  }
  return { ...customer, metafields: (await readMailMetafields(scope, [customer.id], wanted)).get(customer.id) }
}

function renderMail(
  mail: MailToRender,
  merchant: MerchantRow,
  {
    storeUrl,
    publicUrl,
    metafields,
    now,
  }: { storeUrl: string; publicUrl: string; metafields: ReadonlySet<string>; now: Date },
): RenderedEmail {
  const { email } = mail
  const prepared = prepareContent({
    html: email.content,
    subject: email.subject,
    preheader: email.preheader,
    trackingEnabled: mail.trackingEnabled,
    trackingParameters: mail.trackingParameters,
    contentId: mail.contentId ?? 'preview',
    metafields,
  })
  const sender = senderOf(email, merchant)
  const data = dataFor(mail.customer, { merchant, sender, storeUrl, publicUrl, now })
  const links = exampleLinks(prepared.links, { merchant, storeUrl, now })
  const { html, failure } = renderHtml(prepared, data)
  const sizeBytes = failure ? Buffer.byteLength(prepared.html) : sizeOfRendered(html, publicUrl)
  const found = preflight({ prepared, subject: email.subject, data, sizeBytes: failure ? null : sizeBytes })
  if (failure && !found.some(({ code }) => code === 'template_broken'))
    found.push(finding('template_broken', brokenDetail(failure)))
  const { event, coupon } = variablesUsed(email.subject, email.preheader, email.content)
  if (mail.inCampaign && (event || coupon)) found.push(finding('needs_scenario', coupon ? 'coupon' : 'event'))
  return {
    subject: oneLine(renderText(email.subject, data)),
    preheader: oneLine(renderText(email.preheader, data)),
    from: sender.name ? `${oneLine(sender.name)} <${sender.email}>` : sender.email,
    to: data.customer.email,
    html: withTargets(html, links, escapeHtml),
    text: failure ? '' : withTargets(renderText(prepared.text, data), links, (url) => url),
    size_bytes: sizeBytes,
    findings: found,
  }
}

/** Null: someone invented, in the merchant's language. */
const dataFor = (
  customer: KnownCustomer | null,
  from: { merchant: MerchantRow; sender: MessageData['sender']; storeUrl: string; publicUrl: string; now: Date },
): MessageData => ({
  ...eventData(exampleVariables(from.merchant.language, from.storeUrl, from.now), {
    locale: from.merchant.language,
    timezone: from.merchant.timezone,
  }),
  customer: customerData(customer ?? exampleCustomer[from.merchant.language], from.merchant.language),
  store: {
    name: from.merchant.site_name,
    url: from.storeUrl,
    postal_address: from.merchant.postal_address,
    contact_email: from.merchant.staff_email ?? '',
    contact_phone: from.merchant.staff_phone ?? '',
  },
  sender: from.sender,
  unsubscribe_url: `${from.publicUrl}${EXAMPLE_UNSUBSCRIBE}`,
})

/** What was sent, prepared and kept then: as someone invented would have got it. Links lead to their targets, the pixel nowhere. */
export async function renderSent(
  scope: MerchantScope,
  sent: { subject: string; html: string; links: readonly string[]; sender: MessageData['sender'] },
): Promise<{ subject: string; html: string }> {
  const merchant = await getMerchant(scope)
  const { publicUrl } = scope.context.settings
  const paths = metafieldPathsOf(sent.subject, sent.html)
  const someone = await withMetafields(scope, null, { paths, locale: merchant.language })
  const shown = { merchant, storeUrl: await storeUrlOf(scope), now: scope.now }
  const data = dataFor(someone, { ...shown, sender: sent.sender, publicUrl })
  const { html } = renderHtml(sent, data)
  const links = exampleLinks(sent.links, shown)
  return { subject: oneLine(renderText(sent.subject, data)), html: withTargets(html, links, escapeHtml) }
}

const exampleLinks = (
  links: readonly string[],
  { merchant, storeUrl, now }: { merchant: MerchantRow; storeUrl: string; now: Date },
): string[] => links.map((link) => personalLink(link, exampleVariables(merchant.language, storeUrl, now)))

function renderHtml(
  prepared: Pick<PreparedContent, 'html'>,
  data: MessageData,
): { html: string; failure: TemplateError | null } {
  try {
    const template = compileTemplate(prepared.html, 'html')
    const spentMs = computingTime()
    let html = template.render(data)
    if (spentMs() > SLOW_RENDER_MS) {
      // The first time the engine may still be warming up.
      const againMs = computingTime()
      html = template.render(data)
      if (againMs() > SLOW_RENDER_MS) throw new TemplateError('it takes too long to fill in', 1)
    }
    return { html, failure: null }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { html: '', failure: error }
  }
}

/** Empty when broken: that is among the findings. */
function renderText(source: string, data: MessageData): string {
  try {
    return compileTemplate(source, 'text').render(data)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return ''
  }
}

const withTargets = (rendered: string, links: readonly string[], escape: (url: string) => string): string =>
  rendered.replace(MARKERS, (_, position: string | undefined) =>
    position === undefined ? NO_PIXEL : escape(links[Number(position)] ?? ''),
  )

/** Unsaved content as the customer asked for gets it, or as someone invented does. */
export async function previewEmail(
  scope: MerchantScope,
  { customer_id, ...email }: WrittenEmail & { customer_id: string | null },
): Promise<RenderedEmail> {
  return renderForCustomer(scope, {
    email,
    customer: customer_id ? await getKnownCustomer(scope, customer_id) : null,
    contentId: null,
    trackingEnabled: true,
    trackingParameters: NO_TRACKING,
  })
}

/** Throws a 400 naming the field when there is no such customer. */
export async function getKnownCustomer(scope: MerchantScope, id: string): Promise<KnownCustomer> {
  const customer = await findKnownCustomer(scope, id)
  if (!customer) throw invalid({ customer_id: 'not_found' })
  return customer
}

/** Bytes of the final HTML, tracking included, for someone invented; a broken template counts as it is. */
export async function finalSizeOf(scope: MerchantScope, email: WrittenEmail): Promise<number> {
  const rendered = await renderForCustomer(scope, {
    email,
    customer: null,
    contentId: NIL_ID,
    trackingEnabled: true,
    trackingParameters: NO_TRACKING,
  })
  return rendered.size_bytes
}
