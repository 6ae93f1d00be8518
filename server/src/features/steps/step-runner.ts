import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { nodeKindOf } from './nodes/index.ts'
import { apply, type Counts, executionAt, type StepRun } from './step.ts'

/** Runs each until it sleeps, ends or fails. Executions at one node take it together. */
export async function runSteps(scope: TransactionScope, runs: readonly StepRun[], counts: Counts): Promise<void> {
  for (const group of groupsOf(runs)) await advanceGroup(scope, group, counts)
}

/** Executions at one node of one version, until all have come to rest. */
function* groupsOf(runs: readonly StepRun[]): Generator<readonly StepRun[]> {
  for (;;) {
    const groups = new Map<string, StepRun[]>()
    for (const run of runs) {
      if (run.rest || !run.node) continue
      const key = `${run.row.scenario_id} ${run.row.version} ${run.node.id}`
      const group = groups.get(key)
      if (group) group.push(run)
      else groups.set(key, [run])
    }
    if (groups.size === 0) return
    yield* groups.values()
  }
}

async function advanceGroup(scope: TransactionScope, group: readonly StepRun[], counts: Counts): Promise<void> {
  const node = group[0]?.node
  const scenario = group[0]?.scenario
  if (!node || !scenario) return
  for (const run of group) if (run.woken === 'arrived' && run.attempts === 0) counts.add(run, node.id, 'entered')
  const moves = await nodeKindOf(node.kind).advance({ scope, scenario, node, executions: group.map(executionAt) })
  if (moves.length !== group.length) throw new Error(`${node.kind} answered ${moves.length} moves for ${group.length}`)
  for (const [index, run] of group.entries()) {
    const move = moves[index]
    if (move) apply(run, move, counts, scope.now)
  }
}
