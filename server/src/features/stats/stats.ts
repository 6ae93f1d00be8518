import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  type ChannelResults,
  type Measure,
  measures,
  noResults,
  type ProgramResults,
  type Results,
  sumOfChannels,
} from './measure.ts'
import type { Program } from './program.ts'
import {
  addToBuckets,
  addToScenarios,
  type BucketKey,
  type BucketRow,
  setSent,
  sumByEmail,
  sumByProgram,
  sumByScenario,
  sumSentOfNodes,
} from './queries.ts'

/** What is counted. The content implies the channel: one content is sent through one channel. */
interface Source {
  program: Program | null
  channel: ChannelName
  /** For a mail, the id of its email. */
  contentId: string | null
}

/** What to add at one instant; negative subtracts. */
export type StatsIncrement = { at: Date } & Source & Partial<Record<Measure, number>>

const BUCKET_MS = 15 * 60_000
const bucketOf = (at: Date): Date => new Date(Math.floor(at.getTime() / BUCKET_MS) * BUCKET_MS)

/** Several rows of sums are written in this order, so that two writers never deadlock. */
const keyOf = ({ bucket, programId, contentId, nodeId }: BucketKey): string =>
  `${bucket.toISOString()} ${programId} ${contentId} ${nodeId}`

const bucketKey = (bucket: Date, { program, channel, contentId }: Source): BucketKey => ({
  bucket,
  programId: program?.id ?? NIL_ID,
  nodeId: program?.nodeId ?? '',
  channel,
  contentId: contentId ?? NIL_ID,
})

/** Adds up in memory and stores with one statement; call it last in a short transaction (see README: contention). */
export async function addStats(scope: MerchantScope, increments: readonly StatsIncrement[]): Promise<void> {
  const rows = new Map<string, BucketRow>()
  for (const increment of increments) {
    const of = bucketKey(bucketOf(increment.at), increment)
    const key = keyOf(of)
    let row = rows.get(key)
    if (!row) rows.set(key, (row = { ...of, counts: noResults() }))
    for (const measure of measures) row.counts[measure] += increment[measure] ?? 0
  }
  const changed = [...rows].filter(([, { counts }]) => measures.some((measure) => counts[measure] !== 0))
  changed.sort(([a], [b]) => (a < b ? -1 : 1))
  if (changed.length === 0) return
  const sorted = changed.map(([, row]) => row)
  await addToBuckets(scope, sorted)
  await addToScenarios(scope, totalsOf(sorted))
}

/** Only scenarios, by node, in the order of the key. */
function totalsOf(rows: readonly BucketRow[]): BucketRow[] {
  const totals = new Map<string, BucketRow>()
  for (const row of rows) {
    if (row.nodeId === '') continue
    const key = `${row.programId} ${row.nodeId}`
    let total = totals.get(key)
    if (!total) totals.set(key, (total = { ...row, counts: noResults() }))
    for (const measure of measures) total.counts[measure] += row.counts[measure]
  }
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
}

/** The messages of one program and content sent in each quarter of an hour. */
type SentCounts = Source & { counts: readonly { bucket: Date; sent: number }[] }

/**
 * Sets how many mails of a campaign, or of nodes of a scenario, were sent; returns by how much the sums grew. Repeatedly counted from the
 * ledger's rows during sending: an increment per mail would cost every commit a contended row, and a lost one would never be found.
 */
export async function setSentCounts(scope: MerchantScope, sent: readonly SentCounts[]): Promise<number> {
  const rows = sent.flatMap(({ counts, ...source }) =>
    counts.map(({ bucket, sent }) => {
      const row = { ...bucketKey(bucket, source), sent }
      return [keyOf(row), row] as const
    }),
  )
  if (rows.length === 0) return 0
  rows.sort(([a], [b]) => (a < b ? -1 : 1))
  const grown = await setSent(
    scope,
    rows.map(([, row]) => row),
  )
  const ofNodes = grown.filter(({ nodeId, more }) => nodeId !== '' && more !== 0)
  const totals = ofNodes.map(({ more, ...node }) => [`${node.programId} ${node.nodeId}`, { ...node, more }] as const)
  totals.sort(([a], [b]) => (a < b ? -1 : 1))
  await addToScenarios(
    scope,
    totals.map(([, { more, ...node }]) => ({ ...node, counts: { ...noResults(), sent: more } })),
  )
  return grown.reduce((sum, { more }) => sum + more, 0)
}

/** The results of each email asked for; zeros where nothing happened. */
export async function resultsOfEmails(scope: MerchantScope, ids: readonly string[]): Promise<Map<string, Results>> {
  return withZeros(ids, ids.length > 0 ? await sumByEmail(scope, ids) : [])
}

/** The results of each campaign asked for; zeros where nothing happened. */
export async function resultsOfCampaigns(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<Map<string, ProgramResults>> {
  const rows = Map.groupBy(ids.length > 0 ? await sumByProgram(scope, ids) : [], ({ id }) => id)
  return new Map(ids.map((id) => [id, sumOfChannels(rows.get(id) ?? [])]))
}

/** The results of each scenario by channel, over all its nodes and versions; no row if nothing happened. */
export async function resultsOfScenarios(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<Map<string, ChannelResults[]>> {
  return Map.groupBy(ids.length > 0 ? await sumByScenario(scope, ids) : [], ({ id }) => id)
}

function withZeros(ids: readonly string[], rows: readonly (Results & { id: string })[]): Map<string, Results> {
  const results = new Map(ids.map((id) => [id, noResults()]))
  for (const { id, ...counts } of rows) results.set(id, counts)
  return results
}

/** Messages that scenarios sent in a channel since a moment. */
export const sentByScenarios = (
  scope: MerchantScope,
  { channel, since }: { channel: ChannelName; since: Date },
): Promise<number> => sumSentOfNodes(scope, { channel, since: bucketOf(since) })
