import { hostname } from 'node:os'
import type { SkipReason } from '@okaeri/contract/deliveries/delivery'
import type { Context } from '../../kernel/context.ts'
import { crashPoint } from '../../kernel/crash-point.ts'
import { newId } from '../../kernel/ids.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import {
  compileMail,
  type MailParts,
  type MailToFill,
  type MessageData,
  TemplateError,
} from '../email-rendering/index.ts'
import { metafieldPathsOf, storeUrlOf } from '../emails/index.ts'
import { getMerchant, type MerchantRow, nextAllowedTime, unconfirmedOf } from '../merchants/index.ts'
import { findStore } from '../stores/index.ts'
import { compileMessage } from './composing.ts'
import { sendInLane } from './lane.ts'
import { openDepartures } from './departures.ts'
import { createLease } from './lease.ts'
import { findNextAttempt, insertLease } from './lease-queries.ts'
import {
  failPending,
  findMailerPause,
  findMessage,
  hasUnfinished,
  listReleasedMessages,
  lockMessage,
  markMessageState,
  markPendingSkipped,
  type MessageRow,
  type ReleasedMessage,
} from './queries.ts'
import { endStoppage, isOutOfRoom, noteStoppage } from './stoppage.ts'
import { openSupply, type TurnEnd } from './supply.ts'
import type { Turn } from './turn.ts'
import { journalOf, lookAgain } from './witness.ts'

const RENEW_EVERY_MS = 3_000

/**
 * Sends what is released and due for one merchant, one message after another, until nothing is due or its turn is over. Answers whether
 * anything was done. Any number of processes may do this at once.
 */
export async function sendReleased(context: Context, merchantId: string, signal: AbortSignal): Promise<boolean> {
  let worked = false
  const scope = merchantScope(context, merchantId)
  const released = await listReleasedMessages(scope)
  const holds = released.some(({ scenario_id }) => scenario_id !== null)
    ? await whatHoldsScenarios(scope)
    : NOTHING_HOLDS
  for (const message of released) {
    if (signal.aborted) break
    if (holds(message)) continue
    try {
      worked = (await sendMessage(context, merchantId, message.id, signal)) || worked
      endStoppage(context, 'database')
    } catch (error) {
      if (!isOutOfRoom(error)) throw error
      noteStoppage(context, 'database', error)
    }
  }
  return worked
}

const NOTHING_HOLDS = (): boolean => false

/**
 * What a campaign waits for (campaigns/hold-reason.ts), the mails of scenarios wait for too; tests go at once. Asked at each look, so that a
 * change of the settings counts at once.
 */
async function whatHoldsScenarios(scope: MerchantScope): Promise<(message: ReleasedMessage) => boolean> {
  const merchant = await getMerchant(scope)
  const { sending_hours: hours, timezone, test_mode } = merchant
  const underReview = !test_mode && ((await findStore(scope))?.under_review ?? false)
  const closed = nextAllowedTime(scope.now, hours, timezone) !== null
  return ({ scenario_id, for_tests, post_purchase }) => {
    if (scenario_id === null || for_tests) return false
    return underReview || (closed && !(post_purchase && hours.exclude_post_purchase))
  }
}

async function sendMessage(
  context: Context,
  merchantId: string,
  messageId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const scope = merchantScope(context, merchantId)
  const [merchant, message] = await Promise.all([getMerchant(scope), findMessage(scope, messageId)])
  if (!message || message.state !== 'released') return false
  const mailer = context.integrations.mailers.forProvider(merchant.email_provider)
  if (await findMailerPause(scope, mailer.name)) return false

  if (!(await findNextAttempt(scope, messageId)).due) return finishIfDone(scope, messageId)
  const unconfirmed = await whatIsUnconfirmed(scope, merchant, message)
  if (unconfirmed) return holdUnconfirmed(scope, message, unconfirmed)
  const language = merchant.language === 'en' ? 'en' : 'ja'
  const { subject, html, text } = message
  const mail = { subject, html, text, shared: sharedData(merchant, message, await storeUrlOf(scope)) }
  const parts = await compiled(scope, mail)
  if ('failure' in parts) {
    await failPending(scope, messageId, parts.failure)
    return finishIfDone(scope, messageId)
  }
  const common = {
    scope,
    merchant,
    message,
    mailer,
    compose: compileMessage(frozen(message), parts, { publicUrl: context.settings.publicUrl, language }),
    language,
    mail,
    needsFilling: [...parts.subject, ...parts.html, ...parts.text].some(
      (part) => typeof part !== 'string' && 'text' in part,
    ),
    metafieldPaths: await metafieldPathsOf(scope, [subject, html, text], 'work'),
  } as const
  const { worked, exhausted } = await withLease(common, signal)
  if (exhausted) await finishIfDone(scope, messageId)
  return worked
}

