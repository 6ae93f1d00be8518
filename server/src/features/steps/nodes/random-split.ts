import type { NodeOf } from '@okaeri/contract/scenarios/flow/flow'
import { sharePorts } from '@okaeri/contract/scenarios/node-kinds/random-split'
import { createHash } from 'node:crypto'
import type { ExecutionAt, NodeKind } from '../node-kind.ts'

/** A customer always gets the same branch of a split, at any time and on any machine. */
export const randomSplit: NodeKind<'random_split'> = {
  onlyDecides: () => true,
  advance: ({ scenario, node, executions }) =>
    Promise.resolve(
      executions.map((execution) => {
        const port = portOf(node, scenario.id, personOf(execution))
        return { to: port, detail: { share: port } }
      }),
    ),
  rehearse: (node, { past, customerId }) => ({ to: portOf(node, past.scenarioId, customerId) }),
}

const portOf = ({ id, settings: { shares } }: NodeOf<'random_split'>, scenarioId: string, personId: string) =>
  sharePorts[shareOf(`${scenarioId} ${id} ${personId}`, shares)] ?? 'a'

const personOf = ({ customer_id, guest_id, id }: ExecutionAt): string => customer_id ?? guest_id ?? id

/** The share that a text falls into; shares need not add up to 100. */
export function shareOf(text: string, shares: readonly number[]): number {
  const total = shares.reduce((sum, share) => sum + share, 0)
  // 48 bits fit a number without rounding.
  let at = (createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48) * total
  for (const [index, share] of shares.entries()) {
    if (at < share) return index
    at -= share
  }
  return shares.length - 1
}
