import { useDebouncedValue } from '@mantine/hooks'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { checkFlowShape, reachable } from '@okaeri/contract/scenarios/flow/flow-check'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow/flow-problem'
import { checkFlow } from '@okaeri/contract/scenarios/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { call } from '../../../api/call.ts'

const CHECK_DELAY_MS = 600
/** The problems of a flow: those of its shape at once, those from the server a moment later. */
export function useProblems(
  flow: Flow,
  saved: Checked,
  categories: Parameters<typeof checkFlowShape>[1],
): readonly FlowProblem[] {
  const [asked] = useDebouncedValue(flow, CHECK_DELAY_MS)
  const { data } = useQuery({
    queryKey: [checkFlow.area, checkFlow.path, asked],
    queryFn: async ({ signal }) => ({ flow: asked, ...(await call(checkFlow, { body: { flow: asked }, signal })) }),
    placeholderData: keepPreviousData,
    refetchInterval: false,
    retry: false,
    // As large as the flow, and requested again after each change.
    gcTime: 0,
  })
  const checked = data ?? saved
  return useMemo(() => {
    const problems = problemsOf(flow, checked, categories)
    // An active flow keeps running (decision 51). Only the answer about the saved flow knows that.
    problems.push(...saved.problems.filter(({ problem }) => problem === 'plan_forbids'))
    return inReadingOrder(flow, problems)
  }, [flow, checked, saved.problems, categories])
}

/** A flow, and what the server said about it. */
interface Checked {
  flow: Flow
  problems: readonly FlowProblem[]
}

/** What its shape says now, and what the server found beyond the shape of the flow it looked at. */
export function problemsOf(
  flow: Flow,
  checked: Checked,
  categories: Parameters<typeof checkFlowShape>[1],
): FlowProblem[] {
  const shape = checkFlowShape(flow, categories)
  const known = [...shape, ...checkFlowShape(checked.flow, categories)]
  const ids = new Set(flow.nodes.map(({ id }) => id))
  const isKnown = ({ node_id, problem, field }: FlowProblem): boolean =>
    known.some((one) => one.node_id === node_id && one.problem === problem && one.field === field)
  return [
    ...shape,
    ...checked.problems.filter(
      (one) => one.problem !== 'plan_forbids' && (one.node_id === null || ids.has(one.node_id)) && !isKnown(one),
    ),
  ]
}

/** From the start down, unreachable nodes last. */
function inReadingOrder(flow: Flow, problems: readonly FlowProblem[]): FlowProblem[] {
  const ids = flow.nodes.map(({ id }) => id)
  const order = [...reachable(flow, new Map(flow.nodes.map((node) => [node.id, node]))), ...ids]
  const place = new Map(order.toReversed().map((id, at) => [id, order.length - at]))
  const placeOf = ({ node_id }: FlowProblem): number => (node_id === null ? 0 : (place.get(node_id) ?? 0))
  return problems.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** The same by node. A node whose problems have not changed keeps the same array. */
export function useByNode(problems: readonly FlowProblem[]): ReadonlyMap<string, FlowProblem[]> {
  const before = useRef<ReadonlyMap<string, FlowProblem[]>>(undefined)
  const by = useMemo(() => problemsByNode(problems, before.current), [problems])
  before.current = by
  return by
}

/** Problems by node; '' for the whole flow. Unchanged ones are the same object as `before`, so that nothing is drawn again. */
export function problemsByNode(
  problems: readonly FlowProblem[],
  before?: ReadonlyMap<string, FlowProblem[]>,
): Map<string, FlowProblem[]> {
  const by = new Map<string, FlowProblem[]>()
  for (const problem of problems) {
    const at = problem.node_id ?? ''
    by.set(at, [...(by.get(at) ?? []), problem])
  }
  for (const [at, now] of by) {
    const then = before?.get(at)
    const same = then?.length === now.length && then.every((each, index) => isSameProblem(each, now[index]))
    if (same) by.set(at, then)
  }
  return by
}
const isSameProblem = (one: FlowProblem, other: FlowProblem | undefined): boolean =>
  one.problem === other?.problem && one.field === other.field && one.node_id === other.node_id
