import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import type { EmailAddressSeen } from '@okaeri/contract/emails/addresses'
import type { Finding, RenderedEmail } from '@okaeri/contract/emails/email'
import { type Design, listBlocks } from '@okaeri/contract/emails/design'
import type { Locale } from '@okaeri/contract/locale'
import { DateTime } from 'luxon'
import { AppError, invalid } from '../../kernel/errors.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  type ExaminedMail,
  escapeHtml,
  exampleData,
  examineMail,
  exampleVariables,
  finding,
  findingOf,
  findingsOfBlocks,
  getKnownCustomer,
  type KnownCustomer,
  MARKERS,
  type MessageData,
  oneLine,
  personalLink,
  type RecipientVariables,
  renderKept,
  textsOfHtml,
} from '../email-rendering/index.ts'
import type { AddressToCheck } from '../link-checks/index.ts'
import { getMerchant, type MerchantRow, senderDomainIsPublic, senderOf, unconfirmedOf } from '../merchants/index.ts'
import { listKeptMetafields } from '../metafields/index.ts'
import { findLinkHost, findSenderStanding, linkBase } from '../sender-domains/index.ts'
import { findingsOfTargets, presentTarget, readTargets } from './addresses.ts'
import { expandComponents, expandContent, type VariantContent } from './component-expansion.ts'
import { blockAtLine, contentOf } from './design.ts'
import type { ExpandedContent } from './component-tags.ts'
import { languagesOf, variantOf } from './variant.ts'

/** What of an email is sent; a row of `emails` fits. */
export interface WrittenEmail {
  subject: string
  preheader: string
  from_email: string | null
  from_name: string | null
  content: string
  /** Null: made from the content. */
  plain_text: string | null
  /** The variant's; null: the base. */
  language?: Locale | null
}
type MailCoupon = NonNullable<RecipientVariables['coupon']>
interface ShownEmail extends WrittenEmail {
  /** Where the content holds its components already: which line as typed each of its lines comes from. */
  typed_lines?: ExpandedContent['typedLines']
  /** What the content was made from: findings name its blocks then. */
  design?: Design | null
  plain_text_is_behind?: boolean
}
/** For a part of a mail. */
export const NO_TEXTS = { subject: '', preheader: '', from_email: null, from_name: null, plain_text: null } as const
export interface MailToRender {
  email: ShownEmail & { variants?: readonly VariantContent[] }
  /** Null: someone invented, in the merchant's language. */
  customer: KnownCustomer | null
  /** The email's id; unsaved content has none yet. */
  contentId: string | null
  /** In a campaign, tags that only scenarios fill are findings. */
  inCampaign?: boolean
  /** What its recipients' own codes are worth; left out: they get none, and an example is shown. */
  coupon?: MailCoupon | undefined
  /** When it would leave; without it, now. */
  sentAt?: Date
  /** How many would get it; without it, not known. */
  recipients?: number
  trackingEnabled: boolean
  trackingParameters: { source: string | null; medium: string | null; campaign: string | null }
}

/** All that a saved email leads to in all its languages, with what is to be asked to know more. */
export async function targetsOfEmail(
  scope: MerchantScope,
  { variants = [], ...base }: MailToRender['email'] & { id: string },
): Promise<{ presented: EmailAddressSeen[]; toCheck: AddressToCheck[] }> {
  const one = await targetsIn(scope, { ...base, language: null })
  if (variants.length === 0) return one
  const { language: ofBase } = await getMerchant(scope)
  const { from_email, from_name } = base
  // The same address in two languages is one, where it stands first.
  const found = new Map(
    one.presented.map((address) => [keyOf(address), { ...address, languages: [ofBase] }] as const),
  ) as Map<string, EmailAddressSeen & { languages: Locale[] }>
  const toCheck = [...one.toCheck]
  for (const said of variants) {
    const theirs = await targetsIn(scope, { ...said, id: base.id, from_email, from_name })
    toCheck.push(...theirs.toCheck)
    for (const address of theirs.presented) {
      const before = found.get(keyOf(address))
      if (before) {
        before.languages.push(said.language)
        before.places += address.places
      } else found.set(keyOf(address), { ...address, languages: [said.language], variant: said.language })
    }
  }
  const asked = new Map(toCheck.map((one) => [`${one.kind} ${one.address}`, one]))
  return { presented: [...found.values()], toCheck: [...asked.values()] }
}
const keyOf = ({ kind, written }: EmailAddressSeen): string => `${kind} ${written}`

