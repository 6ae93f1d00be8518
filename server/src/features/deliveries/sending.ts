import { hostname } from 'node:os'
import type { SmtpEnvelope } from '../../integrations/mail/smtp-session.ts'
import type { Mailer } from '../../integrations/mail/mailer.ts'
import type { Context } from '../../kernel/context.ts'
import { crashPoint, crashPointSoon } from '../../kernel/crash-point.ts'
import { newId, NIL_ID } from '../../kernel/ids.ts'
import { collectGarbage } from '../../kernel/memory.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { whyNotMailable } from '../consent/index.ts'
import {
  customerData,
  type EventData,
  eventData,
  exampleVariables,
  type MessageData,
  metafieldPathsOf,
  NO_EVENT,
  storeUrlOf,
} from '../emails/index.ts'
import { getMerchant, type MerchantRow, nextAllowedTime } from '../merchants/index.ts'
import { type MetafieldPath, readMailMetafields } from '../metafields/index.ts'
import { findStore } from '../stores/index.ts'
import { type Compose, compileMessage } from './composing.ts'
import { createLease, type Lease } from './lease.ts'
import { makeLinkToken } from './link-token.ts'
import { failed, judge } from './outcome.ts'
import {
  findMailerPause,
  findMessage,
  hasUnfinished,
  insertMailerPause,
  listReleasedMessages,
  lockMessage,
  markMessageState,
  markPendingSkipped,
  type MessageRow,
  type ReleasedMessage,
} from './queries.ts'
import { type ClaimedRow, claimDueRows, countTestModeSends, findNextAttempt, insertLease } from './lease-queries.ts'

/** Rows claimed at once; what a dying worker holds without having begun goes back, so this is only a matter of speed. */
const CLAIM_SIZE = 400
/** A worker that sends for long then stays under 300 MB; collected from 110 MB on it sent a fifth less (docs/performance.md). */
const ENOUGH_HEAP_BYTES = 150 * 1024 * 1024
/** For each connection so many are cleared ahead, to be sent while the next commit is on its way to the disk. */
const CLEARED_PER_LANE = 5
/** One message is sent for so long before the next merchant's turn. */
const TURN_MS = 10_000
const RENEW_EVERY_MS = 3_000
/** Most mails fit: Gmail clips them at 102 kB of HTML. */
const SCRATCH_BYTES = 192 * 1024

interface TurnEnd {
  worked: boolean
  /** Nothing was left to claim. */
  exhausted: boolean
}

interface Turn {
  scope: MerchantScope
  merchant: MerchantRow
  message: MessageRow
  mailer: Mailer
  lease: Lease
  compose: Compose
  language: 'ja' | 'en'
  /** What is the same for every recipient. */
  shared: Pick<MessageData, 'store' | 'sender'>
  /** The metafields the message writes; read with each batch that is claimed. */
  metafieldPaths: readonly MetafieldPath[]
}

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
    worked = (await sendMessage(context, merchantId, message.id, signal)) || worked
  }
  return worked
}

const NOTHING_HOLDS = (): boolean => false

/**
 * What a campaign waits for (campaigns/waiting.ts), the mails of scenarios wait for too; tests go at once. Asked at each look, so that a
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
  const language = merchant.language === 'en' ? 'en' : 'ja'
  const common = {
    scope,
    merchant,
    message,
    mailer,
    compose: compileMessage(frozen(message), context.settings.publicUrl, language),
    language,
    shared: sharedData(merchant, message, await storeUrlOf(scope)),
    metafieldPaths: metafieldPathsOf(message.subject, message.html, message.text),
  } as const
  const { worked, exhausted } = await withLease(common, signal)
  if (exhausted) await finishIfDone(scope, messageId)
  return worked
}

async function withLease(common: Omit<Turn, 'lease'>, signal: AbortSignal): Promise<TurnEnd> {
  const { scope, message } = common
  const seconds = scope.context.settings.leaseSeconds
  const leaseId = await insertLease(scope, { workerId: workerName, messageId: message.id, seconds })
  const lease = createLease(scope, {
    id: leaseId,
    messageId: message.id,
    merchantInTestMode: common.merchant.test_mode,
    seconds,
  })
  const renewing = setInterval(() => lease.renew(), Math.min(RENEW_EVERY_MS, (seconds * 1000) / 3))
  try {
    return await takeTurn({ ...common, lease }, signal)
  } finally {
    crashPoint('ending')
    // While the last results cannot be stored, the lease stays ours.
    await lease.end().finally(() => clearInterval(renewing))
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
  subject: message.subject,
  fromName: message.from_name,
  fromEmail: message.from_email,
  replyTo: message.reply_to,
  html: message.html,
  text: message.text,
})

/**
 * Claims batches and hands them to the connections until none is due, the turn is over, or something holds the mailer. The next batch
 * is claimed while the last is being sent.
 */
