import type { SkipReason } from '@okaeri/contract/deliveries/delivery'
import { crashPoint } from '../../../kernel/crash-point.ts'
import { newId, NIL_ID } from '../../../kernel/ids.ts'
import { collectGarbage } from '../../../kernel/memory.ts'
import { addTestMails, getMerchant, holdTestMails } from '../../merchants/index.ts'
import type { TransactionScope } from '../../../kernel/merchant-scope.ts'
import type { Channel, FilledRow, Outgoing, PostponedOrSkipped } from '../channel.ts'
import { contactRule } from '../contact-rule.ts'
import { claimDueRows, countTestModeSends, postponeOrSkipRows, postponeRows } from './claim-queries.ts'
import type { ClaimedRow } from '../rows.ts'
import { failPending, hasPendingElsewhere, markPendingSkipped } from '../queries.ts'
import { waitsForLeavingTestMode } from '../send-holds.ts'
import { isRedirected, type TimeSlice } from './time-slice.ts'

/** Rows claimed at once; what a dying worker holds without having begun goes back, so this is only a matter of speed. */
const CLAIM_SIZE = 400
/** A worker that sends for long then stays under 300 MB; collected from 110 MB on it sent a fifth less (docs/performance.md). */
const ENOUGH_HEAP_BYTES = 150 * 1024 * 1024
/** For each connection so many are cleared ahead, to be sent while the next commit is on its way to the disk. */
const CLEARED_PER_CONNECTION = 5
/** One message is sent for so long, then comes the next merchant's. */
const SLICE_MS = 10_000

export interface SliceEnd {
  worked: boolean
  /** Nothing was left to claim. */
  exhausted: boolean
}

/** Where the connections of a time slice get their rows from, until none is due, the slice is over, or something halts it. */
export interface ClaimBuffer {
  /** The next people of one hand-over, cleared to leave: at once, or another connection would take some of them. Null when there are none now. */
  takeNow(): FilledRow[] | null
  /** Waits for some; null when the slice is over. */
  take(): Promise<FilledRow[] | null>
  /** Nothing more is to be sent in this slice. */
  halt(): void
  /** Halts, and lets {@link ClaimBuffer.end} throw the error. */
  fail: (error: unknown) => void
  readonly halted: boolean
  /** When all connections are done. What was claimed or cleared and has not begun goes back with the lease's end. */
  end(): Promise<SliceEnd>
}

/**
 * Claims rows in batches and clears them to leave, ahead of the connections: the next batch is claimed while the last is being sent. Resolves,
 * with the number of rows, when the first batch is there.
 */
export async function openClaimBuffer(
  slice: TimeSlice,
  signal: AbortSignal,
): Promise<{ buffer: ClaimBuffer; waiting: number }> {
  const { lease, outgoing } = slice
  const ahead = slice.route.connections * CLEARED_PER_CONNECTION
  const endsAt = performance.now() + SLICE_MS
  /** Claimed; and, of those, cleared to leave. */
  const queue: ClaimedRow[] = []
  const cleared: FilledRow[] = []
  const { fill, batchSize, fixesBatches } = slice.composer
  let exhausted = false
  let after = NIL_ID
  let worked = false
  let halted = false
  const underWay: { claim: Promise<void> | null; clearing: Promise<void> | null } = { claim: null, clearing: null }
  let failure: unknown = null

  const fail = (error: unknown): void => {
    failure = error
    halted = true
  }
  const mayContinue = (): boolean => !halted && lease.open && !signal.aborted && performance.now() < endsAt
  const claimMore = async (): Promise<void> => {
    try {
      const { claimed, last } = await claim(slice, after)
      crashPoint('claimed')
      collectGarbage(ENOUGH_HEAP_BYTES)
      queue.push(...claimed)
      worked ||= last !== null
      exhausted = last === null
      after = last ?? after
    } catch (error) {
      fail(error)
    } finally {
      underWay.claim = null
    }
  }
  const claimSoon = (): Promise<void> => {
    underWay.claim ??= claimMore()
    return underWay.claim
  }
  /** The next rows of the queue, ready to be composed. */
  const fillNext = async (): Promise<FilledRow[]> => {
    const rows = queue.splice(0, wholeBatches(queue, ahead - cleared.length))
    if (!fill) return rows.map((row) => ({ row }))
    const { filled, failed, rest, givenUp } = await fill(rows)
    if (givenUp !== null) await failPending(outgoing.scope, outgoing.message.id, givenUp)
    queue.unshift(...rest)
    for (const result of failed) lease.report(result)
    return filled
  }
  const clearMore = async (): Promise<void> => {
    try {
      const rows = await fillNext()
      const last = rows.at(-1)
      if (last && (await lease.advanceWatermark(last.row.id))) cleared.push(...rows)
      crashPoint('cleared')
    } catch (error) {
      fail(error)
    } finally {
      underWay.clearing = null
    }
  }
  const clearSoon = (): Promise<void> => {
    underWay.clearing ??= clearMore()
    return underWay.clearing
  }
  const takeNow = (): FilledRow[] | null => {
    if (!mayContinue()) return null
    if (queue.length < CLAIM_SIZE / 2 && !exhausted) void claimSoon()
    if (cleared.length < ahead / 2 && queue.length > 0) void clearSoon()
    if (cleared.length === 0) return null
    return cleared.splice(
      0,
      fixesBatches
        ? wholeBatches(
            cleared.map(({ row }) => row),
            1,
          )
        : batchSize,
    )
  }
  const take = async (): Promise<FilledRow[] | null> => {
    while (mayContinue()) {
      const next = takeNow()
      if (next) return next
      if (underWay.clearing) await underWay.clearing
      else if (!exhausted) await claimSoon()
      else return null
    }
    return null
  }
  await claimSoon()
  const buffer: ClaimBuffer = {
    takeNow,
    take,
    halt() {
      halted = true
    },
    fail,
    get halted() {
      return halted
    },
    async end() {
      await underWay.claim
      await underWay.clearing
      if (failure) throw failure
      return { worked, exhausted: exhausted && !halted }
    },
  }
  return { buffer, waiting: queue.length }
}

