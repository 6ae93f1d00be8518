import { Flow, type FlowNode, MAX_NODES, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { checkFlowShape } from '@okaeri/contract/scenarios/flow/flow-check'
import { NODE_HEIGHT, NODE_WIDTH } from '@okaeri/contract/scenarios/flow/flow-places'
import { type NodeKindName, nodeKindNames } from '@okaeri/contract/scenarios/node-kinds/index'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { problemsByNode } from '../checking.ts'
import { copied, pasted } from './clipboard.ts'
import { added, connected, inserted, isFull, isOnlyMoved, moved, newNode, removed, withNode } from './flow-edits.ts'
import { edgesOf, findNode, START, targetOf, portAfter } from './flow-graph.ts'
import { nearestFreePosition, neighbourOf, startPosition } from './positions.ts'
import { tidied } from './tidy-layout.ts'
import { begun, changed, type FlowHistory, redone, undone } from './undo-history.ts'
import { withShares } from '../node-kinds/random-split.tsx'

const empty: Flow = {
  trigger: { kind: 'birthday', days_before: 0, time: '10:00' },
  condition: null,
  reentry: { mode: 'once' },
  ends_on: [],
  start: null,
  nodes: [],
}
/** One after the other from the start. */
function chain(...kinds: NodeKindName[]): { flow: Flow; ids: string[] } {
  let flow = empty
  const ids: string[] = []
  for (const kind of kinds) {
    const node = newNode(kind)
    const way = portAfter(flow, ids.at(-1) ?? null)
    if (way) flow = inserted(flow, way, node)
    ids.push(node.id)
  }
  return { flow, ids }
}
const ways = (flow: Flow) => edgesOf(flow).map(({ from, port, to }) => `${from ?? 'start'}.${port}>${to}`)
const overlaps = (flow: Flow): boolean =>
  flow.nodes.some((one, at) =>
    flow.nodes
      .slice(at + 1)
      .some(
        (other) =>
          Math.abs(one.position.x - other.position.x) < NODE_WIDTH &&
          Math.abs(one.position.y - other.position.y) < NODE_HEIGHT,
      ),
  )

describe('adding', () => {
  it('connects the start to the first node', () => {
    const node = newNode('send_email')
    expect(added(empty, node).start).toBe(node.id)
  })
  it('one after the other makes a chain without overlaps', () => {
    const { flow, ids } = chain('issue_coupon', 'send_email', 'wait', 'send_email')
    expect(ways(flow)).toEqual([
      `start.next>${ids[0]}`,
      `${ids[0]}.next>${ids[1]}`,
      `${ids[1]}.next>${ids[2]}`,
      `${ids[2]}.next>${ids[3]}`,
    ])
    expect(overlaps(flow)).toBe(false)
  })
  it('on an edge puts it in between, and moves down what is below', () => {
    const { flow, ids } = chain('send_email', 'send_email')
    const wait = newNode('wait')
    const next = inserted(flow, { from: ids[0] ?? '', port: 'next' }, wait)
    expect(ways(next)).toEqual([`start.next>${ids[0]}`, `${ids[0]}.next>${wait.id}`, `${wait.id}.next>${ids[1]}`])
    expect(overlaps(next)).toBe(false)
  })
  it('a branch on an edge continues at its first port', () => {
    const { flow, ids } = chain('send_email')
    const branch = newNode('branch')
    const next = inserted(flow, START, branch)
    expect(ways(next)).toEqual([`start.next>${branch.id}`, `${branch.id}.yes>${ids[0]}`])
  })
  it('after a branch takes the first free port; after an end there is none', () => {
    const { flow, ids } = chain('branch', 'send_email')
    expect(portAfter(flow, ids[0] ?? '')).toEqual({ from: ids[0], port: 'no' })
    const end = newNode('end')
    expect(portAfter(added(flow, end), end.id)).toBeNull()
  })
  it('stops when the flow is full', () => {
    const nodes = Array.from({ length: MAX_NODES }, () => newNode('end'))
    const full = { ...empty, nodes }
    expect(isFull(full)).toBe(true)
    expect(added(full, newNode('end'))).toBe(full)
    expect(inserted(full, START, newNode('end'))).toBe(full)
    expect(pasted(full, { nodes: [newNode('end')] })).toBeNull()
  })
  it('finds a free place', () => {
    const { flow } = chain('send_email')
    const first = flow.nodes[0]?.position ?? { x: 0, y: 0 }
    expect(nearestFreePosition(flow, first).x).toBeGreaterThanOrEqual(first.x + NODE_WIDTH)
  })
})

describe('connecting', () => {
  it('connects a port to another node or to nothing, and never to its own node', () => {
    const { flow, ids } = chain('branch', 'send_email', 'send_email')
    const [branch = '', , last = ''] = ids
    const both = connected(flow, { from: branch, port: 'no' }, last)
    expect(targetOf(both, { from: branch, port: 'no' })).toBe(last)
    expect(targetOf(connected(both, { from: branch, port: 'no' }, null), { from: branch, port: 'no' })).toBeNull()
    expect(connected(both, { from: branch, port: 'no' }, branch)).toBe(both)
    expect(connected(both, { from: branch, port: 'c' }, last)).toBe(both)
    expect(connected(both, START, 'unknown')).toBe(both)
  })
  it('a removed share removes its port', () => {
    const { flow, ids } = chain('random_split', 'send_email')
    const split = findNode(flow, ids[0] ?? '')
    if (split?.kind !== 'random_split') throw new Error('unreachable')
    const three = withShares({ ...split, next: { ...split.next, c: ids[1] ?? null } }, [40, 30, 30])
    expect(portsOf(three)).toEqual(['a', 'b', 'c'])
    expect(withShares(three, [60, 40]).next.c).toBeNull()
  })
})

describe('removing', () => {
  it('a node of a chain connects its neighbors', () => {
    const { flow, ids } = chain('issue_coupon', 'send_email', 'wait', 'send_email')
    expect(ways(removed(flow, new Set([ids[1] ?? '', ids[2] ?? ''])))).toEqual([
      `start.next>${ids[0]}`,
      `${ids[0]}.next>${ids[3]}`,
    ])
    expect(removed(flow, new Set([ids[0] ?? ''])).start).toBe(ids[1])
  })
  it('a branch with separate targets leaves a gap; one with a single target is bridged', () => {
    const { flow, ids } = chain('send_email', 'branch', 'send_email')
    const [first = '', branch = '', last = ''] = ids
    const other = newNode('wait')
    const parting = inserted(flow, { from: branch, port: 'no' }, other)
    expect(targetOf(removed(parting, new Set([branch])), { from: first, port: 'next' })).toBeNull()
    const meeting = connected(flow, { from: branch, port: 'no' }, last)
    expect(targetOf(removed(meeting, new Set([branch])), { from: first, port: 'next' })).toBe(last)
  })
  it('a node of a loop leaves nothing that leads to itself', () => {
    const { flow, ids } = chain('send_email', 'wait')
    const [first = '', wait = ''] = ids
    const around = connected(flow, { from: wait, port: 'next' }, first)
    expect(targetOf(removed(around, new Set([wait])), { from: first, port: 'next' })).toBeNull()
    expect(removed(around, new Set(ids)).start).toBeNull()
  })
})

describe('copying', () => {
  it('keeps only the connections between the copies', () => {
    const { flow, ids } = chain('issue_coupon', 'send_email', 'wait', 'send_email')
    const fragment = copied(flow, new Set([ids[1] ?? '', ids[2] ?? '']))
    const result = pasted(flow, fragment)
    if (!result) throw new Error('unreachable')
    const [mail = '', wait = ''] = result.ids
    expect(targetOf(result.flow, { from: mail, port: 'next' })).toBe(wait)
    expect(targetOf(result.flow, { from: wait, port: 'next' })).toBeNull()
    expect(new Set(result.flow.nodes.map(({ id }) => id)).size).toBe(6)
  })
  it('into an empty flow connects the start', () => {
    const { flow, ids } = chain('send_email', 'wait')
    const result = pasted(empty, copied(flow, new Set(ids)))
    expect(result?.flow.start).toBe(result?.ids[0])
  })
})

describe('the layout', () => {
  it('goes from top to bottom, overlaps nothing, and keeps the flow', () => {
    const { flow, ids } = chain('branch', 'send_email', 'wait', 'send_email')
    const grown = inserted(flow, { from: ids[0] ?? '', port: 'no' }, newNode('tag_customer'))
    const tidy = tidied(moved(grown, new Map(grown.nodes.map(({ id }) => [id, { x: 0, y: 0 }]))))
    expect(overlaps(tidy)).toBe(false)
    expect(ways(tidy)).toEqual(ways(grown))
    for (const { from, to } of edgesOf(tidy)) {
      const above = from === null ? startPosition(tidy) : findNode(tidy, from)?.position
      expect(findNode(tidy, to)?.position.y).toBeGreaterThan(above?.y ?? 0)
    }
  })
  it('puts branches side by side in the order of their ports', () => {
    const { flow, ids } = chain('wait', 'branch', 'random_split', 'send_email', 'wait')
    const [, branch = '', split = ''] = ids
    let grown = inserted(flow, { from: branch, port: 'no' }, newNode('tag_customer'))
    grown = inserted(grown, { from: split, port: 'b' }, newNode('end'))
    const tidy = tidied(grown)
    for (const from of [branch, split]) {
      const xs = edgesOf(tidy).flatMap((edge) => (edge.from === from ? (findNode(tidy, edge.to)?.position.x ?? 0) : []))
      expect(xs).toHaveLength(2)
      expect(xs).toEqual([...xs].sort((a, b) => a - b))
    }
  })
  it('overlaps nothing in the largest flow either', () => {
    let flow = empty
    const ids: string[] = []
    for (let at = 0; at < 300; at++) {
      const node = newNode(at % 7 === 3 ? 'branch' : 'send_email')
      const way = portAfter(flow, ids[Math.floor(at / 1.4) - 1] ?? ids.at(-1) ?? null)
      if (way) flow = inserted(flow, way, node)
      ids.push(node.id)
    }
    expect(overlaps(tidied(flow))).toBe(false)
  })
})

describe('arrow keys', () => {
  const { flow, ids } = chain('branch', 'send_email', 'wait')
  const [branch = '', mail = '', wait = ''] = ids
  const other = newNode('tag_customer')
  const forked = tidied(inserted(flow, { from: branch, port: 'no' }, other))
  it('follow connections up and down, and go to the nearest node sideways', () => {
    expect(neighbourOf(forked, null, 'down')).toBe(branch)
    expect(neighbourOf(forked, branch, 'down')).toBe(mail)
    expect(neighbourOf(forked, mail, 'up')).toBe(branch)
    expect(neighbourOf(forked, branch, 'up')).toBeNull()
    expect(neighbourOf(forked, null, 'up')).toBeUndefined()
    const toTheRight = (findNode(forked, other.id)?.position.x ?? 0) > (findNode(forked, mail)?.position.x ?? 0)
    expect(neighbourOf(forked, mail, toTheRight ? 'right' : 'left')).toBe(other.id)
    expect(neighbourOf(forked, mail, 'down')).toBe(wait)
  })
})

it('problems are grouped by node', () => {
  const { flow, ids } = chain('send_email', 'add_note')
  const by = problemsByNode(checkFlowShape(flow))
  expect(by.get(ids[0] ?? '')?.map(({ problem }) => problem)).toEqual(['email_missing'])
  expect(by.get(ids[1] ?? '')?.map(({ problem }) => problem)).toEqual(['note_empty'])
  expect(
    problemsByNode(checkFlowShape(empty))
      .get('')
      ?.map(({ problem }) => problem),
  ).toEqual(['no_nodes'])
})

it('unchanged problems of a node are the same object, so that nothing is drawn again', () => {
  const { flow, ids } = chain('send_email', 'add_note')
  const [mail = '', note = ''] = ids
  const before = problemsByNode(checkFlowShape(flow))
  const written = findNode(flow, note)
  if (written?.kind !== 'add_note') throw new Error('no note')
  const again = problemsByNode(checkFlowShape(moved(flow, new Map([[mail, { x: 500, y: 500 }]]))), before)
  expect(again.get(mail)).toBe(before.get(mail))
  expect(again.get(note)).toBe(before.get(note))
  const after = problemsByNode(checkFlowShape(withNode(flow, { ...written, settings: { text: 'x' } })), before)
  expect(after.get(mail)).toBe(before.get(mail))
  expect(after.has(note)).toBe(false)
})

it('moving steps does not change what a flow says; any other change does', () => {
  const { flow, ids } = chain('send_email', 'add_note', 'branch')
  const [mail = '', note = ''] = ids
  expect(isOnlyMoved(flow, moved(flow, new Map([[mail, { x: 500, y: 500 }]])))).toBe(true)
  expect(isOnlyMoved(flow, tidied(flow))).toBe(true)
  expect(isOnlyMoved(flow, connected(flow, { from: mail, port: 'next' }, null))).toBe(false)
  expect(isOnlyMoved(flow, removed(flow, new Set([note])))).toBe(false)
  expect(isOnlyMoved(flow, { ...flow, trigger: { ...flow.trigger } })).toBe(false)
  const named = findNode(flow, note)
  if (!named) throw new Error('no note')
  expect(isOnlyMoved(flow, withNode(flow, { ...named, name: 'x' }))).toBe(false)
})

// Every possible action, in any order.
const pick = fc.nat({ max: 1000 })
const edit = fc.oneof(
  fc.record({
    what: fc.constant('add' as const),
    kind: fc.constantFrom(...nodeKindNames),
    x: fc.integer(),
    y: fc.integer(),
  }),
  fc.record({ what: fc.constant('insert' as const), kind: fc.constantFrom(...nodeKindNames), at: pick }),
  fc.record({ what: fc.constant('connect' as const), at: pick, port: pick, to: pick }),
  fc.record({ what: fc.constant('disconnect' as const), at: pick }),
  fc.record({ what: fc.constant('remove' as const), ats: fc.array(pick, { minLength: 1, maxLength: 3 }) }),
  fc.record({ what: fc.constant('duplicate' as const), ats: fc.array(pick, { minLength: 1, maxLength: 4 }) }),
  fc.record({ what: fc.constant('move' as const), at: pick, x: fc.double({ noNaN: true, min: -1e6, max: 1e6 }) }),
  fc.record({ what: fc.constant('shares' as const), at: pick, count: fc.integer({ min: 2, max: 5 }) }),
  fc.record({ what: fc.constant('tidy' as const) }),
  fc.record({ what: fc.constant('undo' as const) }),
  fc.record({ what: fc.constant('redo' as const) }),
)
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never

const nodeAt = (flow: Flow, at: number): FlowNode | undefined => flow.nodes[at % Math.max(flow.nodes.length, 1)]
const idsAt = (flow: Flow, ats: readonly number[]): Set<string> =>
  new Set(ats.flatMap((at) => nodeAt(flow, at)?.id ?? []))

function edited(flow: Flow, step: Exclude<Edit, { what: 'undo' | 'redo' }>): Flow {
  switch (step.what) {
    case 'add':
      return added(flow, newNode(step.kind, { x: step.x, y: step.y }))
    case 'insert': {
      const edges = edgesOf(flow)
      const way = edges[step.at % Math.max(edges.length, 1)] ?? START
      return inserted(flow, way, newNode(step.kind))
    }
    case 'connect': {
      const from = nodeAt(flow, step.at)
      const ports = from ? portsOf(from) : []
      const port = ports[step.port % Math.max(ports.length, 1)]
      const way = from && port !== undefined ? { from: from.id, port } : START
      return connected(flow, way, nodeAt(flow, step.to)?.id ?? null)
    }
    case 'disconnect': {
      const edges = edgesOf(flow)
      return connected(flow, edges[step.at % Math.max(edges.length, 1)] ?? START, null)
    }
    case 'remove':
      return removed(flow, idsAt(flow, step.ats))
    case 'duplicate':
      return pasted(flow, copied(flow, idsAt(flow, step.ats)))?.flow ?? flow
    case 'move': {
      const node = nodeAt(flow, step.at)
      return node ? moved(flow, new Map([[node.id, { x: step.x, y: -step.x }]])) : flow
    }
    case 'shares': {
      const node = nodeAt(flow, step.at)
      if (node?.kind !== 'random_split') return flow
      return withNode(
        flow,
        withShares(
          node,
          Array.from({ length: step.count }, () => 20),
        ),
      )
    }
    case 'tidy':
      return tidied(flow)
  }
}

describe('after any actions', () => {
  it('the flow is valid, leads only to existing nodes, and every action can be undone', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), (steps) => {
        let history: FlowHistory = begun(empty)
        for (const step of steps) {
          if (step.what === 'undo') history = undone(history)
          else if (step.what === 'redo') history = redone(history)
          else {
            const before = history
            const next = changed(before, edited(before.flow, step))
            if (next !== before) {
              expect(undone(next).flow).toBe(before.flow)
              expect(redone(undone(next)).flow).toBe(next.flow)
            }
            history = next
          }
          expect(Flow.safeParse(history.flow).error).toBeUndefined()
          const wrong = checkFlowShape(history.flow).map(({ problem }) => problem)
          expect(wrong).not.toContain('unknown_target')
          expect(wrong).not.toContain('duplicate_node')
          for (const { from, to } of edgesOf(history.flow)) expect(from).not.toBe(to)
        }
        while (history.past.length > 0) history = undone(history)
        expect(history.flow).toBe(empty)
      }),
      { numRuns: 150 },
    )
  })
  it('typing in one field is one undo step', () => {
    const at = (text: string): Flow => ({ ...empty, trigger: { kind: 'flow_action', handle: text } })
    let history = changed(begun(empty), at('a'), { kind: 'handle', at: 0 })
    history = changed(history, at('ab'), { kind: 'handle', at: 300 })
    history = changed(history, at('abc'), { kind: 'handle', at: 5000 })
    expect(undone(history).flow).toEqual(at('ab'))
    expect(undone(undone(history)).flow).toBe(empty)
  })
})

describe('pasting', () => {
  const source: Flow = { ...empty, start: 'a', nodes: [{ ...newNode('wait'), id: 'a' }] }
  const copy = copied(source, new Set(['a']))
  const placeOf = (seen?: Parameters<typeof pasted>[2]) => pasted(source, copy, seen)?.flow.nodes.at(-1)?.position
  it('puts the copy next to the original, if that is visible', () => {
    expect(placeOf({ x: -50, y: -50, width: 1000, height: 600 })).toEqual(placeOf())
  })
  it('otherwise puts it in the middle of the visible part, without overlaps', () => {
    expect(placeOf({ x: 5000, y: 5000, width: 1256, height: 692 })).toEqual({ x: 5500, y: 5300 })
    const here = placeOf({ x: -128, y: -300, width: 512, height: 692 })
    expect(Math.abs(here?.y ?? 0)).toBeGreaterThanOrEqual(NODE_HEIGHT)
    expect(here?.y).toBeGreaterThanOrEqual(-300)
  })
})