async function takeTurn(turn: Turn, signal: AbortSignal): Promise<TurnEnd> {
  const { lease } = turn
  const lanes = turn.mailer.connections
  const endsAt = performance.now() + TURN_MS
  /** Claimed; and, of those, cleared to leave. */
  const queue: ClaimedRow[] = []
  const cleared: ClaimedRow[] = []
  let exhausted = false
  let after = NIL_ID
  let worked = false
  let halted = false
  const underWay: { claim: Promise<void> | null; clearing: Promise<void> | null } = { claim: null, clearing: null }
  let failure: unknown = null

  const goesOn = (): boolean => !halted && lease.open && !signal.aborted && performance.now() < endsAt
  const claimMore = async (): Promise<void> => {
    try {
      const { claimed, last } = await claim(turn, after)
      crashPoint('claimed')
      collectGarbage(ENOUGH_HEAP_BYTES)
      queue.push(...claimed)
      worked ||= claimed.length > 0
      exhausted = last === null
      after = last ?? after
    } catch (error) {
      failure = error
      halted = true
    } finally {
      underWay.claim = null
    }
  }
  const claimSoon = (): Promise<void> => {
    underWay.claim ??= claimMore()
    return underWay.claim
  }
  const clearMore = async (): Promise<void> => {
    const rows = queue.splice(0, lanes * CLEARED_PER_LANE - cleared.length)
    const last = rows.at(-1)
    if (last && (await lease.clear(last.id))) cleared.push(...rows)
    crashPoint('cleared')
    underWay.clearing = null
  }
  const clearSoon = (): Promise<void> => {
    underWay.clearing ??= clearMore()
    return underWay.clearing
  }
  const takeNow = (): ClaimedRow | null => {
    if (!goesOn()) return null
    if (queue.length < CLAIM_SIZE / 2 && !exhausted) void claimSoon()
    if (cleared.length < (lanes * CLEARED_PER_LANE) / 2 && queue.length > 0) void clearSoon()
    return cleared.shift() ?? null
  }
  const take = async (): Promise<ClaimedRow | null> => {
    while (goesOn()) {
      const row = takeNow()
      if (row) return row
      if (underWay.clearing) await underWay.clearing
      else if (!exhausted) await claimSoon()
      else return null
    }
    return null
  }
  const supply: Supply = {
    takeNow,
    take,
    halt() {
      halted = true
    },
    get halted() {
      return halted
    },
  }
  await claimSoon()
  const inLane = async (): Promise<void> => {
    try {
      await sendInLane(turn, supply)
    } catch (error) {
      failure = error
      halted = true
    }
  }
  // One lane's fault must not let go of the lease while the others still send.
  await Promise.all(Array.from({ length: Math.min(lanes, queue.length) }, inLane))
  await underWay.claim
  await underWay.clearing
  // What was claimed or cleared and has not begun goes back with the lease's end.
  if (failure) throw failure
  return { worked, exhausted: exhausted && !halted }
}

async function claim(turn: Turn, after: string): Promise<{ claimed: ClaimedRow[]; last: string | null }> {
  const { message, lease } = turn
  return turn.scope.transaction(async (scope) => {
    // Looked at anew for every batch: switching to test mode stops a running campaign within one.
    const merchant = await getMerchant(scope)
    turn.merchant = merchant
    const testMode = merchant.test_mode
    let limit = CLAIM_SIZE
    const isTest = message.for_tests || (message.campaign_id === null && message.scenario_id === null)
    if (isTest && (testMode || message.for_tests) && merchant.test_emails.length === 0) {
      await markPendingSkipped(scope, message.id, 'no_test_address')
      return { claimed: [], last: null }
    }
    if (!isTest) {
      // In test mode only the first few go out; the rest is recorded as not sent, with the reason.
      const capped = testMode || message.test_mode
      if (capped) {
        if (merchant.test_emails.length === 0) {
          await markPendingSkipped(scope, message.id, 'no_test_address')
          return { claimed: [], last: null }
        }
        limit = Math.min(limit, scope.context.settings.testModeCap - (await countTestModeSends(scope, message.id)))
        if (limit <= 0) {
          await markPendingSkipped(scope, message.id, 'test_cap')
          return { claimed: [], last: null }
        }
      }
    }
    const { claimed, last } = await claimDueRows(scope, {
      messageId: message.id,
      leaseId: lease.id,
      after,
      limit,
      merchantInTestMode: testMode,
      reason: whyNotMailable(scope.merchantId, { sendToAll: false }),
      reasonToAll: whyNotMailable(scope.merchantId, { sendToAll: true }),
      cap: isTest || testMode || message.priority === 'always' ? null : frequencyCapOf(merchant),
    })
    return { claimed: await withMetafields(scope, turn, claimed), last }
  })
}

const frequencyCapOf = ({ frequency_cap_count: count, frequency_cap_days: days }: MerchantRow) =>
  count === null ? null : { count, days }

/** As they are at this moment, for a message that writes any. */
async function withMetafields(scope: MerchantScope, turn: Turn, rows: ClaimedRow[]): Promise<ClaimedRow[]> {
  const { metafieldPaths: paths, language: locale } = turn
  if (paths.length === 0) return rows
  const customerIds = rows.flatMap(({ customer_id: id }) => id ?? [])
  const values = await readMailMetafields(scope, customerIds, { paths, locale })
  return rows.map((row) => ({ ...row, metafields: values.get(row.customer_id ?? '') }))
}

