import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { isDeepStrictEqual } from 'node:util'
import type { Design } from '@okaeri/contract/emails/design'
import type { Email, EmailSummary } from '@okaeri/contract/emails/email'
import { starterDesign } from '@okaeri/contract/emails/starter-design'
import type { StarterKey } from '@okaeri/contract/emails/starters'
import { normalizeEmail } from '@okaeri/contract/fields'
import type { Locale } from '@okaeri/contract/locale'
import type { Page } from '@okaeri/contract/paging'
import type { ProgramUse } from '@okaeri/contract/program-use'
import { checkCaptcha } from '../../integrations/captcha/captcha.ts'
import { AppError, conflict, invalid, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { getKnownCustomer, storeUrlOf } from '../email-rendering/index.ts'
import {
  findTestMails,
  getMerchant,
  nameOfCopy,
  refuseUnlessAccountConfirmed,
  senderOf,
  unconfirmedOf,
} from '../merchants/index.ts'
import { noResults, type Results, rate, resultsOfEmails } from '../stats/index.ts'
import { expandComponents } from './component-expansion.ts'
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
  return { ...present(row, results, currency), content: row.content, design: row.design }
}

async function getEmailRow(scope: MerchantScope, id: string, options?: { lock: boolean }): Promise<EmailRow> {
  const row = await findEmailRow(scope, id, options)
  if (!row) throw notFound('there is no such email')
  return row
}

export async function createEmail(
  scope: MerchantScope,
  given: Omit<WrittenEmail, 'content'> & {
    name: string
    content?: string | undefined
    design?: Design | undefined
    type?: Email['type'] | undefined
    language?: Locale | undefined
    starter?: StarterKey | undefined
  },
): Promise<Email> {
  const { language, starter = 'newsletter', content, design: givenDesign, type = 'HTML', ...fields } = given
  if (content !== undefined && givenDesign !== undefined) throw invalid({ content: 'not_allowed' })
  const from = {
    starter,
    language: language ?? (await getMerchant(scope)).language,
    storeUrl: await linkToStore(scope),
  }
  const design = givenDesign ?? (type === 'VISUAL' && content === undefined ? starterDesign(from) : null)
  const written = {
    ...fields,
    from_name: fields.from_name || null,
    content: design ? await contentOf(scope, design) : (content ?? starterContent(from)),
    design,
  }
  const sizeBytes = await sizeOfSendable(scope, written)
  const id = newId()
  await scope.transaction(async (scope) => {
    await insertEmail(scope, {
      ...written,
      id,
      size_bytes: sizeBytes,
      components: await keepComponents(scope, written),
    })
    await keepVersion(scope, { ...written, id }, null)
  })
  return getEmail(scope, id)
}

/** Keys of the components in the content, none of which is deleted before this is saved. */
async function keepComponents(scope: TransactionScope, { content }: { content: string }): Promise<string[]> {
  const keys = componentKeysIn(content)
  const kept = keys.length === 0 ? [] : await listComponentContents(scope, keys, { forShare: true })
  if (kept.length < keys.length) throw invalid({ content: 'not_found' })
  return keys
}

const linkToStore = async (scope: MerchantScope): Promise<string> => (await storeUrlOf(scope)) || EXAMPLE_STORE_URL

type Changeable = WrittenEmail & { name: string; design: Design | null }
type EmailParts = { [K in keyof Changeable]?: Changeable[K] | undefined }
/** An empty name means that of the settings, as none does. */
const partsOf = (parts: EmailParts): EmailParts =>
  Object.fromEntries(
    Object.entries(parts)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, field === 'from_name' ? value || null : value]),
  )

