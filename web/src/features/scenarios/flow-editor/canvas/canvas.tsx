import '@xyflow/react/dist/base.css'
import { ActionIcon, Tooltip, useComputedColorScheme } from '@mantine/core'
import { NODE_HEIGHT, NODE_WIDTH } from '@okaeri/contract/scenarios/flow/flow-places'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow/flow-problem'
import type { FlowSaying } from '@okaeri/contract/scenarios/flow/phrases'
import type { NodeCounts } from '@okaeri/contract/scenarios/scenario'
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { Panel, ReactFlow, useReactFlow } from '@xyflow/react'
import { type DragEvent, useMemo, useRef } from 'react'
import { useWords } from '../../../../app/i18n.ts'
import { Background } from './background.tsx'
import { useCanvasConnections } from './canvas-connections.ts'
import { useCanvasDrag } from './canvas-drag.ts'
import { type FocusRequest, useCanvasFocus } from './canvas-focus.ts'
import { canvasKeys } from './canvas-keys.ts'
import { useCanvasView, wholePicture } from './canvas-view.ts'
import type { Lines } from './dragging.ts'
import { type CanvasNode, useCanvasEdges, useCanvasNodes } from './drawn-flow.ts'
import { type FlowEditing, START_ID } from '../editing.ts'
import classes from './canvas.module.css'
import type { Position, OutgoingPort } from '../model/flow-graph.ts'
import { IconPictures } from './icon-pictures.tsx'
import { Minimap, minimapOf, type Spot } from './minimap.tsx'
import { StartCard, StepCard, wayOf } from './step-card.tsx'
import { type WayEdge, WayLine } from './way-line.tsx'

const nodeTypes = { step: StepCard, start: StartCard }
const edgeTypes = { way: WayLine }
const MAX_ZOOM = 1.6
const MIN_ZOOM = 0.1

/** The data type of a step dragged from the palette. */
export const DRAGGED = 'application/x-okaeri-step'

interface CanvasProps {
  editing: FlowEditing
  saying: FlowSaying
  readOnly: boolean
  /** Problems shown in red, by node; '' for the whole flow. */
  marked: ReadonlyMap<string, FlowProblem[]>
  counts: ReadonlyMap<string, NodeCounts>
  lines: Lines
  /** Called when a drag begins, and when it ends. */
  onHold: (holding: boolean) => void
  /** A step was dropped on a way out, or (null) on free space. */
  onDrop: (kind: string, way: OutgoingPort | null, at: Position) => void
  askInsert: (way: OutgoingPort, beside: Element) => void
  onOpen: () => void
  onRemove: (ids: readonly string[]) => void
  focusOn: FocusRequest
  /** Counts up each time the whole should be shown. */
  fitted: number
  say: (news: string) => void
}

export function Canvas(props: CanvasProps) {
  const { editing, saying, readOnly, marked, counts, lines, onHold, onOpen, askInsert, say } = props
  const { flow, selected } = editing
  const t = useWords('flow')
  const colors = useComputedColorScheme('light')
  const box = useRef<HTMLDivElement>(null)

  const { chosenEdge, disconnect, handlers } = useCanvasConnections(editing)
  const { current, focusCanvas, goTo } = useCanvasFocus(box, editing, props.focusOn)
  const nodes = useCanvasNodes({ flow, selected, current, marked, counts, saying, t })
  const edges = useCanvasEdges(flow, nodes, saying, chosenEdge, t)
  const whole = useMemo(() => minimapOf(spotsOf(nodes)), [nodes])
  const drag = useCanvasDrag(box, { editing, nodes, lines, onHold })
  const { still, onMoveStart, onMoveEnd, ...zoom } = useCanvasView(box, props.fitted)
  const drop = useStepDrop(edges, props.onDrop)

  const onRemove = () => {
    const ids = [...selected].filter((id) => id !== START_ID)
    if (ids.length > 0) return props.onRemove(ids)
    const edge = edges.find(({ id }) => id === chosenEdge)
    if (!edge?.data) return
    disconnect(edge.data.way)
    say(t('disconnected'))
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the cards within
    <div
      ref={box}
      tabIndex={-1}
      className={classes.canvas}
      onKeyDown={canvasKeys({ editing, readOnly, current, goTo, askInsert, onOpen, onRemove })}
      {...drop}
    >
      <IconPictures colors={colors} />
      <ReactFlow<CanvasNode, WayEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        colorMode={colors}
        {...handlers}
        {...drag}
        onNodeDoubleClick={onOpen}
        // Lines and the background take no focus; keys pressed after a click on them are for the canvas.
        onEdgeClick={focusCanvas}
        onPaneClick={focusCanvas}
        onMoveStart={onMoveStart}
        onMoveEnd={onMoveEnd}
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
        <ZoomButtons {...zoom} />
      </ReactFlow>
    </div>
  )
}

/** Takes steps dragged from the palette, and finds the way out they are dropped on. */
function useStepDrop(edges: readonly WayEdge[], onDrop: CanvasProps['onDrop']) {
  const { screenToFlowPosition } = useReactFlow()
  return {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(DRAGGED)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDrop: (event: DragEvent) => {
      const kind = event.dataTransfer.getData(DRAGGED)
      if (kind === '') return
      event.preventDefault()
      const on = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-way]') : null
      const line = event.target instanceof Element ? event.target.closest<HTMLElement>('.react-flow__edge') : null
      const edge = edges.find(({ id }) => id === line?.dataset.id)
      const at = screenToFlowPosition({ x: event.clientX, y: event.clientY })
      const way = on?.dataset.way === undefined ? (edge?.data?.way ?? null) : wayOf(on.dataset.way)
      onDrop(kind, way, { x: at.x - NODE_WIDTH / 2, y: at.y - NODE_HEIGHT / 2 })
    },
  }
}

/** The cards as the minimap shows them. */
const spotsOf = (nodes: readonly CanvasNode[]): Spot[] =>
  nodes.map(({ id, position: { x, y }, width = NODE_WIDTH, height = NODE_HEIGHT, data }) => {
    const tone = data.problems.length > 0 ? 'wrong' : id === START_ID ? 'start' : 'plain'
    return { x, y, width, height, tone }
  })

function ZoomButtons({ zoomIn, zoomOut, fit }: Record<'zoomIn' | 'zoomOut' | 'fit', () => void>) {
  const t = useWords('flow')
  return (
    <Panel position="top-right" className={classes.zoom}>
      <ZoomButton label={t('zoomIn')} icon={IconPlus} onClick={zoomIn} />
      <ZoomButton label={t('zoomOut')} icon={IconMinus} onClick={zoomOut} />
      <ZoomButton label={t('fit')} icon={IconMaximize} onClick={fit} />
    </Panel>
  )
}

const ZoomButton = ({ label, icon: Icon, onClick }: { label: string; icon: typeof IconPlus; onClick: () => void }) => (
  <Tooltip label={label} position="left">
    <ActionIcon variant="default" size="lg" aria-label={label} onClick={onClick}>
      <Icon size={18} />
    </ActionIcon>
  </Tooltip>
)