async function targetsIn(
  scope: MerchantScope,
  email: MailToRender['email'] & { id: string },
): Promise<{ presented: EmailAddressSeen[]; toCheck: AddressToCheck[] }> {
  const { targets, placed } = await examine(scope, {
    email,
    customer: null,
    contentId: email.id,
    trackingEnabled: true,
    trackingParameters: NO_PARAMETERS,
  })
  return {
    presented: targets.map((target) => {
      const { line: _, block: __, ...rest } = presentTarget(target)
      const { line, block } = placed({
        ...finding('link_dead', null, target.line),
        ...(target.block !== undefined && { block: target.block }),
      })
      return { ...rest, ...(line !== undefined && { line }), ...(block !== undefined && { block }) }
    }),
    toCheck: targets.flatMap(({ checked }) => checked ?? []),
  }
}

/** One transparent dot: looking at a preview is no opening. */
const NO_PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/**
 * The mail as one customer will get it, with its findings and its final size. Links lead to their targets and the pixel nowhere:
 * nothing done in a preview is counted. A broken template is a finding.
 */
export async function renderForCustomer(scope: MerchantScope, mail: MailToRender): Promise<RenderedEmail> {
  const { variants = [], ...base } = mail.email
  if (variants.length === 0) return (await examine(scope, mail)).rendered
  const merchant = await getMerchant(scope)
  const languages = languagesOf({ variants })
  const customer_variant = mail.customer ? variantOf({ languages, base: merchant.language }, mail.customer) : undefined
  const wanted = customer_variant?.language ?? null
  const { from_email, from_name } = base
  const findings: Finding[] = []
  let shown: RenderedEmail | null = null
  for (const said of [{ ...base, language: null }, ...variants]) {
    const isTheirs = said.language === wanted
    const email = { ...said, from_email, from_name }
    // A language is looked at as someone who gets it.
    const { rendered } = await examine(scope, { ...mail, email, customer: isTheirs ? mail.customer : null })
    if (isTheirs) shown = rendered
    const language = said.language ?? merchant.language
    for (const one of rendered.findings) {
      if (!ofSender.has(one.code)) findings.push({ ...one, language })
      else if (!findings.some(({ code }) => code === one.code)) findings.push(one)
    }
  }
  if (!shown) throw new Error('a language is always shown')
  return { ...shown, findings, ...(customer_variant && { customer_variant }) }
}

/** Not of what is said: the same in every language. */
const ofSender: ReadonlySet<Finding['code']> = new Set([
  'sender_missing',
  'sender_unconfirmed',
  'account_unconfirmed',
  'sender_domain_public',
  'sender_domain_unverified',
  'sender_dmarc_missing',
])

