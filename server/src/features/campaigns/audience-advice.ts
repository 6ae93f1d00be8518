import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { warmUpDaysFor, warmUpLeft } from '@okaeri/contract/sender-domains/warm-up'
import type { Finding } from '@okaeri/contract/emails/email'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { type Audience, whyNotContactable } from '../deliveries/index.ts'
import { finding, unguardedFields } from '../email-rendering/index.ts'
import { receivesVariant } from '../customers/index.ts'
import { type EmailContent, languagesOf } from '../emails/index.ts'
import { getMerchant, senderOf } from '../merchants/index.ts'
import { listKeptMetafields } from '../metafields/index.ts'
import { findSenderStanding, findWarmUpOf } from '../sender-domains/index.ts'
import { recipientsBy } from './audience.ts'
import { and } from './audience-sql.ts'
import { countWithoutValue, type EmptyField } from './queries.ts'

/** For each field the mail shows, how many of its recipients have no value there. Each language is checked for the people who get it. */
export async function findEmpty(scope: TransactionScope, mailed: Audience, email: EmailContent): Promise<Finding[]> {
  const { variants, ...base } = email
  if (variants.length === 0) return findEmptyIn(scope, mailed, base)
  const languages = languagesOf(email)
  const merchant = await getMerchant(scope)
  const found: Finding[] = []
  for (const said of [{ ...base, language: null }, ...variants]) {
    const where = and(mailed.where, receivesVariant(languages, said.language))
    const language = said.language ?? merchant.language
    for (const one of await findEmptyIn(scope, { ...mailed, where }, said)) found.push({ ...one, language })
  }
  return found
}

type ContentToCheck = Pick<EmailContent, 'subject' | 'preheader' | 'content' | 'plain_text' | 'design' | 'typed_lines'>

async function findEmptyIn(scope: TransactionScope, mailed: Audience, said: ContentToCheck): Promise<Finding[]> {
  const paths = unguardedFields([said.subject, said.preheader, said.content, said.plain_text ?? ''])
  const isKept = paths.some((path) => path.startsWith('metafields.'))
  const kept = isKept ? await listKeptMetafields(scope) : []
  const asked = paths.flatMap((path): { path: string; field: EmptyField }[] => {
    if (path === 'first_name' || path === 'last_name' || path === 'phone' || path === 'tags')
      return [{ path, field: path }]
    const setting = kept.find(({ namespace, key }) => path === `metafields.${namespace}.${key}`)
    return setting ? [{ path, field: { metafieldId: setting.id } }] : []
  })
  if (asked.length === 0) return []
  const who = { where: mailed.where, reason: whyNotContactable(scope, mailed) }
  const some = asked.slice(0, MAX_FIELDS_COUNTED)
  const counts = await countWithoutValue(
    scope,
    who,
    some.map(({ field }) => field),
  )
  return some.flatMap(({ path }, at) => {
    const people = counts[at] ?? 0
    if (people === 0) return []
    return [{ ...finding('empty_for_some', `{{ customer.${path} }}`, lineOfTag(said, path)), people }]
  })
}
/** Each is looked up for every recipient. */
const MAX_FIELDS_COUNTED = 12

/** As typed; undefined where it stands in the subject or the preheader only, or the content was not typed. */
function lineOfTag({ content, design, typed_lines }: ContentToCheck, path: string): number | undefined {
  if (design) return undefined
  const at = content.search(new RegExp(`\\{\\{-?\\s*customer\\.${path.replaceAll('.', '\\.')}(?![\\w-])`))
  if (at < 0) return undefined
  const line = content.slice(0, at).split('\n').length
  return typed_lines?.[line - 1] ?? line
}

/** Gmail and Yahoo ask a proved domain of who sends 5,000 mails a day; it takes days to set up, so it is said long before. */
const MANY_MAILS = 1_000
export async function findUnprovedSender(
  scope: MerchantScope,
  email: EmailContent,
  parts: CampaignReview['parts'],
): Promise<Finding[]> {
  const mails = recipientsBy('email', parts)
  const sender = senderOf(email, await getMerchant(scope)).email
  if (mails < MANY_MAILS || sender === '' || (await findSenderStanding(scope, sender))) return []
  return [finding('sender_domain_unverified', sender.slice(sender.lastIndexOf('@') + 1))]
}

/** How the mails of a campaign spread over the days of its sender's warm-up; null where they all go at once. */
export async function warmUpOf(
  scope: MerchantScope,
  email: EmailContent,
  parts: CampaignReview['parts'],
): Promise<CampaignReview['warm_up']> {
  const mails = recipientsBy('email', parts)
  const merchant = await getMerchant(scope)
  const sender = senderOf(email, merchant).email
  if (sender === '' || merchant.test_mode) return null
  const warmUp = await findWarmUpOf(scope, sender)
  const left = warmUp && warmUpLeft(warmUp)
  if (!left || mails <= left.today) return null
  return { domain: sender.slice(sender.lastIndexOf('@') + 1), today: left.today, days: warmUpDaysFor(left, mails) }
}
