import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { isDeepStrictEqual } from 'node:util'
import type { Design } from '@okaeri/contract/emails/design'
import type { Email, EmailSummary, EmailVariantFields } from '@okaeri/contract/emails/email'
import { starterDesign } from '@okaeri/contract/emails/starter-design'
import type { StarterKey } from '@okaeri/contract/emails/starters'
import { normalizeEmail } from '@okaeri/contract/fields'
import { type Locale, locales } from '@okaeri/contract/locale'
import type { Page } from '@okaeri/contract/paging'
import type { ProgramUse } from '@okaeri/contract/program-use'
import { checkCaptcha } from '../../integrations/captcha/captcha.ts'
import { AppError, conflict, invalid, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { getKnownCustomer, type KnownCustomer, storeUrlOf } from '../email-rendering/index.ts'
import {
  findTestMails,
  getMerchant,
  nameOfCopy,
  refuseUnlessAccountConfirmed,
  senderOf,
  unconfirmedOf,
} from '../merchants/index.ts'
import { noResults, type Results, rate, resultsOfEmails } from '../stats/index.ts'
import { expandContent } from './component-expansion.ts'
import { listComponentContents } from './component-queries.ts'
import { componentKeysIn } from './component-tags.ts'
import { contentOf } from './design.ts'
import { sizeOfSendable, type WrittenEmail } from './preview.ts'
import {
  type EmailRow,
  type EmailSort,
  type EmailSummaryRow,
  findEmailRow,
  insertEmail,
  markEmailDeleted,
  selectEmails,
  updateEmail,
} from './queries.ts'
import { starterContent } from './starter.ts'
import {
  isTextBehind,
  mergeVariants,
  presentVariant,
  refuseWithoutContent,
  type LanguageContent,
  textWrittenFor,
  typedOf,
  type Variant,
  variantOf,
} from './variant.ts'
import { keepVersion } from './version.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** The campaigns not yet done, and the scenarios, that an email cannot be taken from. */
    programsUsingEmail(scope: MerchantScope, emailId: string): Promise<ProgramUse[]>
    /** Writes test deliveries into the ledger, which sends them. */
    sendTestEmail(scope: MerchantScope, mail: TestMail, to: TestRecipients): Promise<DeliveryView[]>
  }
}
interface TestMail {
  emailId: string
  subject: string
  preheader: string
  fromName: string
  fromEmail: string
  replyTo: string | null
  html: string
  plainText: string | null
  /** The variant's; null: the base. */
  language: Locale | null
}
interface TestRecipients {
  addresses: readonly string[]
  /** The customer whose data fills the tags; null: an example's. */
  customerId: string | null
}

/** Until a store is connected. */
const EXAMPLE_STORE_URL = 'https://example.com/'

export async function listEmails(
  scope: MerchantScope,
  query: { q?: string | undefined; sort: EmailSort; direction: 'asc' | 'desc'; limit: number; offset: number },
): Promise<Page<EmailSummary>> {
  const { rows, total } = await selectEmails(scope, query)
  const { currency } = await getMerchant(scope)
  const results = await resultsOfEmails(
    scope,
    rows.map(({ id }) => id),
  )
  return {
    data: rows.map((row) => present(row, results.get(row.id) ?? noResults(), currency)),
    limit: query.limit,
    offset: query.offset,
    total,
  }
}