/** Throws `email_changed_meanwhile` for a field that is neither what the person began from nor what they want. */
export async function changeEmail(
  scope: MerchantScope,
  id: string,
  change: EmailParts & { began?: EmailParts | undefined },
): Promise<Email> {
  const { began = {}, ...wanted } = change
  const named = partsOf(wanted)
  const seenBefore = partsOf(began)
  const changed = (before: EmailRow): EmailRow => {
    // A design takes the place of what was written as code.
    const replaced: (keyof EmailParts)[] = named.design && before.design === null ? ['content'] : []
    const lost = [...(Object.keys(named) as (keyof EmailParts)[]), ...replaced].filter(
      (field) =>
        field in seenBefore &&
        !isDeepStrictEqual(before[field], seenBefore[field]) &&
        !isDeepStrictEqual(before[field], named[field]),
    )
    if (lost.length > 0) throw conflict('email_changed_meanwhile', `saved by somebody else: ${lost.join(', ')}`)
    const after = { ...before, ...named }
    // What is made from a design is not written beside it.
    if (after.design !== null && named.content !== undefined) throw invalid({ content: 'not_allowed' })
    return named.design ? { ...after, content: made } : after
  }
  // Looked at without holding anything: it may take as long as a template may.
  const made = named.design ? await contentOf(scope, named.design) : ''
  const seen = changed(await getEmailRow(scope, id))
  const sizeBytes = await sizeOfSendable(scope, seen)
  const done = await scope.transaction(async (scope) => {
    const before = await getEmailRow(scope, id, { lock: true })
    const after = changed(before)
    if (!isSameMail(seen, after)) return null
    const { is_visual: _, created_at: __, updated_at: ___, ...columns } = after
    await updateEmail(scope, { ...columns, size_bytes: sizeBytes, components: await keepComponents(scope, after) })
    await keepVersion(scope, after, before)
    return getEmail(scope, id)
  })
  // Another member saved it in between.
  return done ?? changeEmail(scope, id, change)
}

const isSameMail = (one: WrittenEmail, other: WrittenEmail): boolean =>
  (['subject', 'preheader', 'content', 'from_email', 'from_name'] as const).every(
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
  const { content, design, subject, preheader, from_email, from_name, size_bytes, name } = await getEmailRow(scope, id)
  const copyId = newId()
  const copyName = await nameOfCopy(scope, name, language)
  await scope.transaction(async (scope) => {
    await insertEmail(scope, {
      id: copyId,
      name: copyName,
      subject,
      preheader,
      from_email,
      from_name,
      content,
      design,
      size_bytes,
      components: await keepComponents(scope, { content }),
    })
    await keepVersion(scope, { id: copyId, subject, preheader, content, design }, null)
  })
  return getEmail(scope, copyId)
}

/** Through the ledger like everything that reaches people (domain.md §2). Throws `captcha_failed`. */
export async function testSendEmail(
  scope: MerchantScope,
  id: string,
  to: { emails: readonly string[]; customer_id: string | null; subject: string | null; captcha: string },
): Promise<DeliveryView[]> {
  const email = await getEmailRow(scope, id)
  const merchant = await getMerchant(scope)
  if (to.customer_id) await getKnownCustomer(scope, to.customer_id)
  const sender = senderOf(email, merchant)
  if (!sender.email) throw conflict('preflight_failed', 'there is no sender address; enter one in the settings')
  await refuseUnconfirmed(scope, { fromEmail: sender.email, to: to.emails })
  const used = await findTestMails(scope)
  if (used + to.emails.length > scope.context.settings.testMailsPerDay)
    throw new AppError('rate_limited', 'test_mails_used_up', `${used} test mails went out today already`)
  // Last, since it is used up by it: what is wrong otherwise is said first.
  await checkCaptcha(scope.context, to.captcha)
  const addresses = new Map(to.emails.map((address) => [address.toLowerCase(), address]))
  return scope.context.ports.sendTestEmail(
    scope,
    {
      emailId: id,
      subject: to.subject ?? email.subject,
      preheader: email.preheader,
      fromName: sender.name,
      fromEmail: sender.email,
      replyTo: sender.replyTo,
      html: (await expandComponents(scope, email)).content,
    },
    { addresses: [...addresses.values()], customerId: to.customer_id },
  )
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
