import type { Locale } from '@okaeri/contract/locale'
import type { Mailer } from '../../../integrations/mail/mailer.ts'
import { classifyReply } from '../../../integrations/mail/reply.ts'
import type { SmtpEnvelope, SmtpOutcome } from '../../../integrations/mail/smtp-session.ts'
import type { DkimKey } from '../../../integrations/mail/dkim.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import {
  type ClaimedRow,
  type ComposedBatch,
  type Composer,
  type Connection,
  type FilledRow,
  failedResult,
  isRedirected,
  type Outgoing,
  type WithheldAnswer,
} from '../../deliveries/index.ts'
import {
  compileMail,
  createProductCards,
  type MailParts,
  type MailToFill,
  metafieldPathsOf,
  readMailProducts,
  readProductLists,
  segmentsNamed,
  storeUrlOf,
  TemplateError,
} from '../../email-rendering/index.ts'
import { mediaPrefixOf } from '../../media/index.ts'
import type { MetafieldPath } from '../../metafields/index.ts'
import { openOwnMailer } from '../../own-mailers/index.ts'
import { findDkimKey, linkBaseOf } from '../../sender-domains/index.ts'
import { createFilling } from '../filling.ts'
import { recipientPart, sharedData, withMemberships, withMetafields, withOwnProducts } from '../recipient.ts'
import { createCardReader } from './product-cards.ts'
import { type ComposedBytes, compileMessage, SCRATCH_BYTES, withSignature } from './composing.ts'
import { type FrozenMail, findFrozenMail } from './content-queries.ts'
import { type FilledMail, makeTexts } from './filling.ts'
import { languageFor, languagesOf, type OpenLanguage, type OpenMail, rowsByLanguage } from './languages.ts'
import { judge, postponed } from './outcome.ts'
import { openPacing } from './pacing.ts'

/** A server that refuses every recipient is tried again after so long. */
const ALL_RECEIVERS_PAUSE_MS = 60_000

type SentOutcome = Exclude<SmtpOutcome, { kind: 'withheld' }>

interface ComposedMail extends ComposedBatch, ComposedBytes {
  envelope: SmtpEnvelope
}

/** By which server it goes, and whether it may come back to the installation's domain. */
async function mailerOf({ scope, merchant }: Outgoing): Promise<{ mailer: Mailer; returnsToUs: boolean } | null> {
  const { mailers } = scope.context.integrations
  return merchant.own_mailer_id === null
    ? { mailer: mailers.forProvider(merchant.email_provider), returnsToUs: true }
    : openOwnMailer(scope, merchant.own_mailer_id)
}

export async function openMail(
  outgoing: Outgoing,
): Promise<Composer<FilledMail, ComposedMail, SentOutcome> | { failure: string } | 'not_now'> {
  const { scope, message } = outgoing
  const by = await mailerOf(outgoing)
  // Changed since the merchant was read: with the next look it is another route.
  if (!by) return 'not_now'
  const { mailer, returnsToUs } = by
  if (mailer.isFull) return 'not_now'
  const content = await findFrozenMail(scope, message.id)
  if (!content) throw new Error(`message ${message.id} has no content`)
  const storeUrl = await storeUrlOf(scope)
  const dkim = await findDkimKey(scope, content.from_email)
  const linkBase = await linkBaseOf(scope, content.link_host)
  const openIn = (
    localized: Pick<FrozenMail, 'subject' | 'html' | 'text'> & { language: Locale | null },
    isVariant: boolean,
  ) => openLanguage(outgoing, mailer, { content, localized, isVariant, storeUrl, dkim, linkBase })
  const base = await openIn(content, false)
  if ('failure' in base) return base
  const variants = new Map<string, OpenLanguage>()
  for (const localized of content.variants) {
    const one = await openIn(localized, true)
    if ('failure' in one) return { failure: `${localized.language}: ${one.failure}` }
    variants.set(localized.language, one)
  }
  const from = content.from_email
  const pacing = await openPacing(scope, { route: mailer.name, from })
  const open: OpenMail = { outgoing, base, variants, from, returnsToUs, pacing }
  const templates = languagesOf(open).flatMap(templatesOf)
  const paths = await metafieldPathsOf(scope, templates, 'work')
  const segmentIds = segmentsNamed(templates)
  return {
    batchSize: 1,
    fixesBatches: false,
    languages: [...variants.keys()],
    enrich: async (scope, rows) =>
      withMemberships(scope, await withLanguageData(scope, open, { rows, paths }), segmentIds),
    pace: pacing.share,
    returnUnsent: pacing.returnUnsent,
    fill: languagesOf(open).some((one) => one.needsTexts || one.choices.length > 0)
      ? createFilling((rows) => makeTexts(open, rows))
      : null,
    acquireConnection: () => acquireConnection(open, mailer),
  }
}

