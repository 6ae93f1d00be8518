import { crashPoint } from '../../kernel/crash-point.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import { collectGarbage } from '../../kernel/memory.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { whyNotMailable } from '../consent/index.ts'
import { addTestMails, getMerchant, holdTestMails } from '../merchants/index.ts'
import { readMailMetafields } from '../metafields/index.ts'
import { frequencyCapOf } from './delivery.ts'
import { type ClaimedRow, claimDueRows, countTestModeSends } from './lease-queries.ts'
import { hasPendingElsewhere, markPendingSkipped } from './queries.ts'
import { createFilling, type FilledRow } from './filling.ts'
import { isRedirected } from './recipient.ts'
import type { Turn } from './turn.ts'

/** Rows claimed at once; what a dying worker holds without having begun goes back, so this is only a matter of speed. */
const CLAIM_SIZE = 400
/** A worker that sends for long then stays under 300 MB; collected from 110 MB on it sent a fifth less (docs/performance.md). */
const ENOUGH_HEAP_BYTES = 150 * 1024 * 1024
/** For each connection so many are cleared ahead, to be sent while the next commit is on its way to the disk. */
const CLEARED_PER_LANE = 5
/** One message is sent for so long before the next merchant's turn. */
const TURN_MS = 10_000

export interface TurnEnd {
  worked: boolean
  /** Nothing was left to claim. */
  exhausted: boolean
}

/** A row cleared to leave; with the texts a thread made, where its mail needs some. */
export interface Supplied {
  row: ClaimedRow
  filled: FilledRow | null
}

/** Where the lanes of a turn get their rows from, until none is due, the turn is over, or something halts it. */
export interface Supply {
  /** The next row cleared to leave; null when there is none now. */
  takeNow(): Supplied | null
  /** Waits for one; null when the turn is over. */
  take(): Promise<Supplied | null>
  /** Nothing more is to be sent in this turn. */
  halt(): void
  /** Halts, and lets {@link Supply.end} throw the error. */
  fail: (error: unknown) => void
  readonly halted: boolean
  /** When all lanes are done. What was claimed or cleared and has not begun goes back with the lease's end. */
  end(): Promise<TurnEnd>
}

/**
 * Claims rows in batches and clears them to leave, ahead of the lanes: the next batch is claimed while the last is being sent. Resolves,
 * with the number of rows, when the first batch is there.
 */
export async function openSupply(turn: Turn, signal: AbortSignal): Promise<{ supply: Supply; waiting: number }> {
  const { lease } = turn
  const ahead = turn.mailer.connections * CLEARED_PER_LANE
  const endsAt = performance.now() + TURN_MS
  /** Claimed; and, of those, cleared to leave. */
  const queue: ClaimedRow[] = []
  const cleared: Supplied[] = []
  const fill = turn.needsFilling ? createFilling(turn) : null
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
  const goesOn = (): boolean => !halted && lease.open && !signal.aborted && performance.now() < endsAt
  const claimMore = async (): Promise<void> => {
    try {
      const { claimed, last } = await claim(turn, after)
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
  const fillNext = async (): Promise<Supplied[]> => {
    const rows = queue.splice(0, ahead - cleared.length)
    if (!fill) return rows.map((row) => ({ row, filled: null }))
    const { filled, failed, rest } = await fill(rows)
    queue.unshift(...rest)
    for (const result of failed) lease.report(result)
    return filled.map((one) => ({ row: one.row, filled: one }))
  }
  const clearMore = async (): Promise<void> => {
    try {
      const rows = await fillNext()
      const last = rows.at(-1)
      if (last && (await lease.clear(last.row.id))) cleared.push(...rows)
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
  const takeNow = (): Supplied | null => {
    if (!goesOn()) return null
    if (queue.length < CLAIM_SIZE / 2 && !exhausted) void claimSoon()
    if (cleared.length < ahead / 2 && queue.length > 0) void clearSoon()
    return cleared.shift() ?? null
  }
  const take = async (): Promise<Supplied | null> => {
    while (goesOn()) {
      const next = takeNow()
      if (next) return next
      if (underWay.clearing) await underWay.clearing
      else if (!exhausted) await claimSoon()
      else return null
    }
    return null
  }
  await claimSoon()
  const supply: Supply = {
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
  return { supply, waiting: queue.length }
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
    const testAddresses = merchant.confirmed_test_emails.length
    if (isTest && (testMode || message.for_tests) && testAddresses === 0) {
      await markPendingSkipped(scope, message.id, 'no_test_address')
      return { claimed: [], last: null }
    }
    const goesToTests = isTest || testMode || message.test_mode
    // A test send goes to the address it names, in test mode only if that is a test address; what was for others goes to all of those.
    const mayBeRedirected = isTest && !message.for_tests ? testMode && (await goesElsewhere(scope, turn)) : goesToTests
    const mailsEach = mayBeRedirected ? Math.max(1, testAddresses) : 1
    if (goesToTests) {
      const room = scope.context.settings.testMailsPerDay - (await holdTestMails(scope))
      limit = Math.min(limit, Math.floor(room / mailsEach))
      if (limit <= 0) {
        await markPendingSkipped(scope, message.id, 'test_day_cap')
        return { claimed: [], last: null }
      }
    }
    if (!isTest) {
      // In test mode only the first few go out; the rest is recorded as not sent, with the reason.
      const capped = testMode || message.test_mode
      if (capped) {
        if (testAddresses === 0) {
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
      redirectsTests: message.for_tests,
      reason: whyNotMailable(scope.merchantId, { sendToAll: false }),
      reasonToAll: whyNotMailable(scope.merchantId, { sendToAll: true }),
      cap: isTest || testMode || message.priority === 'always' ? null : frequencyCapOf(merchant),
    })
    if (goesToTests && claimed.length > 0)
      await addTestMails(scope, sum(claimed.map((row) => (isRedirected(row, turn) ? mailsEach : 1))))
    return { claimed: await withMetafields(scope, turn, claimed), last }
  })
}

/** Whether a test send is for any address but the test addresses. */
const goesElsewhere = (scope: MerchantScope, { message, merchant }: Turn): Promise<boolean> =>
  hasPendingElsewhere(scope, message.id, merchant.confirmed_test_emails)

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/** As they are at this moment, for a message that writes any. */
async function withMetafields(scope: MerchantScope, turn: Turn, rows: ClaimedRow[]): Promise<ClaimedRow[]> {
  const { metafieldPaths: paths, language: locale } = turn
  if (paths.length === 0) return rows
  const customerIds = rows.flatMap(({ customer_id: id }) => id ?? [])
  const values = await readMailMetafields(scope, customerIds, { paths, locale })
  return rows.map((row) => ({ ...row, metafields: values.get(row.customer_id ?? '') }))
}