/** How many rows to take, so many or a few more: a batch is not parted. */
function wholeBatches(queue: readonly ClaimedRow[], atLeast: number): number {
  let count = Math.min(atLeast, queue.length)
  while (count > 0 && count < queue.length && sharesBatch(queue[count - 1], queue[count])) count += 1
  return count
}
const sharesBatch = (one: ClaimedRow | undefined, other: ClaimedRow | undefined): boolean =>
  one?.batch_id !== null && one?.batch_id === other?.batch_id

const NOTHING_CLAIMED = { claimed: [], last: null }

async function claim(slice: TimeSlice, after: string): Promise<{ claimed: ClaimedRow[]; last: string | null }> {
  const { lease, outgoing, channel, composer } = slice
  const { message } = outgoing
  return outgoing.scope.transaction(async (scope) => {
    // Read again for every batch: switching to test mode halts a running campaign within one batch.
    const merchant = await getMerchant(scope)
    if (waitsForLeavingTestMode(merchant, message)) return NOTHING_CLAIMED
    outgoing.merchant = merchant
    outgoing.testAddresses = await channel.testAddresses(scope, merchant)
    const { isTest, goesToTests, mailsEach } = await testTermsOf(scope, outgoing)
    const most = composer.fixesBatches ? composer.batchSize : CLAIM_SIZE
    const limit = goesToTests ? await testLimit(scope, outgoing, { isTest, mailsEach, most }) : most
    if (typeof limit === 'string') {
      await markPendingSkipped(scope, message.id, limit)
      return NOTHING_CLAIMED
    }
    const { claimed, last } = await claimDueRows(scope, {
      messageId: message.id,
      leaseId: lease.id,
      after,
      limit,
      merchantInTestMode: merchant.test_mode,
      redirectsTests: message.for_tests,
      retryWindow: retryWindowOf(scope, channel),
      batchId: composer.fixesBatches && !goesToTests ? newId() : null,
      languages: composer.languages ?? [],
      takesTests: (address) => channel.takesTests(scope.merchantId, address),
      ...contactRule(scope, {
        merchant,
        message: { isTest, channel: message.channel, priority: message.priority, kind: message.consent_kind },
      }),
    })
    const wanted = await withoutObsolete(scope, slice, claimed)
    if (goesToTests && wanted.length > 0) {
      const mails = wanted.map((row) => (isRedirected(row, outgoing, outgoing.testAddresses) ? mailsEach : 1))
      await addTestMails(scope, sum(mails))
    }
    return { claimed: await composer.enrich(scope, await applyPace(scope, slice, wanted)), last }
  })
}

interface TestTerms {
  /** A test send, or a scenario's test. */
  isTest: boolean
  /** Nothing of the message reaches customers. */
  goesToTests: boolean
  /** Messages that one row becomes at most: what was for others goes to all test addresses. */
  mailsEach: number
}

async function testTermsOf(scope: TransactionScope, outgoing: Outgoing): Promise<TestTerms> {
  const { merchant, message, testAddresses } = outgoing
  const isTest = message.for_tests || (message.program === null && !message.is_receipt)
  const goesToTests = isTest || merchant.test_mode || message.test_mode
  // A test send goes to the address it names; in test mode only if that is a test address.
  const mayBeRedirected =
    isTest && !message.for_tests
      ? merchant.test_mode && (await hasPendingElsewhere(scope, message.id, testAddresses))
      : goesToTests
  return { isTest, goesToTests, mailsEach: mayBeRedirected ? Math.max(1, testAddresses.length) : 1 }
}