const present = (row: EmailSummaryRow, results: Results, currency: string): EmailSummary => ({
  id: row.id,
  name: row.name,
  subject: row.subject,
  preheader: row.preheader,
  from_email: row.from_email,
  from_name: row.from_name,
  type: row.is_visual ? 'VISUAL' : 'HTML',
  languages: row.languages,
  size_bytes: row.size_bytes,
  sent_count: results.sent,
  open_rate: rate(results.opened, results.sent),
  click_rate: rate(results.clicked, results.sent),
  revenue: { amount: results.revenue, currency },
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export async function getEmail(scope: MerchantScope, id: string): Promise<Email> {
  const row = await getEmailRow(scope, id)
  const { currency } = await getMerchant(scope)
  const results = (await resultsOfEmails(scope, [id])).get(id) ?? noResults()
  const { content, design, plain_text, variants } = row
  return {
    ...present(row, results, currency),
    content,
    design,
    plain_text,
    plain_text_is_behind: isTextBehind(row),
    variants: variants.map(presentVariant),
  }
}

async function getEmailRow(scope: MerchantScope, id: string, options?: { lock: boolean }): Promise<EmailRow> {
  const row = await findEmailRow(scope, id, options)
  if (!row) throw notFound('there is no such email')
  return row
}

export async function createEmail(
  scope: MerchantScope,
  given: Omit<WrittenEmail, 'content' | 'plain_text'> & {
    name: string
    content?: string | undefined
    design?: Design | undefined
    plain_text: string | null
    variants: EmailVariantFields[]
    type?: Email['type'] | undefined
    language?: Locale | undefined
    starter?: StarterKey | undefined
  },
): Promise<Email> {
  const { language, starter = 'newsletter', content, design: givenDesign, type = 'HTML', ...fields } = given
  if (content !== undefined && givenDesign !== undefined) throw invalid({ content: 'not_allowed' })
  refuseWithoutContent(fields.variants)
  const from = {
    starter,
    language: language ?? (await getMerchant(scope)).language,
    storeUrl: await linkToStore(scope),
  }
  const design = givenDesign ?? (type === 'VISUAL' && content === undefined ? starterDesign(from) : null)
  const variants = await makeVariants(scope, fields.variants, { variants: [] })
  const written = {
    ...fields,
    from_name: fields.from_name || null,
    content: design ? await contentOf(scope, design) : (content ?? starterContent(from)),
    design,
  }
  const measured = await measure(scope, { ...written, variants })
  const id = newId()
  const columns = { ...written, id, plain_text_for: textWrittenFor(written, undefined, true), ...measured }
  await scope.transaction(async (scope) => {
    await insertEmail(scope, { ...columns, components: await keepComponents(scope, columns) })
    await keepVersion(scope, columns, null)
  })
  return getEmail(scope, id)
}

/** With their contents made, what was not wanted otherwise as it was. */
async function makeVariants(
  scope: MerchantScope,
  wanted: readonly (Omit<EmailVariantFields, 'plain_text_fits'> & { plain_text_fits?: boolean | undefined })[],
  before: Pick<EmailRow, 'variants'>,
): Promise<Variant[]> {
  const made: Variant[] = []
  for (const { plain_text_fits: fits, ...typed } of wanted) {
    const old = before.variants.find(({ language }) => language === typed.language)
    const isAsBefore = typed.design !== null && isDeepStrictEqual(old?.design, typed.design)
    const content = isAsBefore ? old?.content : typed.design ? await contentOf(scope, typed.design) : typed.content
    const said = { ...typed, content: content ?? '' }
    made.push({ ...said, plain_text_for: textWrittenFor(said, old, fits), size_bytes: old?.size_bytes ?? 0 })
  }
  return made.toSorted((one, other) => locales.indexOf(one.language) - locales.indexOf(other.language))
}

/** Refuses what cannot be sent, in any language, at its field. */
async function measure(
  scope: MerchantScope,
  { variants, ...email }: WrittenEmail & { variants: readonly Variant[] },
): Promise<{ size_bytes: number; variants: Variant[] }> {
  const size_bytes = await sizeOfSendable(scope, email)
  const { from_email, from_name } = email
  const measured: Variant[] = []
  for (const [at, variant] of variants.entries()) {
    const written = { ...variant, from_email, from_name }
    measured.push({ ...variant, size_bytes: await sizeOfSendable(scope, written, `variants.${at}.`) })
  }
  return { size_bytes, variants: measured }
}

/** Keys of the components in the email, in any language. They cannot be deleted before this is saved. */
async function keepComponents(
  scope: TransactionScope,
  { content, plain_text, variants }: Pick<EmailRow, 'content' | 'plain_text' | 'variants'>,
): Promise<string[]> {
  const texts = [{ content, plain_text }, ...variants].flatMap((said) => [said.content, said.plain_text ?? ''])
  const keys = [...new Set(texts.flatMap(componentKeysIn))]
  const kept = keys.length === 0 ? [] : await listComponentContents(scope, keys, { forShare: true })
  if (kept.length < keys.length) throw invalid({ content: 'not_found' })
  return keys
}

const linkToStore = async (scope: MerchantScope): Promise<string> => (await storeUrlOf(scope)) || EXAMPLE_STORE_URL

type Changeable = Omit<WrittenEmail, 'language'> & { name: string; design: Design | null; plain_text: string | null }
type EmailParts = { [K in keyof Changeable]?: Changeable[K] | undefined }
/** An empty name means that of the settings, as none does. */
const partsOf = (parts: EmailParts): EmailParts =>
  Object.fromEntries(
    Object.entries(parts)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, field === 'from_name' ? value || null : value]),
  )

