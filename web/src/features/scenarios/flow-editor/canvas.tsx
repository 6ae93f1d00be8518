import '@xyflow/react/dist/base.css'
import { ActionIcon, Tooltip, useComputedColorScheme } from '@mantine/core'
import type { Flow } from '@okaeri/contract/scenarios/flow'
import { NODE_HEIGHT, NODE_WIDTH } from '@okaeri/contract/scenarios/flow-places'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow-problem'
import type { FlowSaying } from '@okaeri/contract/scenarios/phrases'
import type { NodeCounts } from '@okaeri/contract/scenarios/scenario'
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { type Connection, type EdgeChange, type NodeChange, Panel, ReactFlow, useReactFlow } from '@xyflow/react'
import {
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useWords } from '../../../app/i18n.ts'
import { type Held, hold, type Lines } from './dragging.ts'
import { type CanvasNode, rectsOf, useCanvasEdges, useCanvasNodes } from './drawn-flow.ts'
import { type FlowEditing, type Selection, START_ID } from './editing.ts'
import classes from './flow-editor.module.css'
import {
  connected,
  type Direction,
  findNode,
  moved,
  neighbourOf,
  type Position,
  START,
  startPosition,
  type Way,
  wayAfter,
} from './flow-model.ts'
import { Background } from './background.tsx'
import { IconPictures } from './icon-pictures.tsx'
import { Minimap, minimapOf, type Spot } from './minimap.tsx'
import { StartCard, StepCard, wayOf } from './step-card.tsx'
import { type WayEdge, WayLine } from './way-line.tsx'

const nodeTypes = { step: StepCard, start: StartCard }
const edgeTypes = { way: WayLine }
/** Clear of the buttons at the right. */
const wholePicture = {
  maxZoom: 1,
  padding: { top: '28px', right: '72px', bottom: '28px', left: '28px' },
} as const
/** By one press of Shift and an arrow key. */
const NUDGE = 20
const FRAMES_TO_DRAW = 30
const SETTLED_MS = 250
const MAX_ZOOM = 1.6
const MIN_ZOOM = 0.1

/** Of what is dragged from the palette. */
export const DRAGGED = 'application/x-okaeri-step'

const directions: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

interface CanvasProps {
  editing: FlowEditing
  saying: FlowSaying
  readOnly: boolean
  /** Shown red, by node; '' for the whole. */
  marked: ReadonlyMap<string, FlowProblem[]>
  counts: ReadonlyMap<string, NodeCounts>
  lines: Lines
  /** Told when steps are taken hold of, and when they are let go. */
  onHold: (holding: boolean) => void
  /** A step dropped on a way out, or (null) on free space. */
  onDrop: (kind: string, way: Way | null, at: Position) => void
  askInsert: (way: Way, beside: Element) => void
  onOpen: () => void
  onRemove: (ids: readonly string[]) => void
  /** Asked to give this node the focus; a new object each time. `stay`: the view stays where it is. */
  focusOn: { id: string; stay: boolean } | null
  /** Counts up each time the whole is to be shown. */
  fitted: number
  say: (news: string) => void
}

