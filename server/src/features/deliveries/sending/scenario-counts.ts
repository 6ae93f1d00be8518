import { recurring } from '../../../kernel/work/due-merchants.ts'
import { newId } from '../../../kernel/ids.ts'
import { job } from '../../../kernel/work/jobs.ts'
import { type MerchantScope, merchantScope } from '../../../kernel/merchant-scope.ts'
import { recountMails } from '../../customers/index.ts'
import { setSentCounts } from '../../stats/index.ts'
import { sumUpMails } from '../reading-queries.ts'
import { uncountedMessages } from '../due-queries.ts'
import {
  claimCounting,
  claimDoneMessages,
  countSentOfScenario,
  listSentTo,
  listUncountedScenarios,
  markCounted,
  type SentOfNode,
} from '../scenario-steps/scenario-queries.ts'

declare module '../../../kernel/facts.ts' {
  interface Facts {
    /** What was sent of these was counted; there may be more of it than before. */
    'deliveries.counted': { programs: readonly { kind: 'campaign' | 'scenario'; id: string }[] }
  }
}

/** An answer is stored milliseconds after it came; so much later it surely is, or nothing is being stored at all. */
const STORED_WITHIN_MS = 60_000
const RECOUNTED_AT_ONCE = 2000

/** What each of these customers got in all, set from the ledger's rows. Segments that ask about mails hear of it. */
export const recountRecipients = job<{ id: string; customerIds: string[] }>(
  'deliveries.recount_recipients',
  ({ id }) => id,
  (scope, { customerIds }) =>
    scope.transaction(async (scope) => {
      const changed = await recountMails(scope, customerIds, sumUpMails)
      if (changed.length > 0) await scope.context.publish(scope, 'customers.changed', { customerIds: changed })
    }),
)

/**
 * The sent counts of a scenario, which never ends: set from the rows of the quarters of an hour in which something may have been sent
 * since the last time. An increment with each mail would cost every commit a contended row.
 */
async function countScenario(scope: MerchantScope, scenario: { scenario_id: string; from: Date }): Promise<boolean> {
  const { scenario_id: scenarioId, from } = scenario
  return scope.transaction(async (scope) => {
    if (!(await claimCounting(scope, scenarioId))) return false
    const done = await claimDoneMessages(scope, scenarioId)
    const counts = await countSentOfScenario(scope, scenarioId, from)
    const byContent = Map.groupBy(counts, ({ node_id, content_id }) => `${node_id} ${content_id}`)
    const more = await setSentCounts(
      scope,
      [...byContent.values()].flatMap((rows) => {
        const { node_id: nodeId, channel, content_id: contentId } = rows[0] as SentOfNode
        return { program: { kind: 'scenario', id: scenarioId, nodeId }, channel, contentId, counts: rows }
      }),
    )
    const customerIds = more === 0 ? [] : await listSentTo(scope, scenarioId, from)
    for (let at = 0; at < customerIds.length; at += RECOUNTED_AT_ONCE)
      await scope.context.jobs.later(scope, recountRecipients, {
        id: newId(),
        customerIds: customerIds.slice(at, at + RECOUNTED_AT_ONCE),
      })
    await scope.context.publish(scope, 'deliveries.counted', { programs: [{ kind: 'scenario', id: scenarioId }] })
    await markCounted(scope, scenarioId, { done, until: new Date(scope.now.getTime() - STORED_WITHIN_MS) })
    return done.length > 0
  })
}

export const countScenarios = recurring({
  name: 'count what scenarios sent',
  everyMs: 5_000,
  due: uncountedMessages,
  async turn(scope, signal) {
    let worked = false
    for (const scenario of await listUncountedScenarios(scope)) {
      if (signal.aborted) break
      worked = (await countScenario(merchantScope(scope.context, scope.merchantId), scenario)) || worked
    }
    return worked
  },
})
