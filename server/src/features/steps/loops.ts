import { type Flow, type FlowNode, nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'

export const edge = (from: string, to: string): string => `${from} ${to}`

/**
 * The back edges, seen from the first node. Every loop has one. An execution that takes it begins a new round, so that its steps count
 * as new visits.
 */
export function edgesBack({ nodes, start }: Pick<Flow, 'nodes' | 'start'>): ReadonlySet<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const back = new Set<string>()
  const entered = new Set<string>()
  const onTheWay = new Set<string>()
  const first = start === null ? undefined : byId.get(start)
  const way: { node: FlowNode; targets: string[] }[] = []
  const enter = (node: FlowNode): void => {
    entered.add(node.id)
    onTheWay.add(node.id)
    way.push({ node, targets: portsOf(node).flatMap((port) => nextOf(node, port) ?? []) })
  }
  if (first) enter(first)
  for (let here = way.at(-1); here; here = way.at(-1)) {
    const target = here.targets.pop()
    if (target === undefined) {
      onTheWay.delete(here.node.id)
      way.pop()
      continue
    }
    const next = byId.get(target)
    if (next && onTheWay.has(target)) back.add(edge(here.node.id, target))
    else if (next && !entered.has(target)) enter(next)
  }
  return back
}