const templatesOf = ({ mail }: OpenLanguage): string[] => [mail.subject, mail.html, mail.text]

/** Metafields and products as each language writes them, in one statement for each that is among the rows. */
async function withLanguageData(
  scope: TransactionScope,
  open: OpenMail,
  { rows, paths }: { rows: ClaimedRow[]; paths: readonly MetafieldPath[] },
): Promise<ClaimedRow[]> {
  const described = async (language: OpenLanguage, some: ClaimedRow[]): Promise<ClaimedRow[]> => {
    const { cards, language: locale } = language
    const templates = templatesOf(language)
    return withOwnProducts(scope, await withMetafields(scope, some, { paths, locale }), { templates, cards })
  }
  if (open.variants.size === 0) return described(open.base, rows)
  const known = new Map<string, ClaimedRow>()
  for (const [language, some] of rowsByLanguage(open, rows))
    for (const row of await described(language, some)) known.set(row.id, row)
  return rows.map((row) => known.get(row.id) ?? row)
}

async function openLanguage(
  outgoing: Outgoing,
  mailer: Mailer,
  {
    content,
    localized: { subject, text, language: its, ...localized },
    isVariant,
    storeUrl,
    dkim,
    linkBase,
  }: {
    content: FrozenMail
    localized: Pick<FrozenMail, 'subject' | 'html' | 'text'> & { language: Locale | null }
    isVariant: boolean
    storeUrl: string
    dkim: DkimKey | null
    linkBase: string
  },
): Promise<OpenLanguage | { failure: string }> {
  const { scope, merchant, message } = outgoing
  const language = its ?? (merchant.language === 'en' ? 'en' : 'ja')
  const sender = { name: content.from_name, email: content.from_email }
  const html = picturesAt(linkBase, localized.html, scope)
  const templates = [subject, html, text]
  // Once for a time slice of seconds: no price in a mail is older.
  const cards = createProductCards({ locale: language, storeUrl })
  const shared = {
    ...sharedData(merchant, sender, storeUrl),
    ...(await readMailProducts(scope, templates, { locale: language, storeUrl })),
    ...(await readProductLists(scope, templates, cards)),
  }
  const mail = { subject, html, text, shared }
  const parts = await compiled(scope, mail)
  if ('failure' in parts) return parts
  const compose = compileMessage(frozen(message.id, content), parts, {
    publicUrl: linkBase,
    language,
    dkim: dkim ?? mailer.signingKey,
    keepsSubject: isVariant,
  })
  const filled = [...parts.subject, ...parts.html, ...parts.text].filter((part) => typeof part !== 'string')
  const needsTexts = filled.some((part) => 'text' in part)
  const choices = [...new Set(filled.flatMap((part) => ('card' in part ? part.choice : [])))]
  const readCards = createCardReader(scope, mail)
  return { outgoing, language, shared, mail, cards, compose, needsTexts, choices, readCards, linkBase }
}

/** The merchant's own pictures, once for all recipients. */
function picturesAt(linkBase: string, html: string, { merchantId, context }: MerchantScope): string {
  const { publicUrl } = context.settings
  if (linkBase === publicUrl) return html
  return html.replaceAll(
    `${publicUrl}/image/${mediaPrefixOf(merchantId)}`,
    `${linkBase}/image/${mediaPrefixOf(merchantId)}`,
  )
}