async function examine(
  scope: MerchantScope,
  mail: MailToRender,
): Promise<{
  rendered: RenderedEmail
  refusal: ExaminedMail['refusal']
  targets: Awaited<ReturnType<typeof readTargets>>
  placed: (one: Finding) => Finding
}> {
  const merchant = await getMerchant(scope)
  const { email, trackingEnabled, trackingParameters, contentId, inCampaign = false, coupon } = mail
  const { subject, preheader, typed_lines } = email
  const { content, typedLines, plainText } =
    typed_lines === undefined
      ? await expandContent(scope, email)
      : { content: email.content, typedLines: typed_lines, plainText: email.plain_text }
  const { language = null } = email
  const templates = [content, subject, preheader, plainText ?? '']
  const names = templates.some((text) => text.includes('metafields')) ? await listKeptMetafields(scope) : []
  const sender = senderOf(email, merchant)
  const data = await exampleData(scope, { templates, customer: mail.customer, sender, language, coupon })
  const linkHost = await findLinkHost(scope, sender.email)
  const { publicUrl: ours } = scope.context.settings
  const publicUrl = linkHost === null ? ours : linkBase(ours, linkHost)
  const day = DateTime.fromJSDate(mail.sentAt ?? scope.now, { zone: merchant.timezone }).toFormat('yyyy-MM-dd')
  const examined = await examineMail(scope, {
    subject,
    preheader,
    content,
    plainText,
    trackingEnabled,
    trackingParameters,
    contentId: contentId ?? 'preview',
    inCampaign,
    hasCoupons: coupon !== undefined,
    metafields: names.map(({ namespace, key }) => `${namespace}.${key}`),
    data,
    publicUrl,
    publicSender: senderDomainIsPublic(sender.email),
    day,
  })
  const its = language ?? merchant.language
  const links = exampleLinks(examined.links, { language: its, data, now: scope.now, coupon })
  const blockAt = email.design ? blockAtLine(email.design, content) : null
  const placed = (one: Finding): Finding => (blockAt ? ofBlock(one, blockAt) : atTypedLine(one, typedLines))
  const targets = await readTargets(scope, { addresses: examined.addresses, design: email.design })
  const rendered = {
    subject: examined.subject,
    preheader: examined.preheader,
    from: sender.name ? `${oneLine(sender.name)} <${sender.email}>` : sender.email,
    to: data.customer.email,
    html: withTargets(examined.html, links, escapeHtml),
    text: withTargets(examined.text, links, (url) => url),
    size_bytes: examined.sizeBytes,
    links_by: { host: linkHost ?? new URL(ours).host, is_own: linkHost !== null },
    findings: [
      ...examined.findings.map(placed),
      ...(await findingsOfBlocks(scope, { content, others: [subject, preheader, plainText ?? ''], data })).map(placed),
      ...(email.design ? expiredCoupons(email.design, day) : []),
      ...(await findingsOfTargets(scope, targets, mail)).map(placed),
      ...(email.plain_text_is_behind ? [finding('text_behind')] : []),
      ...(await findUnconfirmed(scope, sender.email, merchant)),
      ...(await findOfDomain(scope, sender.email)),
    ],
  }
  const { refusal } = examined
  const isMoved = refusal !== null && refusal.field === 'content' && typedLines !== null
  return {
    rendered,
    targets,
    placed,
    refusal: isMoved ? { ...refusal, line: typedLines[refusal.line - 1] ?? 1 } : refusal,
  }
}

/** What stands in a component is found at the line of its tag. */
function atTypedLine(one: Finding, typedLines: ExpandedContent['typedLines']): Finding {
  if (typedLines === null || one.line === undefined) return one
  const line = typedLines[one.line - 1] ?? 1
  const detail = one.code.startsWith('template_') ? (one.detail?.replace(/^\d+/, String(line)) ?? null) : one.detail
  return { ...one, line, detail }
}

/** Coupons whose last day is over when it would be sent. */
const expiredCoupons = ({ blocks }: Design, day: string): Finding[] =>
  listBlocks(blocks).flatMap((block) =>
    block.kind === 'coupon' && block.source === 'typed' && block.ends_on !== null && block.ends_on < day
      ? [{ ...finding('coupon_expired', block.ends_on), block: block.id }]
      : [],
  )

/** The addresses whose owners have not agreed yet to what is about to be sent. */
async function findUnconfirmed(scope: MerchantScope, sender: string, merchant: MerchantRow): Promise<Finding[]> {
  const unconfirmed = sender === '' ? [] : await unconfirmedOf(scope, 'sender', [sender])
  return [
    ...(unconfirmed.length > 0 ? [finding('sender_unconfirmed', sender)] : []),
    ...(merchant.account_confirmed ? [] : [finding('account_unconfirmed')]),
  ]
}

/** For a domain the merchant set up; for others the review of a large campaign shows it (campaigns). */
async function findOfDomain(scope: MerchantScope, sender: string): Promise<Finding[]> {
  const standing = sender === '' ? null : await findSenderStanding(scope, sender)
  if (!standing) return []
  if (standing.status !== 'verified') return [finding('sender_domain_unverified', standing.name)]
  return standing.lacksDmarc ? [finding('sender_dmarc_missing', standing.name)] : []
}

/**
 * What was sent, prepared and kept then: as someone invented would have got it. Links lead to their targets, or where `linkTo` says; the
 * pixel leads nowhere.
 */
export async function renderSent(
  scope: MerchantScope,
  sent: {
    subject: string
    html: string
    links: readonly string[]
    sender: MessageData['sender']
    language: Locale | null
  },
  linkTo?: (position: number) => string,
): Promise<{ subject: string; html: string }> {
  const merchant = await getMerchant(scope)
  const templates = [sent.subject, sent.html]
  const data = await exampleData(scope, { templates, customer: null, sender: sent.sender, language: sent.language })
  const { subject, html } = await renderKept(scope, { subject: sent.subject, html: sent.html, data })
  const links =
    linkTo ?? exampleLinks(sent.links, { language: sent.language ?? merchant.language, data, now: scope.now })
  return { subject, html: withTargets(html, links, escapeHtml) }
}