/** How many rows may go to test addresses now; or why none of those that wait is sent. */
async function testLimit(
  scope: TransactionScope,
  { merchant, message, testAddresses }: Outgoing,
  { isTest, mailsEach, most }: Pick<TestTerms, 'isTest' | 'mailsEach'> & { most: number },
): Promise<number | SkipReason> {
  const needsTestAddress = isTest ? merchant.test_mode || message.for_tests : true
  const lacksAddress = needsTestAddress && testAddresses.length === 0
  if (isTest && lacksAddress) return 'no_test_address'
  const { testMailsPerDay, testModeCap } = scope.context.settings
  const ofDay = Math.floor((testMailsPerDay - (await holdTestMails(scope))) / mailsEach)
  if (ofDay <= 0) return 'test_day_cap'
  if (isTest) return Math.min(most, ofDay)
  if (lacksAddress) return 'no_test_address'
  // In test mode only the first few go out; the rest is recorded as not sent, with the reason.
  const ofMessage = testModeCap - (await countTestModeSends(scope, message.id))
  return ofMessage <= 0 ? 'test_cap' : Math.min(most, ofDay, ofMessage)
}

/** Without the messages of a scenario whose cause is gone meanwhile. What may have left before is not asked about. */
async function withoutObsolete(scope: TransactionScope, slice: TimeSlice, claimed: ClaimedRow[]) {
  const { outgoing, lease } = slice
  if (outgoing.message.program?.kind === 'campaign' && outgoing.message.uses_coupon)
    return withCode(scope, slice, claimed)
  if (outgoing.message.program?.kind !== 'scenario' || outgoing.message.for_tests) return claimed
  return withWorkingCode(scope, slice, await withoutEndedCause(scope, lease.id, claimed))
}

async function withoutEndedCause(
  scope: TransactionScope,
  leaseId: number,
  claimed: ClaimedRow[],
): Promise<ClaimedRow[]> {
  const asked = claimed.flatMap(({ id, execution_id, first_tried_at }) =>
    execution_id !== null && first_tried_at === null ? { id, execution_id } : [],
  )
  const kept = asked.length === 0 ? [] : await scope.context.ports.messagesKeptBack(scope, asked)
  return postponeOrSkip(scope, leaseId, { kept, claimed })
}

/** Codes are there before a campaign's message is released. Recipients added later wait, and the campaign finds them. */
async function withCode(scope: TransactionScope, { lease }: TimeSlice, claimed: ClaimedRow[]): Promise<ClaimedRow[]> {
  const until = new Date(scope.now.getTime() + WITHOUT_CODE_MS)
  const kept = claimed.flatMap(({ id, variables }) => (variables?.coupon ? [] : { id, until }))
  return postponeOrSkip(scope, lease.id, { kept, claimed })
}
const WITHOUT_CODE_MS = 60_000

/**
 * What shows a code that the store may not take now waits; one that is over is not sent. What may have left before is left as it is. One question for
 * all that were claimed.
 */
async function withWorkingCode(
  scope: TransactionScope,
  { lease, outgoing }: TimeSlice,
  claimed: ClaimedRow[],
): Promise<ClaimedRow[]> {
  if (!outgoing.message.uses_coupon) return claimed
  const shown = claimed.flatMap(({ id, variables, first_tried_at }) =>
    variables?.coupon && first_tried_at === null ? { id, ...variables.coupon } : [],
  )
  if (shown.length === 0) return claimed
  const failing = await scope.context.ports.failingCodes(scope, [...new Set(shown.map(({ code }) => code))])
  const until = new Date(scope.now.getTime() + WITHOUT_CODE_MS)
  const kept = shown.flatMap(({ id, code, expires_at }): PostponedOrSkipped[] => {
    if (expires_at && new Date(expires_at) <= scope.now) return [{ id, reason: 'coupon_ended' }]
    return failing.has(code) ? [{ id, until }] : []
  })
  return postponeOrSkip(scope, lease.id, { kept, claimed })
}

async function postponeOrSkip(
  scope: TransactionScope,
  leaseId: number,
  { kept, claimed }: { kept: readonly PostponedOrSkipped[]; claimed: ClaimedRow[] },
): Promise<ClaimedRow[]> {
  if (kept.length === 0) return claimed
  await postponeOrSkipRows(scope, leaseId, kept)
  const ids = new Set(kept.map(({ id }) => id))
  return claimed.filter(({ id }) => !ids.has(id))
}

async function applyPace(
  scope: TransactionScope,
  { composer, lease }: TimeSlice,
  claimed: ClaimedRow[],
): Promise<ClaimedRow[]> {
  if (!composer.pace || claimed.length === 0) return claimed
  const { leave, ...others } = await composer.pace(scope, claimed)
  await postponeRows(scope, lease.id, others)
  return leave
}

/** A key is forgotten by the provider's clock, which may be ahead of ours. */
const CLOCKS_APART_MS = 10 * 60_000

function retryWindowOf({ context }: TransactionScope, { safeRetryMs }: Channel): { now: Date; since: Date } | null {
  if (safeRetryMs === 0) return null
  const now = context.clock.realNow()
  return { now, since: new Date(now.getTime() - safeRetryMs + CLOCKS_APART_MS) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
