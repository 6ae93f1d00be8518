import type { Mailer } from '../../../integrations/mail/mailer.ts'
import { classifyReply } from '../../../integrations/mail/reply.ts'
import type { SmtpEnvelope, SmtpOutcome } from '../../../integrations/mail/smtp-session.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import {
  type ClaimedRow,
  type ComposedBatch,
  type Composer,
  type Connection,
  type FilledRow,
  failed,
  isRedirected,
  type Outgoing,
  type Withheld,
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
import { openOwnMailer } from '../../own-mailers/index.ts'
import { findDkimKey, findWarmUpOf } from '../../sender-domains/index.ts'
import { createFilling } from '../filling.ts'
import {
  recipientPart,
  type Shared,
  sharedData,
  withMemberships,
  withMetafields,
  withOwnProducts,
} from '../recipient.ts'
import { type Compose, type Composed, compileMessage, SCRATCH_BYTES, sealed } from './composing.ts'
import { type FrozenMail, findFrozenMail } from './content-queries.ts'
import { type FilledMail, makeTexts } from './filling.ts'
import { judge, putOff } from './outcome.ts'
import { openPacing, type Pacing } from './pacing.ts'

/** A message's mail, compiled for this time slice. */
export interface OpenMail extends Shared {
  /** The content, with what is the same for every recipient. */
  mail: MailToFill
  compose: Compose
  /** The sender's address, where mails come back to it. */
  from: string
  /** By the return path of the installation's domain. */
  returnsToUs: boolean
  pacing: Pacing
}

type SentOutcome = Exclude<SmtpOutcome, { kind: 'withheld' }>

/** One composed mail. */
interface ComposedMail extends ComposedBatch, Composed {
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
  const { scope, merchant, message } = outgoing
  const { context } = scope
  const by = await mailerOf(outgoing)
  // Changed since the merchant was read: with the next look it is another route.
  if (!by) return 'not_now'
  const { mailer, returnsToUs } = by
  const language = merchant.language === 'en' ? 'en' : 'ja'
  const content = await findFrozenMail(scope, message.id)
  if (!content) throw new Error(`message ${message.id} has no content`)
  const { subject, html, text } = content
  const sender = { name: content.from_name, email: content.from_email }
  const storeUrl = await storeUrlOf(scope)
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
    publicUrl: context.settings.publicUrl,
    language,
    dkim: (await findDkimKey(scope, content.from_email)) ?? mailer.signingKey,
  })
  const from = content.from_email
  const warmsUp = (await findWarmUpOf(scope, from)) !== null
  const pacing = openPacing(scope, { route: mailer.name, from, warmsUp })
  const open: OpenMail = { outgoing, language, shared, mail, compose, from, returnsToUs, pacing }
  // More than values stand in it: a thread fills it in.
  const needsFilling = [...parts.subject, ...parts.html, ...parts.text].some(
    (part) => typeof part !== 'string' && 'text' in part,
  )
  const paths = await metafieldPathsOf(scope, templates, 'work')
  const segmentIds = segmentsNamed(templates)
  return {
    batchSize: 1,
    fixesBatches: false,
    enrich: async (scope, rows) => {
      const described = await withMetafields(scope, rows, { paths, locale: language })
      return withOwnProducts(scope, await withMemberships(scope, described, segmentIds), { templates, cards })
    },
    pace: pacing.share,
    fill: needsFilling ? createFilling((rows) => makeTexts(open, rows)) : null,
    acquireConnection: () => acquireConnection(open, mailer),
  }
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
        report(putOff(one.row.id, held.answer, held.until))
        return null
      }
      try {
        const mail = composeMail(open, one, next)
        ;[now, next] = [next, now]
        return mail
      } catch (error) {
        report(failed(one.row.id, 'content', error instanceof Error ? error.message : String(error)))
        return null
      }
    },
    async handOver(mail, mayTransmit, askUpcoming): Promise<SentOutcome | Withheld> {
      upcoming = askUpcoming
      const outcome = await connection.send(mail.envelope, await sealed(mail), mayTransmit, upcomingEnvelope)
      if (outcome.kind === 'refused' && classifyReply(outcome.reply, outcome.stage) === 'receiver_limit')
        await open.pacing.slowed(mail.rows[0] as ClaimedRow, outcome.reply.text)
      return outcome
    },
    judge(outcome, { rows, subject }, at) {
      const { result, pause } = judge(outcome, rows[0] as ClaimedRow, at)
      return { results: [{ ...result, filledSubject: subject }], pause }
    },
    close: () => connection.close(),
  }
}

function composeMail(open: OpenMail, one: FilledRow | FilledMail, scratch: Buffer): ComposedMail {
  const { outgoing, mail, compose } = open
  const { scope, merchant } = outgoing
  const { row } = one
  const testAddresses = merchant.confirmed_test_emails
  const redirected = isRedirected(row, outgoing, testAddresses)
  const to = redirected ? testAddresses : [row.address]
  const filled = 'token' in one ? one : null
  const part = filled ?? recipientPart(open, row)
  const { token, bounceToken } = part
  const { domain } = scope.context.settings.bounces
  const data = { ...mail.shared, ...part.data }
  // The subject names who it was for. A guest, or a customer without an address, can be tested with too.
  const intendedFor = redirected ? row.address || row.display_name || null : null
  const composed = compose(
    { deliveryId: row.id, token, bounceToken, to, intendedFor, data, texts: filled?.texts ?? [] },
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
