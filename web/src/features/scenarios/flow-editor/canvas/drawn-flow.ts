import { type Flow, type FlowNode, nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { FIGURES_HEIGHT, NODE_HEIGHT, NODE_WIDTH } from '@okaeri/contract/scenarios/flow/flow-places'
import { type FlowProblem, flowProblems } from '@okaeri/contract/scenarios/flow/flow-problem'
import { nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import type { FlowSaying } from '@okaeri/contract/scenarios/flow/phrases'
import type { NodeCounts } from '@okaeri/contract/scenarios/scenario'
import { describeTrigger, nodeTitle, portName, summarizeNode } from '@okaeri/contract/scenarios/words'
import { MarkerType } from '@xyflow/react'
import { useMemo, useRef } from 'react'
import type { Words } from '../../../../app/i18n.ts'
import { type Selection, START_ID } from '../editing.ts'
import { edgesOf } from '../model/flow-graph.ts'
import { startPosition } from '../model/positions.ts'
import { courseOf, obstaclesOf, middleOf, pathThrough, type Rect, type Route, routeOf } from './routing.ts'
import type { StartNode, StepNode } from './step-card.tsx'
import type { WayEdge } from './way-line.tsx'

export type CanvasNode = StepNode | StartNode

const arrow = { type: MarkerType.ArrowClosed, width: 16, height: 16 }
/** The layout takes every card for this large; only its figures make it taller. */
const plainSize = { width: NODE_WIDTH, height: NODE_HEIGHT }
const countedSize = { width: NODE_WIDTH, height: NODE_HEIGHT + FIGURES_HEIGHT }
const noProblems: readonly FlowProblem[] = []

interface ToDraw {
  flow: Flow
  selected: Selection
  current: string
  marked: ReadonlyMap<string, FlowProblem[]>
  counts: ReadonlyMap<string, NodeCounts>
  saying: FlowSaying
  t: Words<'flow'>
}

/** The cards. One that shows the same as before is the same object, so that React Flow and React skip it while another is dragged. */
export function useCanvasNodes({ flow, selected, current, marked, counts, saying, t }: ToDraw): CanvasNode[] {
  const drawn = useRef(new Map<string, { from: readonly unknown[]; node: CanvasNode }>())
  const labels = useRef<{ saying: FlowSaying | null; texts: WeakMap<FlowNode, string> }>({
    saying: null,
    texts: new WeakMap(),
  })
  return useMemo(() => {
    if (labels.current.saying !== saying) labels.current = { saying, texts: new WeakMap() }
    const { texts } = labels.current
    const { language } = saying
    const known = new Set(flow.nodes.map(({ id }) => id))
    const next = new Map<string, { from: readonly unknown[]; node: CanvasNode }>()
    const draw = (
      id: string,
      from: readonly unknown[],
      make: (before: CanvasNode | undefined) => CanvasNode,
    ): CanvasNode => {
      const before = drawn.current.get(id)
      const same = before && before.from.length === from.length && before.from.every((value, at) => value === from[at])
      const node = same ? before.node : make(before?.node)
      next.set(id, { from, node })
      return node
    }
    const wrongText = (problems: readonly FlowProblem[]): string =>
      problems.length === 0
        ? ''
        : ` ${t('stepErrors', { problems: problems.map(({ problem }) => flowProblems[problem].text[language]).join(' ') })}`
    const attributes = (id: string) => ({ tabIndex: id === current ? 0 : -1, 'aria-roledescription': t('role') })

    const start = (() => {
      const problems = marked.get('') ?? noProblems
      const open = flow.start === null || !known.has(flow.start)
      const { x, y } = startPosition(flow)
      const chosen = selected.has(START_ID)
      return draw(START_ID, [flow.trigger, problems, open, x, y, chosen, current === START_ID, saying], (before) => ({
        id: START_ID,
        type: 'start' as const,
        position: { x, y },
        ...plainSize,
        measured: plainSize,
        selected: chosen,
        draggable: false,
        data: sameData(before, { trigger: flow.trigger, problems, open }),
        ariaRole: 'group',
        ariaLabel: `${t('startLabel', { summary: describeTrigger(flow.trigger, saying) })}${wrongText(problems)}`,
        domAttributes: attributes(START_ID),
      }))
    })()
    const cards = flow.nodes.map((node) => {
      const { id } = node
      const problems = marked.get(id) ?? noProblems
      const open = portsOf(node)
        .filter((port) => !known.has(nextOf(node, port) ?? ''))
        .join(',')
      const { position } = node
      const chosen = selected.has(id)
      const of = counts.get(id)
      const size = of ? countedSize : plainSize
      return draw(id, [node, problems, open, of, position, chosen, id === current, saying], (before) => {
        let label = texts.get(node)
        if (label === undefined) {
          label = t('stepLabel', {
            title: nodeTitle(node, language),
            kind: nodeRules(node.kind).words.name[language],
            summary: summarizeNode(node, saying),
          })
          texts.set(node, label)
        }
        return {
          id,
          type: 'step' as const,
          position,
          ...size,
          measured: size,
          selected: chosen,
          data: sameData(before, { node, problems, counts: of, open }),
          ariaRole: 'group',
          ariaLabel: `${label}${wrongText(problems)}`,
          domAttributes: attributes(id),
        }
      })
    })
    drawn.current = next
    return [start, ...cards]
  }, [flow, selected, current, marked, counts, saying, t])
}

/** The card's previous data object, if it says the same. */
function sameData<D extends Record<string, unknown>>(before: CanvasNode | undefined, data: D): D {
  const had = before?.data as D | undefined
  return had && Object.keys(data).every((key) => had[key] === data[key]) ? had : data
}

/** The lines. As with cards, one that says the same is the same object. */
export function useCanvasEdges(
  flow: Flow,
  cards: readonly CanvasNode[],
  saying: FlowSaying,
  chosen: string | null,
  t: Words<'flow'>,
): WayEdge[] {
  const { language } = saying
  const drawn = useRef<ReadonlyMap<string, WayEdge>>(new Map())
  const rects = useMemo(() => rectsOf(cards), [cards])
  const routes = useRef<ReadonlyMap<string, Route>>(new Map())
  const routed = useMemo(() => {
    routes.current = routesOf(flow, rects, routes.current)
    return routes.current
  }, [flow, rects])
  return useMemo(() => {
    const byId = new Map(flow.nodes.map((node) => [node.id, node]))
    const titles = new Map(flow.nodes.map((node) => [node.id, nodeTitle(node, language)]))
    const edges = edgesOf(flow).map(({ from, port, to }): WayEdge => {
      const id = `${from ?? START_ID}.${port}`
      const title = from === null ? t('start') : (titles.get(from) ?? '')
      const next = titles.get(to) ?? ''
      const node = from === null ? undefined : byId.get(from)
      const name = node ? portName(node, port, language) : ''
      const label = t('insertBetween', { title, next })
      const ariaLabel = t('wayLabel', { title, port: name || t('role'), next })
      const selected = chosen === id
      const before = drawn.current.get(id)
      const route = routed.get(id)
      if (
        before?.target === to &&
        before.data?.route === route &&
        before.selected === selected &&
        before.data?.label === label &&
        before.ariaLabel === ariaLabel
      )
        return before
      return {
        id,
        type: 'way',
        source: from ?? START_ID,
        sourceHandle: port,
        target: to,
        selected,
        markerEnd: arrow,
        data: { way: { from, port }, label, route },
        ariaLabel,
      }
    })
    drawn.current = new Map(edges.map((edge) => [edge.id, edge]))
    return edges
  }, [flow, routed, language, chosen, t])
}

export const rectsOf = (cards: readonly CanvasNode[]): Map<string, Rect> =>
  new Map(
    cards.map(({ id, position: { x, y }, width = NODE_WIDTH, height = NODE_HEIGHT }) => [id, { x, y, width, height }]),
  )

/** The route of every line, by the id of its edge. An unchanged one is the same object. */
function routesOf(
  flow: Flow,
  rects: ReadonlyMap<string, Rect>,
  before: ReadonlyMap<string, Route>,
): ReadonlyMap<string, Route> {
  const obstacles = obstaclesOf(rects.values())
  const ports = new Map(flow.nodes.map((node) => [node.id, portsOf(node)]))
  const routes = new Map<string, Route>()
  for (const { from, port, to } of edgesOf(flow)) {
    const [source, target] = [rects.get(from ?? START_ID), rects.get(to)]
    if (!source || !target) continue
    const id = `${from ?? START_ID}.${port}`
    const points = routeOf(obstacles, courseOf(source, ports.get(from ?? '') ?? [port], port, target))
    const route = { path: pathThrough(points), middle: middleOf(points) }
    const had = before.get(id)
    routes.set(id, had?.path === route.path ? had : route)
  }
  return routes
}
