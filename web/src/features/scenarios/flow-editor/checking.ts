import { useDebouncedValue } from '@mantine/hooks'
import type { Flow } from '@okaeri/contract/scenarios/flow'
import { checkFlowShape, reachable } from '@okaeri/contract/scenarios/flow-check'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow-problem'
import { checkFlow } from '@okaeri/contract/scenarios/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { call } from '../../../api/call.ts'
import { problemsByNode } from './flow-model.ts'

const CHECK_DELAY_MS = 600
/** Problems that only the server can find. */
const askedOfServer: readonly FlowProblem['problem'][] = [
  'email_gone',
  'email_unfit',
  'sender_unconfirmed',
  'account_unconfirmed',
  'email_lacks_event',
  'email_lacks_coupon',
  'segment_gone',
  'metafield_gone',
  'coupon_incomplete',
  'coupon_not_granted',
]

/** The problems of a flow: those of its shape at once, those from the server a moment later. */
export function useProblems(
  flow: Flow,
  saved: readonly FlowProblem[],
  categories: Parameters<typeof checkFlowShape>[1],
): readonly FlowProblem[] {
  const [asked] = useDebouncedValue(flow, CHECK_DELAY_MS)
  const { data } = useQuery({
    queryKey: [checkFlow.area, checkFlow.path, asked],
    queryFn: ({ signal }) => call(checkFlow, { body: { flow: asked }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: false,
    retry: false,
    // As large as the flow, and requested again after each change.
    gcTime: 0,
  })
  const told = data?.problems ?? saved
  return useMemo(() => {
    const ids = new Set(flow.nodes.map(({ id }) => id))
    const shape = checkFlowShape(flow, categories)
    const more = told.filter(
      ({ problem, node_id }) => askedOfServer.includes(problem) && (node_id === null || ids.has(node_id)),
    )
    // An active flow keeps running (decision 51). Only the answer about the saved flow knows that.
    more.push(...saved.filter(({ problem }) => problem === 'plan_forbids'))
    // In reading order: from the start down, unreachable nodes last.
    const order = [...reachable(flow, new Map(flow.nodes.map((node) => [node.id, node]))), ...ids]
    const place = new Map(order.toReversed().map((id, at) => [id, order.length - at]))
    const placeOf = ({ node_id }: FlowProblem): number => (node_id === null ? 0 : (place.get(node_id) ?? 0))
    return [...shape, ...more].sort((a, b) => placeOf(a) - placeOf(b))
  }, [flow, told, saved, categories])
}

/** The same by node. A node whose problems have not changed keeps the same array. */
export function useByNode(problems: readonly FlowProblem[]): ReadonlyMap<string, FlowProblem[]> {
  const before = useRef<ReadonlyMap<string, FlowProblem[]>>(undefined)
  const by = useMemo(() => problemsByNode(problems, before.current), [problems])
  before.current = by
  return by
}