export function Canvas(props: CanvasProps) {
  const { editing, saying, readOnly, marked, counts, lines, onHold, focusOn, fitted, say } = props
  const { flow, selected } = editing
  const t = useWords('flow')
  const colors = useComputedColorScheme('light')
  const instance = useReactFlow<CanvasNode, WayEdge>()
  const box = useRef<HTMLDivElement>(null)
  const held = useRef<{ steps: Held; from: Position; id: string } | null>(null)
  const [chosenEdge, setChosenEdge] = useState<string | null>(null)

  const current = useCurrent(flow, selected)
  const nodes = useCanvasNodes({ flow, selected, current, marked, counts, saying, t })
  const edges = useCanvasEdges(flow, nodes, saying, chosenEdge, t)
  const cards = useRef(nodes)
  cards.current = nodes
  const whole = useMemo(() => minimapOf(spotsOf(nodes)), [nodes])

  const { change, now, select } = editing
  const onNodesChange = useCallback(
    (changes: NodeChange<CanvasNode>[]) => {
      let picked: Set<string> | null = null
      let moves: Map<string, Position> | null = null
      let dropped = false
      for (const each of changes) {
        if (each.type === 'select') {
          picked ??= new Set(selected)
          if (each.selected) picked.add(each.id)
          else picked.delete(each.id)
        }
        if (each.type === 'position' && each.position && each.id !== START_ID) {
          moves ??= new Map()
          moves.set(each.id, each.position)
          if (each.dragging === false) dropped = true
        }
      }
      if (picked) select(picked)
      if (!moves) return
      if (dropped) {
        held.current?.steps.letGo()
        held.current = null
        change(moved(now(), moves))
        return onHold(false)
      }
      if (!held.current) {
        const [id = ''] = moves.keys()
        const from = findNode(now(), id)?.position
        if (!box.current || !from) return
        held.current = { steps: hold(box.current, new Set(moves.keys()), lines, rectsOf(cards.current)), from, id }
      }
      const { steps, from, id } = held.current
      const to = moves.get(id)
      // All of them by the same.
      if (to) steps.move({ x: to.x - from.x, y: to.y - from.y })
    },
    [selected, select, change, now, lines, onHold],
  )
  // Before the first move: what is taken hold of is selected at once. It may be let go without a move.
  const takeHold = useCallback(() => onHold(true), [onHold])
  const letGo = useCallback(() => onHold(false), [onHold])
  useEffect(() => letGo, [letGo])
  const onEdgesChange = useCallback((changes: EdgeChange<WayEdge>[]) => {
    for (const each of changes)
      if (each.type === 'select')
        setChosenEdge((before) => (each.selected ? each.id : before === each.id ? null : before))
  }, [])
  const onConnect = useCallback(
    ({ source, sourceHandle, target }: Connection) => change(connected(now(), wayFrom(source, sourceHandle), target)),
    [change, now],
  )
  const onReconnect = useCallback(
    (edge: WayEdge, { source, sourceHandle, target }: Connection) => {
      const way = wayFrom(source, sourceHandle)
      const before = edge.data?.way
      const same = before && before.from === way.from && before.port === way.port
      const freed = before && !same ? connected(now(), before, null) : now()
      change(connected(freed, way, target))
    },
    [change, now],
  )

  const takeFocus = useCallback(() => box.current?.focus({ preventScroll: true }), [])
  const { begin: beginMoving, end: endMoving, still } = useMovingPicture(box)
  const element = useCallback(
    (id: string): HTMLElement | null =>
      box.current?.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`) ?? null,
    [],
  )
  const show = useCallback(
    (id: string) => {
      const position = id === START_ID ? startPosition(now()) : findNode(now(), id)?.position
      const frame = box.current?.getBoundingClientRect()
      if (!position || !frame) return
      const place = instance.flowToScreenPosition(position)
      const zoom = instance.getZoom()
      const inside =
        place.x >= frame.left &&
        place.y >= frame.top &&
        place.x + NODE_WIDTH * zoom <= frame.right &&
        place.y + NODE_HEIGHT * zoom <= frame.bottom
      if (!inside)
        void instance.setCenter(position.x + NODE_WIDTH / 2, position.y + NODE_HEIGHT / 2, { zoom, duration: 200 })
    },
    [instance, now],
  )
  // Asked for in the same moment as the node is made: React Flow draws it some frames later.
  useEffect(() => {
    if (!focusOn) return
    let left = FRAMES_TO_DRAW
    const look = () => {
      const card = element(focusOn.id)
      if (!card && left-- > 0) frame = requestAnimationFrame(look)
      if (!focusOn.stay) show(focusOn.id)
      card?.focus({ preventScroll: true })
    }
    let frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  }, [focusOn, show, element])
  useEffect(() => {
    if (fitted === 0) return
    // It is moving from now on, also while the steps are still measured.
    beginMoving()
    void instance.fitView({ ...wholePicture, duration: 200 }).then(endMoving)
  }, [fitted, instance, beginMoving, endMoving])

  const nudge = (direction: Direction) => {
    const by = { up: [0, -NUDGE], down: [0, NUDGE], left: [-NUDGE, 0], right: [NUDGE, 0] }[direction]
    const [dx = 0, dy = 0] = by
    const places = new Map<string, Position>()
    for (const { id, position } of flow.nodes)
      if (selected.has(id)) places.set(id, { x: position.x + dx, y: position.y + dy })
    change(moved(now(), places), 'nudge')
  }
  const goTo = (from: string, direction: Direction) => {
    const next = neighbourOf(flow, from === START_ID ? null : from, direction)
    if (next === undefined) return
    const id = next ?? START_ID
    select([id])
    show(id)
    element(id)?.focus({ preventScroll: true })
  }
  const removeChosen = () => {
    const edge = edges.find(({ id }) => id === chosenEdge)
    const ids = [...selected].filter((id) => id !== START_ID)
    if (ids.length > 0) props.onRemove(ids)
    else if (edge?.data) {
      change(connected(now(), edge.data.way, null))
      setChosenEdge(null)
      say(t('disconnected'))
    }
  }
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const node = event.target instanceof Element ? event.target.closest<HTMLElement>('.react-flow__node') : null
    const id = node?.dataset.id ?? current
    // A button within has its own keys.
    if (event.target instanceof HTMLButtonElement && (event.key === 'Enter' || event.key === ' ')) return
    const direction = directions[event.key]
    if (direction && node) {
      event.preventDefault()
      if (!event.shiftKey) goTo(id, direction)
      else if (!readOnly) nudge(direction)
    } else if ((event.key === 'Enter' || event.key === ' ') && node) {
      event.preventDefault()
      select([id])
      props.onOpen()
    } else if (event.key.toLowerCase() === 'i' && node && !readOnly) {
      event.preventDefault()
      const way = wayAfter(flow, id === START_ID ? null : id)
      if (way) props.askInsert(way, node)
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && !readOnly) {
      event.preventDefault()
      removeChosen()
    } else if (event.key === 'Escape') select([])
  }

  const isStep = (event: DragEvent): boolean => event.dataTransfer.types.includes(DRAGGED)
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the cards within
    <div
      ref={box}
      tabIndex={-1}
      className={classes.canvas}
      onKeyDown={keys}
      onDragOver={(event) => {
        if (!isStep(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
      }}
      onDrop={(event) => {
        const kind = event.dataTransfer.getData(DRAGGED)
        if (kind === '') return
        event.preventDefault()
        const on = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-way]') : null
        const line = event.target instanceof Element ? event.target.closest<HTMLElement>('.react-flow__edge') : null
        const edge = edges.find(({ id }) => id === line?.dataset.id)
        const at = instance.screenToFlowPosition({ x: event.clientX, y: event.clientY })
        const way = on?.dataset.way === undefined ? (edge?.data?.way ?? null) : wayOf(on.dataset.way)
        props.onDrop(kind, way, { x: at.x - NODE_WIDTH / 2, y: at.y - NODE_HEIGHT / 2 })
      }}
    >
      <IconPictures colors={colors} />
      <ReactFlow<CanvasNode, WayEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        colorMode={colors}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onConnect={onConnect}
        onReconnect={onReconnect}
        isValidConnection={mayConnect}
        onNodeDoubleClick={props.onOpen}
        // Lines and the background take no focus of their own; the keys that follow are meant for the picture.
        onEdgeClick={takeFocus}
        onPaneClick={takeFocus}
        onNodeDragStart={takeHold}
        onNodeDragStop={letGo}
        onMoveStart={beginMoving}
        onMoveEnd={endMoving}
        nodesDraggable={!readOnly}
        nodesConnectable={!readOnly}
        edgesReconnectable={!readOnly}
        nodesFocusable={false}
        edgesFocusable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        multiSelectionKeyCode={['Meta', 'Control', 'Shift']}
        selectionKeyCode="Shift"
        nodeDragThreshold={3}
        connectionRadius={36}
        minZoom={MIN_ZOOM}
        maxZoom={MAX_ZOOM}
        panOnScroll
        zoomOnDoubleClick={false}
        fitView
        fitViewOptions={wholePicture}
        elevateEdgesOnSelect
        aria-label={t('canvas')}
        aria-description={readOnly ? undefined : t('canvasHelp')}
        attributionPosition="bottom-left"
      >
        <Background still={still} cards={whole.area} />
        {flow.nodes.length > 0 && <Minimap whole={whole} label={t('minimap')} />}
        <Panel position="top-right" className={classes.zoom}>
          <ZoomButton label={t('zoomIn')} icon={IconPlus} onClick={() => void instance.zoomIn({ duration: 150 })} />
          <ZoomButton label={t('zoomOut')} icon={IconMinus} onClick={() => void instance.zoomOut({ duration: 150 })} />
          <ZoomButton
            label={t('fit')}
            icon={IconMaximize}
            onClick={() => void instance.fitView({ ...wholePicture, duration: 200 })}
          />
        </Panel>
      </ReactFlow>
    </div>
  )
}

// Another function each time would draw every step and every line anew.
const mayConnect = ({ source, target }: { source: string; target: string }): boolean =>
  source !== target && target !== START_ID
/** The cards as the minimap shows them. */
const spotsOf = (nodes: readonly CanvasNode[]): Spot[] =>
  nodes.map(({ id, position: { x, y }, width = NODE_WIDTH, height = NODE_HEIGHT, data }) => {
    const tone = data.problems.length > 0 ? 'wrong' : id === START_ID ? 'start' : 'plain'
    return { x, y, width, height, tone }
  })

/** While the picture is moved or zoomed, the browser moves what it has painted; it paints anew when the picture stands still. */
function useMovingPicture(box: RefObject<HTMLElement | null>) {
  const settling = useRef<number | undefined>(undefined)
  /** Counts up each time the picture comes to stand still. */
  const [still, setStill] = useState(0)
  useEffect(() => () => window.clearTimeout(settling.current), [])
  const begin = useCallback(() => {
    window.clearTimeout(settling.current)
    if (box.current) box.current.dataset.moving = ''
  }, [box])
  const end = useCallback(() => {
    window.clearTimeout(settling.current)
    // A wheel is turned in small steps.
    settling.current = window.setTimeout(() => {
      delete box.current?.dataset.moving
      setStill((times) => times + 1)
    }, SETTLED_MS)
  }, [box])
  return { begin, end, still }
}

const ZoomButton = ({ label, icon: Icon, onClick }: { label: string; icon: typeof IconPlus; onClick: () => void }) => (
  <Tooltip label={label} position="left">
    <ActionIcon variant="default" size="lg" aria-label={label} onClick={onClick}>
      <Icon size={18} />
    </ActionIcon>
  </Tooltip>
)

const wayFrom = (source: string, port: string | null): Way =>
  source === START_ID ? START : { from: source, port: port ?? '' }

/** The one card that Tab comes to: the arrow keys go on from there. */
function useCurrent(flow: Flow, selected: Selection): string {
  const last = useRef(START_ID)
  const [only] = selected
  if (selected.size === 1 && only !== undefined) last.current = only
  else if (last.current !== START_ID && !findNode(flow, last.current)) last.current = START_ID
  return last.current
}