/** A claimed row with everything its connection needs. */
interface Ready {
  row: ClaimedRow
  envelope: SmtpEnvelope
  body: Buffer
}

/** Memory of a lane for the mail on its way and the one composed meanwhile. */
interface Scratch {
  now: Buffer
  next: Buffer
}

/** Where lanes get their rows from. */
interface Supply {
  /** The next row cleared to leave; null when there is none now. */
  takeNow(): ClaimedRow | null
  /** Waits for one; null when the turn is over. */
  take(): Promise<ClaimedRow | null>
  /** Nothing more is to be sent in this turn. */
  halt(): void
  readonly halted: boolean
}

/** One connection's share: message after message, until there is no next or the connection's fate says stop. */
async function sendInLane(turn: Turn, supply: Supply): Promise<void> {
  const { scope, mailer, lease } = turn
  const { context } = scope
  const line = mailer.openLine()
  // One mail is on its way while the next is composed; a third begins when the first was answered, so is out of memory's use.
  const scratch = { now: Buffer.allocUnsafe(SCRATCH_BYTES), next: Buffer.allocUnsafe(SCRATCH_BYTES) }
  try {
    for (let ready = await makeNext(turn, supply, scratch); ready && !supply.halted; ) {
      const { row, envelope, body } = ready
      let following: Ready | null = null
      const outcome = await line.send(
        envelope,
        body,
        () => letLeave(lease, row.id),
        () => {
          // Composed while the server works on this one.
          following = makeReadyNow(turn, supply, scratch)
          return following?.envelope ?? null
        },
      )
      if (outcome.kind === 'withheld') return
      crashPoint('answered')
      const { result, pause } = judge(outcome, row, context.clock.now())
      lease.report(result)
      if (pause) {
        supply.halt()
        const until = new Date(context.clock.now().getTime() + pause.ms)
        await insertMailerPause(scope, { mailer: mailer.name, until, detail: pause.detail })
        return
      }
      ready = following ?? (await makeNext(turn, supply, scratch))
    }
  } finally {
    line.close()
  }
}

async function makeNext(turn: Turn, supply: Supply, scratch: Scratch): Promise<Ready | null> {
  for (let row = await supply.take(); row; row = await supply.take()) {
    const ready = makeReady(turn, row, scratch)
    if (ready) return ready
  }
  return null
}

function makeReadyNow(turn: Turn, supply: Supply, scratch: Scratch): Ready | null {
  for (let row = supply.takeNow(); row; row = supply.takeNow()) {
    const ready = makeReady(turn, row, scratch)
    if (ready) return ready
  }
  return null
}

/** Composes the mail; one that cannot be composed has failed, and says why. */
function makeReady(turn: Turn, row: ClaimedRow, scratch: Scratch): Ready | null {
  const { scope, message, merchant, compose, lease } = turn
  const { keyring, clock, settings } = scope.context
  const redirected = isRedirected(row, turn)
  const to = redirected ? merchant.test_emails : [row.address]
  const token = makeLinkToken(keyring, { merchantId: scope.merchantId, deliveryId: row.id })
  try {
    const data = {
      ...turn.shared,
      ...variablesFor(row, turn),
      customer: customerData(row, turn.language),
      unsubscribe_url: `${settings.publicUrl}/u/${token}`,
    }
    // A guest, or a customer without an address, can be tested with too.
    const intendedFor = redirected ? row.address || row.display_name || null : null
    const body = compose({ deliveryId: row.id, token, to, intendedFor, data }, clock.now(), scratch.next)
    ;[scratch.now, scratch.next] = [scratch.next, scratch.now]
    return { row, envelope: { from: message.from_email, to }, body }
  } catch (error) {
    lease.report(failed(row.id, 'content', error instanceof Error ? error.message : String(error)))
    return null
  }
}

/** Asked when the server is ready for the body, which is written in this turn of the event loop. */
function letLeave(lease: Lease, id: string): boolean {
  crashPoint('before_leaving')
  const may = lease.leaves(id)
  crashPoint('leaving')
  crashPointSoon('body_sent')
  return may
}

/**
 * In test mode nothing reaches anyone but the test addresses (domain.md §5), a test send neither: the subject names who it was for.
 * A row marked as test when it was reserved stays one after test mode was left.
 */
const isRedirected = (row: ClaimedRow, { merchant, message }: Turn): boolean => {
  if (message.for_tests) return true
  return row.kind === 'test' ? merchant.test_mode && !merchant.test_emails.includes(row.address) : row.test_mode
}

/** The event and the coupon of a scenario's mail; a test of an email shows examples. */
function variablesFor(row: ClaimedRow, turn: Turn): EventData {
  const { language: locale, merchant, shared, scope } = turn
  const { timezone } = merchant
  if (row.variables) return eventData(row.variables, { locale, timezone })
  if (row.kind !== 'test' || turn.message.for_tests) return NO_EVENT
  return eventData(exampleVariables(locale, shared.store.url, scope.now), { locale, timezone })
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
