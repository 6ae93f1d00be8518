import { checkCondition, type ConditionCategory } from '../../segments/condition.ts'
import { type Flow, type FlowNode, nextOf, portsOf } from './flow.ts'
import type { FlowProblem } from './flow-problem.ts'
import { nodeRules } from '../node-kinds/index.ts'
import { triggerRules } from '../trigger-kinds/index.ts'

type Problem = FlowProblem['problem']

const takesTime = ({ kind }: FlowNode): boolean => nodeRules(kind).takesTime === 'always'

/**
 * The problems of a flow that can be found without the database: the page shows them while editing, and enabling is refused by them.
 * The server adds what needs the merchant's data, such as a deleted email. `categories` are the condition categories the merchant has.
 */
export function checkFlowShape(flow: Flow, categories?: readonly ConditionCategory[]): FlowProblem[] {
  const problems: FlowProblem[] = []
  const say = (node: FlowNode | null, problem: Problem, field: string | null = null): void => {
    problems.push({ node_id: node?.id ?? null, problem, field })
  }
  const byId = new Map<string, FlowNode>()
  for (const node of flow.nodes) {
    if (byId.has(node.id)) say(node, 'duplicate_node')
    else byId.set(node.id, node)
  }
  if (flow.nodes.length === 0) say(null, 'no_nodes')
  else if (flow.start === null || !byId.has(flow.start)) say(null, 'no_start', 'start')
  const missing = triggerRules(flow.trigger.kind).missing?.(flow.trigger)
  if (missing) say(null, 'trigger_incomplete', `trigger.${missing}`)
  if (flow.condition && Object.keys(checkCondition(flow.condition, 'condition', categories)).length > 0)
    say(null, 'condition_invalid', 'condition')
  const around = { categories, kindOf: (id: string) => byId.get(id)?.kind }
  for (const node of flow.nodes) {
    for (const port of portsOf(node)) {
      const target = nextOf(node, port)
      if (target !== null && !byId.has(target)) say(node, 'unknown_target', `next.${port}`)
    }
    for (const [problem, field] of nodeRules(node.kind).check?.(node.settings, around) ?? []) say(node, problem, field)
  }
  const reached = reachable(flow, byId)
  for (const node of byId.values()) if (reached.size > 0 && !reached.has(node.id)) say(node, 'unreachable')
  const stuck = endlessNode(byId)
  if (stuck) say(stuck, 'cycle_without_wait')
  return problems
}

/** Ids of the nodes an execution can reach, in reading order. Empty without a start. */
export function reachable(flow: Pick<Flow, 'start'>, byId: ReadonlyMap<string, FlowNode>): Set<string> {
  const reached = new Set<string>()
  const ahead = flow.start === null ? [] : [flow.start]
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const node = byId.get(id)
    if (!node || reached.has(id)) continue
    reached.add(id)
    for (const port of [...portsOf(node)].reverse()) {
      const target = nextOf(node, port)
      if (target !== null) ahead.push(target)
    }
  }
  return reached
}

/** A node on a loop without a wait, or null. Not recursive: a chain of 300 nodes must not exhaust the stack. */
function endlessNode(byId: ReadonlyMap<string, FlowNode>): FlowNode | null {
  const done = new Set<string>()
  for (const first of byId.values()) {
    if (takesTime(first) || done.has(first.id)) continue
    const path = [{ node: first, ports: [...portsOf(first)] }]
    const onPath = new Set([first.id])
    while (path.length > 0) {
      const last = path[path.length - 1]
      const port = last?.ports.pop()
      if (!last) break
      if (port === undefined) {
        path.pop()
        onPath.delete(last.node.id)
        done.add(last.node.id)
        continue
      }
      const target = byId.get(nextOf(last.node, port) ?? '')
      if (!target || takesTime(target) || done.has(target.id)) continue
      if (onPath.has(target.id)) return target
      onPath.add(target.id)
      path.push({ node: target, ports: [...portsOf(target)] })
    }
  }
  return null
}
