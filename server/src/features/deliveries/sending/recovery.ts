import { stopwatch } from '../../../kernel/clock.ts'
import type { Context } from '../../../kernel/context.ts'
import { type MerchantScope, merchantScope } from '../../../kernel/merchant-scope.ts'
import { channelOf, resultDefaults } from '../channel.ts'
import { isWriterDead, readAccepted, readTransmitLog } from '../transmit-log/transmit-log.ts'
import { isOwnLease } from './lease.ts'
import {
  claimLease,
  deleteLease,
  listBehindWatermark,
  listLeases,
  returnLeasedRows,
  type SeenLease,
  storeResults,
} from './lease-queries.ts'
import { getMessage } from '../message-queries.ts'
import { countAgainFrom } from '../scenario-steps/scenario-queries.ts'

/** A lease as this process has watched it: since when its beat stands still. */
interface Watched {
  beat: number
  stillMs: () => number
}
interface Watch {
  leases: Map<string, Watched>
  sinceLook: () => number
}
/** Looks are a second apart; more than this between two, and the watching was interrupted. */
const SHORTEST_GAP_MS = 3_000
const watches = new WeakMap<Context, Map<string, Watch>>()

/**
 * Leases whose worker gave no sign of life for the length of a lease, by this process's own stopwatch: set clocks do not matter. If the
 * watching was interrupted (the database was away, this process was frozen) it starts again: the workers were interrupted too, and their
 * results are known but not stored yet. A worker known to be dead is not waited for.
 */
function watch(context: Context, merchantId: string, leases: readonly SeenLease[]): SeenLease[] {
  const { dataDir, leaseSeconds } = context.settings
  const lastsMs = leaseSeconds * 1000
  const ofContext = watches.get(context) ?? new Map<string, Watch>()
  watches.set(context, ofContext)
  const last = ofContext.get(merchantId)
  const before =
    last && last.sinceLook() < Math.max(lastsMs / 3, SHORTEST_GAP_MS) ? last.leases : new Map<string, Watched>()
  const seen = new Map(
    leases.map(({ id, beat }): [string, Watched] => {
      const known = before.get(String(id))
      return [String(id), known?.beat === beat ? known : { beat, stillMs: stopwatch() }]
    }),
  )
  ofContext.set(merchantId, { leases: seen, sinceLook: stopwatch() })
  return leases.filter(({ id, journal_id: journalId }) => {
    if (isOwnLease(id)) return false
    if (journalId && isWriterDead(dataDir, merchantId, journalId)) return true
    return (seen.get(String(id))?.stillMs() ?? 0) >= lastsMs
  })
}

/**
 * Takes over what a dead worker held: deliveries that were taken are sent; those whose body left, or may have, become uncertain, unless their
 * channel makes another try safe; the others go back to pending. Any process can do it. Returns whether there was anything.
 */
export async function recoverLeases(context: Context, merchantId: string): Promise<boolean> {
  const scope = merchantScope(context, merchantId)
  let recovered = false
  for (const seen of watch(context, merchantId, await listLeases(scope))) {
    const uncertain = await scope.transaction(async (scope) => {
      const lease = await claimLease(scope, seen)
      if (!lease) return null
      const { channel } = await getMessage(scope, lease.message_id)
      await storeAccepted(scope, lease)
      const mayHaveLeft = await listMayHaveLeft(scope, lease)
      const isSafe = channelOf(context, channel).safeRetryMs > 0
      await returnLeasedRows(scope, lease, { mayHaveLeft, isSafe })
      await deleteLease(scope, lease.id)
      return isSafe ? 0 : mayHaveLeft.length
    })
    if (uncertain === null) continue
    recovered = true
    context.log.warn(
      { merchantId, messageId: seen.message_id, uncertain },
      'a worker died while sending; its work was taken over',
    )
  }
  return recovered
}

/** What the journal says was taken is sent, though its worker could not store it. */
async function storeAccepted(scope: MerchantScope, lease: SeenLease): Promise<void> {
  const { context, merchantId } = scope
  const accepted = readAccepted(context.settings.dataDir, merchantId, lease)
  if (accepted.size === 0) return
  const detail = 'taken by the mail server; the worker stopped before its words were stored'
  const results = (await listBehindWatermark(scope, lease)).flatMap((id) => {
    const sentAt = accepted.get(id)
    return sentAt ? [{ ...resultDefaults(id), status: 'sent' as const, detail, sentAt }] : []
  })
  if (results.length === 0) return
  await storeResults(
    scope,
    { leaseId: lease.id, messageId: lease.message_id, merchantInTestMode: false, codeDoubts: 0 },
    results,
  )
  await countAgainFrom(scope, lease.message_id, results)
}

async function listMayHaveLeft(scope: MerchantScope, lease: SeenLease): Promise<string[]> {
  const { context, merchantId } = scope
  const cleared = await listBehindWatermark(scope, lease)
  const left = readTransmitLog(context.settings.dataDir, merchantId, lease)
  return left ? cleared.filter((deliveryId) => left.has(deliveryId)) : cleared
}
