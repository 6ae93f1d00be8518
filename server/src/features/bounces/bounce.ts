import type { BounceKind, CustomerBounces } from '@okaeri/contract/bounces/bounce'
import type { BounceReport } from '../../integrations/bounces/report.ts'
import { judgeAnswer } from '../../integrations/bounces/verdict.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findSuppressionInForce, mayBeSuppressed, suppress, withdrawByAddress } from '../consent/index.ts'
import { getCustomerView } from '../customers/index.ts'
import { type Bounce as Refusal, recordOutcomes } from '../deliveries/index.ts'
import { addStats } from '../stats/index.ts'
import { type BounceHistory, decide } from './decision.ts'
import {
  clearAddress,
  findReturnedDelivery,
  insertBounce,
  type NewBounce,
  readHistory,
  selectBounces,
} from './queries.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** A person reported a mail as spam, for the first time. */
    'mail.complained': { deliveryId: string }
  }
}

/** A report, with the delivery it was found to be about. */
export interface MatchedReport {
  deliveryId: string
  /** Several, where the mail names more recipients than ours. */
  reports: readonly BounceReport[]
  way: NewBounce['way']
  matchedBy: NewBounce['matchedBy']
  evidence: string
  /** When it was written, as it says itself. */
  writtenAt: Date | null
}

const SHOWN = 20
const NO_HISTORY: BounceHistory = { softDays: 0, doubtedDays: 0 }

/**
 * Stores what came back and does what follows, in one transaction. The address is the one we mailed, never one that the report names. The
 * same said again changes nothing; returns whether it was new.
 */
export function recordReport(scope: MerchantScope, matched: MatchedReport): Promise<boolean> {
  const { deliveryId, reports, way, matchedBy } = matched
  if (reports.every((report) => kindOf(report) === null)) return Promise.resolve(false)
  return scope.transaction(async (scope) => {
    const delivery = await findReturnedDelivery(scope, deliveryId)
    // What comes back from a test address says nothing of the customer; of a person who was forgotten nothing is kept.
    if (!delivery || delivery.isTest || delivery.addressKey === null) return false
    const { addressKey, sentAt } = delivery
    const theirs = reports.find((report) => isAbout(report, addressKey))
    const report = theirs ?? reports[0]
    const kind = report ? kindOf(report) : null
    if (!report || kind === null) return false
    const bounce: NewBounce = {
      deliveryId,
      addressKey,
      // The mail was passed on from there, and it is the other mailbox that does not exist.
      kind: kind === 'hard' && !theirs ? 'soft' : kind,
      isDoubted: report.isDoubted,
      way,
      matchedBy,
      status: report.status,
      server: report.server,
      diagnostic: report.diagnostic,
      evidence: matched.evidence || null,
    }
    if (!(await insertBounce(scope, bounce))) return false
    await countFirst(scope, bounce)
    await actOn(scope, bounce, { about: aboutTime(matched.writtenAt, sentAt, scope.now), sentAt })
    return true
  })
}

/** What a new report means for the address, with what came back before it. */
async function actOn(
  scope: MerchantScope,
  bounce: NewBounce,
  { about, sentAt }: { about: Date; sentAt: Date | null },
): Promise<void> {
  const { addressKey, deliveryId, kind } = bounce
  const counts = kind === 'soft' || kind === 'full'
  const reason = decide(bounce, counts ? await readHistory(scope, addressKey) : NO_HISTORY)
  if (reason === null) return
  // A late report does not undo what a person decided since: that mail may go there again, or that they want it.
  const since = reason === 'complaint' ? about : (sentAt ?? about)
  if (!(await mayBeSuppressed(scope, { addressKey, reason, since }))) return
  const detail = proofOf(bounce)
  await suppress(scope, { address: addressKey, reason, detail })
  if (reason === 'complaint')
    await withdrawByAddress(scope, { addressKey, source: 'complaint', deliveryId, wording: detail })
}

/**
 * Addresses refused while mails were handed over. They failed at once, so they do not count as returned; what takes no mail day after day
 * is suppressed in the same way.
 */
export async function recordRefusals(
  scope: MerchantScope,
  { refusals }: { refusals: readonly Omit<Refusal, 'isHard'>[] },
): Promise<void> {
  for (const { deliveryId, address, detail, status } of refusals) {
    const judged = judgeAnswer({ status, words: detail, recipient: address, server: null })
    const bounce: NewBounce = {
      deliveryId,
      addressKey: address.toLowerCase(),
      // What ends an address at once was decided where it was refused.
      kind: judged.verdict === 'full' || judged.verdict === 'blocked' ? judged.verdict : 'soft',
      isDoubted: judged.isDoubted,
      way: 'refused',
      matchedBy: 'delivery',
      status,
      server: null,
      diagnostic: detail,
      evidence: null,
    }
    if (await insertBounce(scope, bounce)) await actOn(scope, bounce, { about: scope.now, sentAt: null })
  }
}

/** A customer was removed: see {@link clearAddress}. */
export async function forgetReturned(scope: MerchantScope, { emailKey }: { emailKey: string | null }): Promise<void> {
  if (emailKey !== null) await clearAddress(scope, emailKey)
}

/** What says something of the address. A delay does not: the mail may still arrive, and if not, a report follows. */
function kindOf({ verdict, isDelay }: BounceReport): BounceKind | null {
  if (isDelay || verdict === 'auto_reply' || verdict === 'not_a_bounce') return null
  return verdict
}

const isAbout = ({ recipient, originalRecipient }: BounceReport, addressKey: string): boolean =>
  recipient === null || recipient === addressKey || originalRecipient === addressKey

/** By another system's clock, so it is kept after the mail and not in the future. */
function aboutTime(writtenAt: Date | null, sentAt: Date | null, now: Date): Date {
  const at = writtenAt ?? now
  if (at > now) return now
  return sentAt !== null && at < sentAt ? sentAt : at
}

/**
 * Each mail counts as returned once, by the first report of it. A report that could be forged counts as soft: it stops no campaign and no
 * step.
 */
async function countFirst(scope: MerchantScope, bounce: NewBounce): Promise<void> {
  const { deliveryId, matchedBy } = bounce
  const kind = matchedBy === 'recipient' ? 'soft' : bounce.kind
  const at = scope.now
  const first = await recordOutcomes(scope, [
    kind === 'complaint'
      ? { deliveryId, kind: 'complained', at }
      : { deliveryId, kind: 'bounced', at, bounceKind: kind },
  ])
  await addStats(
    scope,
    first.map(({ kind, program, channel, contentId }) => ({ at, program, channel, contentId, [kind]: 1 })),
  )
  if (first.some(({ kind }) => kind === 'complained'))
    await scope.context.publish(scope, 'mail.complained', { deliveryId })
}

const proofOf = ({ diagnostic, status, server }: NewBounce): string =>
  [diagnostic ?? status ?? '', server ? `(${server})` : '']
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, 1_000)

/** What a member sees on the customer's page. */
export async function listCustomerBounces(scope: MerchantScope, customerId: string): Promise<CustomerBounces> {
  const { email } = await getCustomerView(scope, customerId)
  if (email === null) return { suppression: null, bounces: [] }
  const addressKey = email.toLowerCase()
  const rows = await selectBounces(scope, addressKey, SHOWN)
  return {
    suppression: await findSuppressionInForce(scope, addressKey),
    bounces: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
  }
}
