import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow/flow-problem'
import { expect, test } from 'vitest'
import { problemsOf } from './checking.ts'
import { added, newNode } from './model/flow-edits.ts'

const empty: Flow = {
  trigger: { kind: 'birthday', days_before: 0, time: '10:00' },
  condition: null,
  reentry: { mode: 'once' },
  ends_on: [],
  start: null,
  nodes: [],
}
const node = newNode('send_line', { x: 0, y: 0 })
const flow = added(empty, node)
const LINE: FlowProblem = { node_id: node.id, problem: 'line_not_connected', field: 'settings.line_message_id' }
const namesIn = (problems: readonly FlowProblem[]) => problems.map(({ problem }) => problem)

test('what only the server knows is shown, of LINE messages too', () => {
  const shape = namesIn(problemsOf(flow, { flow, problems: [] }, []))
  expect(shape).toContain('line_message_missing')
  expect(namesIn(problemsOf(flow, { flow, problems: [LINE] }, []))).toEqual([...shape, 'line_not_connected'])
})

test('what the server said about an older flow is gone with what it was about', () => {
  const before = { flow: empty, problems: problemsOf(empty, { flow: empty, problems: [] }, []) }
  expect(namesIn(before.problems)).toEqual(['no_nodes'])
  expect(namesIn(problemsOf(flow, before, []))).not.toContain('no_nodes')
  expect(problemsOf(empty, { flow, problems: [LINE] }, [])).toEqual(before.problems)
})
