import { expect, test } from 'vitest'
import type { Flow, FlowNode } from './flow.ts'
import { checkFlowShape } from './flow-check.ts'

const position = { x: 0, y: 0 }
const wait = (id: string, next: string | null, amount = 1): FlowNode => ({
  id,
  kind: 'wait',
  name: '',
  position,
  settings: { wait: { mode: 'for', amount, unit: 'days' } },
  next: { next },
})
const note = (id: string, next: string | null, text = 'hello'): FlowNode => ({
  id,
  kind: 'add_note',
  name: '',
  position,
  settings: { text },
  next: { next },
})
const split = (id: string, a: string | null, b: string | null, shares = [50, 50]): FlowNode => ({
  id,
  kind: 'random_split',
  name: '',
  position,
  settings: { shares },
  next: { a, b, c: null, d: null, e: null },
})
const flowOf = (nodes: FlowNode[], more: Partial<Flow> = {}): Flow => ({
  trigger: { kind: 'order_created' },
  condition: null,
  reentry: { mode: 'when_none_runs' },
  ends_on: [],
  start: nodes[0]?.id ?? null,
  nodes,
  ...more,
})
const problemsOf = (flow: Flow) =>
  checkFlowShape(flow).map(({ node_id, problem }) => `${node_id ?? 'flow'}: ${problem}`)

test('a chain that ends has no problems', () => {
  expect(problemsOf(flowOf([note('a', 'b'), wait('b', 'c'), note('c', null)]))).toEqual([])
})

test('an empty flow and a flow without a start are problems', () => {
  expect(problemsOf(flowOf([]))).toEqual(['flow: no_nodes'])
  expect(problemsOf(flowOf([note('a', null)], { start: null }))).toEqual(['flow: no_start'])
  expect(problemsOf(flowOf([note('a', null)], { start: 'x' }))).toEqual(['flow: no_start'])
})

test('a loop needs a wait', () => {
  expect(problemsOf(flowOf([note('a', 'b'), note('b', 'a')]))).toEqual(['a: cycle_without_wait'])
  expect(problemsOf(flowOf([note('a', 'a')]))).toEqual(['a: cycle_without_wait'])
  expect(problemsOf(flowOf([note('a', 'b'), wait('b', 'a')]))).toEqual([])
  expect(problemsOf(flowOf([note('s', 'x'), split('x', 'w', 'y'), note('y', 's'), wait('w', 's')]))).toEqual([
    's: cycle_without_wait',
  ])
})

test('two paths to the same node are not a loop', () => {
  expect(problemsOf(flowOf([split('s', 'a', 'b'), note('a', 'c'), note('b', 'c'), note('c', null)]))).toEqual([])
})

test('names nodes that lead to an unknown node, and nodes that are never reached', () => {
  expect(problemsOf(flowOf([note('a', 'gone')]))).toEqual(['a: unknown_target'])
  expect(problemsOf(flowOf([note('a', null), note('b', null)]))).toEqual(['b: unreachable'])
  expect(problemsOf(flowOf([note('a', null), note('a', null)]))).toEqual(['a: duplicate_node'])
})

test('names a node with incomplete settings and the field', () => {
  const flow = flowOf([split('s', 'w', 'n', [50, 40]), wait('w', null, 366), note('n', null, ' ')])
  expect(checkFlowShape(flow)).toEqual([
    { node_id: 's', problem: 'shares_not_hundred', field: 'settings.shares' },
    { node_id: 'w', problem: 'duration_out_of_range', field: 'settings.wait.amount' },
    { node_id: 'n', problem: 'note_empty', field: 'settings.text' },
  ])
})

test('a chain and a loop of a thousand nodes do not exhaust the stack', () => {
  const chain = Array.from({ length: 1000 }, (_, index) => note(`n${index}`, index === 999 ? 'n0' : `n${index + 1}`))
  expect(problemsOf(flowOf(chain))).toEqual(['n0: cycle_without_wait'])
})

test('webhook URLs must be http or https and carry no password', () => {
  const call = (url: string): FlowNode => ({
    id: 'c',
    kind: 'call_webhook',
    name: '',
    position,
    settings: { url },
    next: { next: null },
  })
  for (const url of ['', 'ftp://x.test', 'javascript:alert(1)', 'https://me:secret@x.test', 'x.test'])
    expect(problemsOf(flowOf([call(url)]))).toEqual(['c: url_invalid'])
  expect(problemsOf(flowOf([call('https://x.test/in?a=1')]))).toEqual([])
})