/** Nothing leaves for an account, or from a sender, whose owner has not said so. */
export async function whatIsUnconfirmed(
  scope: MerchantScope,
  merchant: Pick<MerchantRow, 'account_confirmed'>,
  { from_email }: Pick<MessageRow, 'from_email'>,
): Promise<'account_unconfirmed' | 'sender_unconfirmed' | null> {
  if (!merchant.account_confirmed) return 'account_unconfirmed'
  return (await unconfirmedOf(scope, 'sender', [from_email])).length > 0 ? 'sender_unconfirmed' : null
}

/** What is for customers waits; of a test nobody wants it to come days later. */
async function holdUnconfirmed(scope: MerchantScope, message: MessageRow, reason: SkipReason): Promise<boolean> {
  if (!message.for_tests && (message.campaign_id !== null || message.scenario_id !== null)) return false
  await markPendingSkipped(scope, message.id, reason)
  return finishIfDone(scope, message.id)
}

const NOTHING_DONE: TurnEnd = { worked: false, exhausted: false }
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

async function withLease(common: Omit<Turn, 'lease'>, signal: AbortSignal): Promise<TurnEnd> {
  const { scope, message, merchant } = common
  const { context, merchantId } = scope
  const seconds = context.settings.leaseSeconds
  const { journal, seen } = await journalOf(context, merchantId)
  const departures = openOrStop(context, () => openDepartures(journal))
  if (!departures) return NOTHING_DONE
  try {
    const taken = await insertLease(scope, { workerId: workerName, messageId: message.id, journal, seen })
    if (!taken) {
      await lookAgain(context)
      return NOTHING_DONE
    }
    departures.reached(taken.position)
    const program = { campaignId: message.campaign_id, scenarioId: message.scenario_id }
    const lease = createLease(scope, {
      id: taken.id,
      messageId: message.id,
      program,
      merchantInTestMode: merchant.test_mode,
      seconds,
      departures,
    })
    const renewing = setInterval(() => lease.renew(), Math.min(RENEW_EVERY_MS, (seconds * 1000) / 3))
    try {
      const onFile = { id: taken.id, program: message.campaign_id ?? message.scenario_id, node: message.node_id }
      const hasRoom = openOrStop(context, () => {
        departures.begin(onFile)
        return true
      })
      return hasRoom ? await takeTurn({ ...common, lease }, signal) : NOTHING_DONE
    } finally {
      crashPoint('ending')
      // While the last results cannot be stored, the lease stays ours.
      await lease.end().finally(() => clearInterval(renewing))
    }
  } finally {
    departures.close()
  }
}

/** Null when what leaves cannot be noted: then nothing may, and health tells it. */
function openOrStop<T>(context: Context, write: () => T): T | null {
  try {
    const written = write()
    endStoppage(context, 'departures')
    return written
  } catch (error) {
    if (!isOutOfRoom(error)) throw error
    noteStoppage(context, 'departures', error)
    return null
  }
}

const workerName = `${hostname()}:${process.pid}:${newId().slice(-6)}`

const sharedData = (
  merchant: MerchantRow,
  sender: { from_name: string; from_email: string },
  storeUrl: string,
): Pick<MessageData, 'store' | 'sender'> => ({
  store: {
    name: merchant.site_name,
    url: storeUrl,
    postal_address: merchant.postal_address,
    contact_email: merchant.staff_email ?? '',
    contact_phone: merchant.staff_phone ?? '',
  },
  sender: { name: sender.from_name, email: sender.from_email },
})

const frozen = (message: MessageRow) => ({
  id: message.id,
  fromName: message.from_name,
  fromEmail: message.from_email,
  replyTo: message.reply_to,
})

/** Sends over all the server's connections until nothing is due, the turn is over, or something holds the mailer. */
async function takeTurn(turn: Turn, signal: AbortSignal): Promise<TurnEnd> {
  const { supply, waiting } = await openSupply(turn, signal)
  // One lane's fault must not let go of the lease while the others still send.
  const inLane = () => sendInLane(turn, supply).catch(supply.fail)
  await Promise.all(Array.from({ length: Math.min(turn.mailer.connections, waiting) }, inLane))
  return supply.end()
}

/** Answers whether it was: the last one to let go of a message finds it done. */
function finishIfDone(scope: MerchantScope, messageId: string): Promise<boolean> {
  return scope.transaction(async (scope) => {
    // Whoever writes rows for it holds it: after the lock they are seen.
    await lockMessage(scope, messageId)
    if (await hasUnfinished(scope, messageId)) return false
    await markMessageState(scope, messageId, 'done')
    return true
  })
}
