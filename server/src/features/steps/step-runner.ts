import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import type { Move } from './node-kind.ts'
import { findNodeKind } from './nodes/index.ts'
import { apply, type Counts, executionAt, type Walker } from './step.ts'

/** Takes them as far as they go: each until it sleeps, ends or fails. Those at one node take it together. */
export async function takeSteps(scope: TransactionScope, walkers: readonly Walker[], counts: Counts): Promise<void> {
  for (const group of groupsOf(walkers)) await advanceGroup(scope, group, counts)
}

/** Those at one node of one version, as long as any are on their way. */
function* groupsOf(walkers: readonly Walker[]): Generator<readonly Walker[]> {
  for (;;) {
    const groups = new Map<string, Walker[]>()
    for (const walker of walkers) {
      if (walker.rest || !walker.node) continue
      const key = `${walker.row.scenario_id} ${walker.row.version} ${walker.node.id}`
      const group = groups.get(key)
      if (group) group.push(walker)
      else groups.set(key, [walker])
    }
    if (groups.size === 0) return
    yield* groups.values()
  }
}

async function advanceGroup(scope: TransactionScope, group: readonly Walker[], counts: Counts): Promise<void> {
  const node = group[0]?.node
  const scenario = group[0]?.scenario
  if (!node || !scenario) return
  for (const walker of group)
    if (walker.woken === 'arrived' && walker.attempts === 0) counts.add(walker, node.id, 'entered')
  const kind = findNodeKind(node.kind)
  const moves: readonly Move[] = kind
    ? await kind.advance({ scope, scenario, node, executions: group.map(executionAt) })
    : group.map(() => ({ fail: 'internal' as const, detail: `${node.kind} cannot be run` }))
  if (moves.length !== group.length) throw new Error(`${node.kind} answered ${moves.length} moves for ${group.length}`)
  for (const [index, walker] of group.entries()) {
    const move = moves[index]
    if (move) apply(walker, move, counts, scope.now)
  }
}
