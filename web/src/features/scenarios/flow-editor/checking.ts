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
/** What only the server knows of. */
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

/** What is wrong: by its shape at once, and with what the server knows a moment later. */
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
    // As large as the flow, and asked anew with each change.
    gcTime: 0,
  })
  const told = data?.problems ?? saved
  return useMemo(() => {
    const ids = new Set(flow.nodes.map(({ id }) => id))
    const shape = checkFlowShape(flow, categories)
    const more = told.filter(
      ({ problem, node_id }) => askedOfServer.includes(problem) && (node_id === null || ids.has(node_id)),
    )
    // A flow that runs keeps running (decision 51), which only what was told of the saved one knows.
    more.push(...saved.filter(({ problem }) => problem === 'plan_forbids'))
    // In the order the steps are read: from the start down, what nothing leads to at the end.
    const order = [...reachable(flow, new Map(flow.nodes.map((node) => [node.id, node]))), ...ids]
    const place = new Map(order.toReversed().map((id, at) => [id, order.length - at]))
    const placeOf = ({ node_id }: FlowProblem): number => (node_id === null ? 0 : (place.get(node_id) ?? 0))
    return [...shape, ...more].sort((a, b) => placeOf(a) - placeOf(b))
  }, [flow, told, saved, categories])
}

/** The same by node; a node whose problems are the ones it had keeps the same array. */
export function useByNode(problems: readonly FlowProblem[]): ReadonlyMap<string, FlowProblem[]> {
  const before = useRef<ReadonlyMap<string, FlowProblem[]>>(undefined)
  const by = useMemo(() => problemsByNode(problems, before.current), [problems])
  before.current = by
  return by
}
