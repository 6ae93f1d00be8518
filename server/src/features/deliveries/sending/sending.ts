import { hostname } from 'node:os'
import type { SkipReason } from '@okaeri/contract/deliveries/delivery'
import type { Context } from '../../../kernel/context.ts'
import { crashPoint } from '../../../kernel/crash-point.ts'
import { newId } from '../../../kernel/ids.ts'
import { type MerchantScope, merchantScope } from '../../../kernel/merchant-scope.ts'
import { getMerchant, type MerchantRow } from '../../merchants/index.ts'
import { channelOf, type Outgoing, type SenderMissing } from '../channel.ts'
import { openClaimBuffer, type SliceEnd } from './claim-buffer.ts'
import { runConnectionLoop } from './connection-loop.ts'
import { openTransmitLog } from '../transmit-log/transmit-log.ts'
import { findChannelPause, scenarioHolds, waitsForLeavingTestMode } from '../send-holds.ts'
import { createLease } from './lease.ts'
import { insertLease } from './lease-queries.ts'
import { hasDue } from './claim-queries.ts'
import { failPending, markPendingSkipped } from '../queries.ts'
import {
  findMessage,
  hasUnfinished,
  listReleasedMessages,
  lockMessage,
  type ReleasedMessage,
  markMessageState,
} from '../message-queries.ts'
import type { MessageRow } from '../rows.ts'
import { endStoppage, isOutOfRoom, noteStoppage } from './stoppage.ts'
import type { TimeSlice } from './time-slice.ts'
import { journalOf, lookAgain } from '../transmit-log/witness.ts'

const RENEW_EVERY_MS = 3_000

/**
 * Sends what is released and due for one merchant, one message after another, until nothing is due or its time slice is over. Returns whether
 * anything was done. Any number of processes may do this at once.
 */
export async function sendReleased(context: Context, merchantId: string, signal: AbortSignal): Promise<boolean> {
  let worked = false
  const scope = merchantScope(context, merchantId)
  const released = await listReleasedMessages(scope)
  const holds = released.some(({ program }) => program?.kind === 'scenario')
    ? await scenarioHolds(scope)
    : NOTHING_HOLDS
  const mayAllLeave = !released.some(isForCustomers) || !(await context.ports.waitsForStore(scope))
  for (const message of released) {
    if (signal.aborted) break
    if (holds(message) || (!mayAllLeave && isForCustomers(message))) continue
    try {
      if (await sendMessage(context, merchantId, message.id, signal)) {
        worked = true
        endStoppage(context, 'database')
      }
    } catch (error) {
      if (!isOutOfRoom(error)) throw error
      noteStoppage(context, 'database', error)
    }
  }
  return worked
}

const isForCustomers = (message: ReleasedMessage): boolean => message.program !== null && !message.for_tests
const NOTHING_HOLDS = (): boolean => false

async function sendMessage(
  context: Context,
  merchantId: string,
  messageId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const scope = merchantScope(context, merchantId)
  const [merchant, message] = await Promise.all([getMerchant(scope), findMessage(scope, messageId)])
  if (!message || message.state !== 'released') return false
  const channel = channelOf(context, message.channel)
  if (await findChannelPause(scope, channel, merchant)) return false

  if (!(await hasDue(scope, messageId))) return finishIfDone(scope, messageId)
  if (waitsForLeavingTestMode(merchant, message)) return false
  const unconfirmed = await findUnconfirmed(scope, merchant, message)
  if (unconfirmed) return skipUnconfirmedTest(scope, message, unconfirmed)
  const outgoing: Outgoing = { scope, merchant, testAddresses: [], message }
  const composer = await channel.openContent(outgoing)
  if (composer === 'not_now') return false
  if ('failure' in composer) {
    await failPending(scope, messageId, composer.failure)
    return finishIfDone(scope, messageId)
  }
  const route = channel.routeOf(context, merchant)
  const { worked, exhausted } = await withLease({ outgoing, channel, route, composer }, signal)
  if (exhausted) await finishIfDone(scope, messageId)
  return worked
}

