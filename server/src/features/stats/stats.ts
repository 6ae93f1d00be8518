import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type Measure, measures, noResults, type Results } from './measure.ts'
import { addToBuckets, type BucketRow, setSent, sumByCampaign, sumByEmail } from './queries.ts'

/** What to add at one instant; negative takes away. */
export type StatsIncrement = { at: Date; campaignId: string | null; emailId: string | null } & Partial<
  Record<Measure, number>
>

const BUCKET_MS = 15 * 60_000
const bucketOf = (at: Date): Date => new Date(Math.floor(at.getTime() / BUCKET_MS) * BUCKET_MS)

/** Adds up in memory and stores with one statement; call it last in a short transaction (see README: contention). */
export async function addStats(scope: MerchantScope, increments: readonly StatsIncrement[]): Promise<void> {
  const rows = new Map<string, BucketRow>()
  for (const increment of increments) {
    const bucket = bucketOf(increment.at)
    const campaignId = increment.campaignId ?? NIL_ID
    const emailId = increment.emailId ?? NIL_ID
    const key = `${bucket.toISOString()} ${campaignId} ${emailId}`
    let row = rows.get(key)
    if (!row) rows.set(key, (row = { bucket, campaignId, emailId, counts: noResults() }))
    for (const measure of measures) row.counts[measure] += increment[measure] ?? 0
  }
  const changed = [...rows].filter(([, { counts }]) => measures.some((measure) => counts[measure] !== 0))
  changed.sort(([a], [b]) => (a < b ? -1 : 1))
  if (changed.length > 0)
    await addToBuckets(
      scope,
      changed.map(([, row]) => row),
    )
}

/**
 * Sets how many mails of a campaign went out in each quarter of an hour. Counted from the ledger's rows again and again while it is
 * sent: an increment per mail would cost every commit a contended row, and one lost would never be found.
 */
export async function setSentCounts(
  scope: MerchantScope,
  message: { campaignId: string | null; emailId: string | null },
  counts: readonly { bucket: Date; sent: number }[],
): Promise<void> {
  if (counts.length > 0)
    await setSent(scope, { campaignId: message.campaignId ?? NIL_ID, emailId: message.emailId ?? NIL_ID }, counts)
}

/** The results of each email asked for; zeros where nothing happened. */
export async function resultsOfEmails(scope: MerchantScope, ids: readonly string[]): Promise<Map<string, Results>> {
  return withZeros(ids, ids.length > 0 ? await sumByEmail(scope, ids) : [])
}

/** The results of each campaign asked for; zeros where nothing happened. */
export async function resultsOfCampaigns(scope: MerchantScope, ids: readonly string[]): Promise<Map<string, Results>> {
  return withZeros(ids, ids.length > 0 ? await sumByCampaign(scope, ids) : [])
}

function withZeros(ids: readonly string[], rows: readonly (Results & { id: string })[]): Map<string, Results> {
  const results = new Map(ids.map((id) => [id, noResults()]))
  for (const { id, ...counts } of rows) results.set(id, counts)
  return results
}