type Given = EmailParts & { variants?: EmailVariantFields[] | undefined }

/** Throws `email_changed_meanwhile` for a field that is neither what the person began from nor what they want. */
export async function changeEmail(
  scope: MerchantScope,
  id: string,
  change: Given & { plain_text_fits?: boolean | undefined; began?: Given | undefined },
): Promise<Email> {
  const { began = {}, plain_text_fits: fits, variants: wantedVariants, ...wanted } = change
  const { variants: seenVariants, ...seenFields } = began
  if (wantedVariants) refuseWithoutContent(wantedVariants)
  const named = partsOf(wanted)
  const seenBefore = partsOf(seenFields)
  const changed = (before: EmailRow): Omit<EmailRow, 'variants'> & { wanted: EmailVariantFields[] } => {
    // A design takes the place of what was written as code.
    const replaced: (keyof EmailParts)[] = named.design && before.design === null ? ['content'] : []
    const lost: string[] = [...(Object.keys(named) as (keyof EmailParts)[]), ...replaced].filter(
      (field) =>
        field in seenBefore &&
        !isDeepStrictEqual(before[field], seenBefore[field]) &&
        !isDeepStrictEqual(before[field], named[field]),
    )
    const saved = before.variants.map(typedOf)
    const merged = wantedVariants
      ? mergeVariants(saved, wantedVariants, seenVariants)
      : { variants: saved, lost: [] as string[] }
    lost.push(...merged.lost)
    if (lost.length > 0) throw conflict('email_changed_meanwhile', `saved by someone else: ${lost.join(', ')}`)
    const { variants: _, ...rest } = before
    const after = { ...rest, ...named }
    // What is made from a design is not written beside it.
    if (after.design !== null && named.content !== undefined) throw invalid({ content: 'not_allowed' })
    const said = named.design ? { ...after, content: made } : after
    return { ...said, plain_text_for: textWrittenFor(said, before, fits), wanted: merged.variants }
  }
  // Looked at without holding anything: it may take as long as a template may.
  const made = named.design ? await contentOf(scope, named.design) : ''
  const first = await getEmailRow(scope, id)
  const { wanted: variants, ...seen } = changed(first)
  const measured = await measure(scope, { ...seen, variants: await makeVariants(scope, variants, first) })
  const done = await scope.transaction(async (scope) => {
    const before = await getEmailRow(scope, id, { lock: true })
    const { wanted: others, ...after } = changed(before)
    if (!isSameMail(seen, after) || !isDeepStrictEqual(variants, others)) return null
    const { is_visual: _, languages: __, created_at: ___, updated_at: ____, ...columns } = { ...after, ...measured }
    await updateEmail(scope, { ...columns, components: await keepComponents(scope, columns) })
    await keepVersion(scope, columns, before)
    return getEmail(scope, id)
  })
  // Another member saved it in between.
  return done ?? changeEmail(scope, id, change)
}

const isSameMail = (one: WrittenEmail, other: WrittenEmail): boolean =>
  (['subject', 'preheader', 'content', 'plain_text', 'from_email', 'from_name'] as const).every(
    (field) => one[field] === other[field],
  )

export function deleteEmail(scope: MerchantScope, id: string): Promise<void> {
  return scope.transaction(async (scope) => {
    await getEmailRow(scope, id, { lock: true })
    const users = await scope.context.ports.programsUsingEmail(scope, id)
    if (users.length > 0) throw conflict('email_in_use', `used by ${users.map(({ name }) => name).join(', ')}`)
    await markEmailDeleted(scope, id)
  })
}