/** Nothing leaves for an account, or from a sender, whose owner has not said so. */
export async function findUnconfirmed(
  scope: MerchantScope,
  merchant: Pick<MerchantRow, 'account_confirmed'>,
  message: Pick<MessageRow, 'id' | 'channel'>,
): Promise<'account_unconfirmed' | SenderMissing | null> {
  if (!merchant.account_confirmed) return 'account_unconfirmed'
  return channelOf(scope.context, message.channel).findMissingSender(scope, message)
}

/** Mails to customers wait. A test must not arrive days later. */
async function skipUnconfirmedTest(scope: MerchantScope, message: MessageRow, reason: SkipReason): Promise<boolean> {
  if (!message.for_tests && message.program) return false
  await markPendingSkipped(scope, message.id, reason)
  return finishIfDone(scope, message.id)
}

const NOTHING_DONE: SliceEnd = { worked: false, exhausted: false }
async function withLease(common: Omit<TimeSlice, 'lease'>, signal: AbortSignal): Promise<SliceEnd> {
  const { scope, message, merchant } = common.outgoing
  const { context, merchantId } = scope
  const seconds = context.settings.leaseSeconds
  const { journal, seen } = await journalOf(context, merchantId)
  const transmitLog = openOrNoteStoppage(context, () => openTransmitLog(journal))
  if (!transmitLog) return NOTHING_DONE
  try {
    const taken = await insertLease(scope, { workerId: workerName, messageId: message.id, journal, seen })
    if (!taken) {
      await lookAgain(context)
      return NOTHING_DONE
    }
    transmitLog.reached(taken.position)
    const lease = createLease(scope, {
      id: taken.id,
      messageId: message.id,
      program: message.program,
      channel: common.channel,
      merchantInTestMode: merchant.test_mode,
      codeDoubts: message.code_doubts,
      seconds,
      transmitLog,
      returnUnsent: common.composer.returnUnsent,
    })
    const renewing = setInterval(() => lease.renew(), Math.min(RENEW_EVERY_MS, (seconds * 1000) / 3))
    try {
      const onFile = {
        id: taken.id,
        program: message.program?.id ?? null,
        node: message.program?.nodeId ?? null,
        channel: message.channel,
      }
      const hasRoom = openOrNoteStoppage(context, () => {
        transmitLog.begin(onFile)
        endStoppage(context, 'departures')
        return true
      })
      return hasRoom ? await runSlice({ ...common, lease }, signal) : NOTHING_DONE
    } finally {
      crashPoint('ending')
      // While the last results cannot be stored, the lease stays ours.
      await lease.end().finally(() => clearInterval(renewing))
    }
  } finally {
    transmitLog.close()
  }
}

/** Null when what leaves cannot be noted: then nothing may, and health tells it. */
function openOrNoteStoppage<T>(context: Context, write: () => T): T | null {
  try {
    return write()
  } catch (error) {
    if (!isOutOfRoom(error)) throw error
    noteStoppage(context, 'departures', error)
    return null
  }
}

const workerName = `${hostname()}:${process.pid}:${newId().slice(-6)}`

/** Sends over all the provider's connections until nothing is due, the slice is over, or something holds the provider. */
async function runSlice(slice: TimeSlice, signal: AbortSignal): Promise<SliceEnd> {
  const { buffer, waiting } = await openClaimBuffer(slice, signal)
  // One loop's fault must not let go of the lease while the others still send.
  const loop = () => runConnectionLoop(slice, buffer).catch(buffer.fail)
  await Promise.all(Array.from({ length: Math.min(slice.route.connections, waiting) }, loop))
  return buffer.end()
}

/** Returns whether it was: the last one to let go of a message finds it done. */
function finishIfDone(scope: MerchantScope, messageId: string): Promise<boolean> {
  return scope.transaction(async (scope) => {
    // Writers of its rows hold this lock, so after it their rows are seen.
    await lockMessage(scope, messageId)
    if (await hasUnfinished(scope, messageId)) return false
    await markMessageState(scope, messageId, 'done')
    return true
  })
}
