import { type FlowNode, nextOf, portsOf } from './flow.ts'

/**
 * For every node with several ports, the first node that all its branches reach in every case; absent if a branch ends before that, or
 * loops forever. These are the immediate post-dominators. A set of nodes is a bigint, one bit per node.
 */
export function meetingPoints(reached: ReadonlySet<string>, byId: ReadonlyMap<string, FlowNode>): Map<string, string> {
  const order = [...reached].reverse()
  const bit = new Map(order.map((id, at) => [id, 1n << BigInt(at)]))
  const targets = new Map<string, (string | null)[]>()
  for (const id of order) {
    const node = byId.get(id)
    const ports = node ? portsOf(node).map((port) => nextOf(node, port)) : []
    targets.set(
      id,
      ports.length === 0 ? [null] : ports.map((target) => (target !== null && bit.has(target) ? target : null)),
    )
  }
  const every = (1n << BigInt(order.length)) - 1n
  const certain = new Map<string, bigint>(order.map((id) => [id, every]))
  const ends = new Set<string>()
  for (let changed = true; changed; ) {
    changed = false
    for (const id of order) {
      const next = targets.get(id) ?? []
      if (!ends.has(id) && next.some((target) => target === null || ends.has(target))) {
        ends.add(id)
        changed = true
      }
      let ahead = every
      for (const target of next) ahead &= target === null ? 0n : (certain.get(target) ?? 0n)
      const now = ahead | (bit.get(id) ?? 0n)
      if (now !== certain.get(id)) {
        certain.set(id, now)
        changed = true
      }
    }
  }
  const meeting = new Map<string, string>()
  for (const id of order) {
    const next = targets.get(id) ?? []
    if (next.length < 2 || !next.every((target) => target !== null && ends.has(target))) continue
    const ahead = (certain.get(id) ?? 0n) & ~(bit.get(id) ?? 0n)
    // Among the nodes certainly ahead, the nearest one has exactly this set itself.
    const nearest = order.find((each) => ((bit.get(each) ?? 0n) & ahead) !== 0n && certain.get(each) === ahead)
    if (nearest) meeting.set(id, nearest)
  }
  return meeting
}