export async function duplicateEmail(scope: MerchantScope, id: string, language?: Locale): Promise<Email> {
  const { languages: _, is_visual: __, created_at: ___, updated_at: ____, ...row } = await getEmailRow(scope, id)
  const copy = { ...row, id: newId(), name: await nameOfCopy(scope, row.name, language) }
  await scope.transaction(async (scope) => {
    await insertEmail(scope, { ...copy, components: await keepComponents(scope, copy) })
    await keepVersion(scope, copy, null)
  })
  return getEmail(scope, copy.id)
}

/** Through the ledger like everything that reaches people (domain.md §2). Throws `captcha_failed`. */
export async function testSendEmail(
  scope: MerchantScope,
  id: string,
  to: {
    emails: readonly string[]
    customer_id: string | null
    subject: string | null
    language?: Locale | 'base' | undefined
    captcha: string
  },
): Promise<DeliveryView[]> {
  const email = await getEmailRow(scope, id)
  const merchant = await getMerchant(scope)
  const customer = to.customer_id ? await getKnownCustomer(scope, to.customer_id) : null
  const mails = mailsToTest(email, { language: to.language, customer, base: merchant.language })
  const sender = senderOf(email, merchant)
  if (!sender.email) throw conflict('preflight_failed', 'there is no sender address; enter one in the settings')
  await refuseUnconfirmed(scope, { fromEmail: sender.email, to: to.emails })
  const used = await findTestMails(scope)
  if (used + to.emails.length * mails.length > scope.context.settings.testMailsPerDay)
    throw new AppError('rate_limited', 'test_mails_used_up', `${used} test mails went out today already`)
  // Last, since it is used up by it: what is wrong otherwise is said first.
  await checkCaptcha(scope.context, to.captcha, { form: 'test_mail', merchantId: null })
  const addresses = [...new Map(to.emails.map((address) => [address.toLowerCase(), address])).values()]
  const deliveries: DeliveryView[] = []
  for (const { language, subject, preheader, ...said } of mails) {
    const { content, plainText } = await expandContent(scope, said)
    const written = { emailId: id, subject: to.subject ?? subject, preheader, html: content, plainText, language }
    const from = { fromName: sender.name, fromEmail: sender.email, replyTo: sender.replyTo }
    const recipients = { addresses, customerId: customer?.id ?? null }
    deliveries.push(...(await scope.context.ports.sendTestEmail(scope, { ...written, ...from }, recipients)))
  }
  return deliveries
}

/** The language asked for; else what the customer gets; else each. */
function mailsToTest(
  email: EmailRow,
  { language, customer, base }: { language: Locale | 'base' | undefined; customer: KnownCustomer | null; base: Locale },
): (LanguageContent & { language: Locale | null })[] {
  const all: (LanguageContent & { language: Locale | null })[] = [{ ...email, language: null }, ...email.variants]
  if (language === undefined && !customer) return all
  const wanted = language === undefined ? variantOf({ languages: email.languages, base }, customer).language : language
  const chosen = all.filter((one) => (one.language ?? 'base') === (wanted ?? 'base'))
  if (chosen.length === 0) throw invalid({ language: 'not_found' })
  return chosen
}

/** The account's own address, the sender's and each recipient's: who has not agreed is neither mailed to nor mailed from. */
async function refuseUnconfirmed(
  scope: MerchantScope,
  { fromEmail, to }: { fromEmail: string; to: readonly string[] },
): Promise<void> {
  await refuseUnlessAccountConfirmed(scope)
  if ((await unconfirmedOf(scope, 'sender', [fromEmail])).length > 0)
    throw conflict('sender_unconfirmed', `${fromEmail} is not confirmed as a sender`)
  const strangers = new Set(await unconfirmedOf(scope, 'test', to))
  const fields = to.flatMap((email, index) =>
    strangers.has(normalizeEmail(email)) ? [[`emails.${index}`, 'address_unconfirmed'] as const] : [],
  )
  if (fields.length > 0) throw invalid(Object.fromEntries(fields), 'test_address_unconfirmed')
}