/** Where a link of the mail leads; `product`: of one to products that a rule chose, which it was. */
type LinkOf = (position: number, product: string) => string

function exampleLinks(
  links: readonly string[],
  { language, data, now, coupon }: { language: Locale; data: MessageData; now: Date; coupon?: MailCoupon | undefined },
): LinkOf {
  const variables = { ...exampleVariables(language, data.store.url, now), ...(coupon && { coupon }) }
  const chosen = [data.product_lists, data.own_products].flatMap((lists) => Object.values(lists ?? {}).flat())
  const urls = new Map(chosen.map(({ id, url }) => [id, url]))
  return (position, product) => personalLink(links[position] ?? '', variables, urls.get(product))
}

const MARKERS_OF_PRODUCTS = new RegExp(`${MARKERS.source}(?:\\?p=(\\d+))?`, 'g')
const withTargets = (rendered: string, linkOf: LinkOf, escape: (url: string) => string): string =>
  rendered.replace(MARKERS_OF_PRODUCTS, (_, position: string | undefined, product: string | undefined) =>
    position === undefined ? NO_PIXEL : escape(linkOf(Number(position), product ?? '')),
  )

/** Unsaved content as the customer asked for gets it, or as someone invented does. */
export async function previewEmail(
  scope: MerchantScope,
  {
    customer_id,
    design,
    variant_languages: languages = [],
    ...email
  }: WrittenEmail & { customer_id: string | null; design?: Design | null; variant_languages?: Locale[] },
): Promise<RenderedEmail> {
  const content = design ? await contentOf(scope, design) : email.content
  const customer = customer_id ? await getKnownCustomer(scope, customer_id) : null
  const rendered = await renderForCustomer(scope, {
    email: { ...email, content, design: design ?? null },
    customer,
    contentId: null,
    trackingEnabled: true,
    trackingParameters: NO_PARAMETERS,
  })
  if (customer === null || languages.length === 0) return rendered
  const { language: base } = await getMerchant(scope)
  return { ...rendered, customer_variant: variantOf({ languages, base }, customer) }
}

/** What the plain-text part would be, with its tags: to begin a written one from. */
export async function makePlainText(
  scope: MerchantScope,
  { content, design }: { content: string; design: Design | null },
): Promise<string> {
  const written = { content: design ? await contentOf(scope, design) : content, design }
  const [text = ''] = await textsOfHtml(scope, [(await expandComponents(scope, written)).content])
  return text
}

/** Where content was made from a design, its lines say nothing to the person who made it. */
function ofBlock({ line, ...one }: Finding, blockAt: ReturnType<typeof blockAtLine>): Finding {
  const block = line === undefined ? (one.block ?? null) : blockAt(line)
  const detail = one.code.startsWith('template_') ? (one.detail?.replace(/^\d+: /, '') ?? null) : one.detail
  return { ...one, detail, ...(block !== null && { block }) }
}

/**
 * The bytes of the final HTML for someone invented, tracking included. Throws for what would only be found out while it is being sent.
 */
export async function sizeOfSendable(scope: MerchantScope, email: WrittenEmail, path = ''): Promise<number> {
  // Spec §5: public mail services are not permitted as the sender domain.
  if (email.from_email && senderDomainIsPublic(email.from_email))
    throw invalid({ from_email: 'public_mail_domain' }, 'sender_domain_public')
  const { sizeBytes, refusal } = await examineWritten(scope, email)
  if (!refusal) return sizeBytes
  const { field, fault, line, message } = refusal
  throw new AppError('invalid', findingOf[fault], `${path}${field}, line ${line}: ${message}`, {
    [`${path}${field}`]: 'template_syntax',
  })
}

export async function examineWritten(
  scope: MerchantScope,
  email: WrittenEmail,
): Promise<{ sizeBytes: number; refusal: ExaminedMail['refusal'] }> {
  const { rendered, refusal } = await examine(scope, {
    email,
    customer: null,
    contentId: NIL_ID,
    trackingEnabled: true,
    trackingParameters: NO_PARAMETERS,
  })
  return { sizeBytes: rendered.size_bytes, refusal }
}