function acquireConnection(open: OpenMail, mailer: Mailer): Connection<FilledMail, ComposedMail, SentOutcome> {
  const connection = mailer.acquireConnection()
  // One mail is on its way while the next is composed; a third begins when the first was answered, so is out of memory's use.
  let [now, next] = [Buffer.allocUnsafe(SCRATCH_BYTES), Buffer.allocUnsafe(SCRATCH_BYTES)]
  let upcoming: () => ComposedBatch | null = () => null
  const upcomingEnvelope = (): SmtpEnvelope | null => (upcoming() as ComposedMail | null)?.envelope ?? null
  return {
    compose([one], report) {
      if (!one) return null
      const held = open.pacing.heldUntil(one.row, open.outgoing.scope.context.clock.now())
      if (held) {
        report(postponed(one.row.id, held.answer, held.until))
        return null
      }
      try {
        const mail = composeMail(open, one, next)
        ;[now, next] = [next, now]
        return mail
      } catch (error) {
        report(failedResult(one.row.id, 'content', error instanceof Error ? error.message : String(error)))
        return null
      }
    },
    async handOver(mail, mayTransmit, askUpcoming): Promise<SentOutcome | WithheldAnswer> {
      upcoming = askUpcoming
      const outcome = await connection.send(mail.envelope, await withSignature(mail), mayTransmit, upcomingEnvelope)
      if (outcome.kind === 'refused' && classifyReply(outcome.reply, outcome.stage) === 'receiver_limit')
        await open.pacing.slowed(mail.rows[0] as ClaimedRow, outcome.reply.text)
      if (outcome.kind === 'accepted') open.pacing.accepted()
      return outcome
    },
    judge(outcome, { rows, subject }, at) {
      const { result, pause, isOneTooMany = false } = judge(outcome, rows[0] as ClaimedRow, at)
      const results = [{ ...result, filledSubject: subject }]
      if (result.reason === 'receiver_limit' && open.pacing.limitsAllReceivers)
        return { results, pause: { ms: ALL_RECEIVERS_PAUSE_MS, detail: result.detail ?? '' } }
      return { results, pause, isOneTooMany }
    },
    close: () => connection.close(),
  }
}

function composeMail(open: OpenMail, one: FilledRow | FilledMail, scratch: Buffer): ComposedMail {
  const { outgoing } = open
  const { scope, merchant } = outgoing
  const { row } = one
  const language = languageFor(open, row)
  const testAddresses = merchant.confirmed_test_emails
  const redirected = isRedirected(row, outgoing, testAddresses)
  const to = redirected ? testAddresses : [row.address]
  const filled = 'token' in one ? one : null
  const part = filled ?? recipientPart(language, row)
  const { token, bounceToken } = part
  const { domain } = scope.context.settings.bounces
  const data = { ...language.mail.shared, ...part.data }
  // The subject names who it was for. A guest, or a customer without an address, can be tested with too.
  const intendedFor = redirected ? row.address || row.display_name || null : null
  const composed = language.compose(
    {
      deliveryId: row.id,
      token,
      bounceToken,
      to,
      intendedFor,
      data,
      texts: filled?.texts ?? [],
      chosen: filled?.chosen ?? {},
    },
    scope.context.clock.now(),
    scratch,
  )
  const from = domain === null || !open.returnsToUs ? open.from : `b+${bounceToken}@${domain}`
  return { ...composed, rows: [row], envelope: { from, to } }
}

/** Frozen content can be filled in; but what is offered, and how much of it, may have been more when it was frozen. */
async function compiled(scope: MerchantScope, mail: MailToFill): Promise<MailParts | { failure: string }> {
  try {
    const answer = await compileMail(scope, mail)
    return 'parts' in answer ? answer.parts : { failure: answer.failure.message }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { failure: error.message }
  }
}

const frozen = (id: string, { from_name, from_email, reply_to }: FrozenMail) => ({
  id,
  fromName: from_name,
  fromEmail: from_email,
  replyTo: reply_to,
})
