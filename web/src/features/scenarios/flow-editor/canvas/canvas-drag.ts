import type { NodeChange } from '@xyflow/react'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { type DraggedSteps, hold, type Lines } from './dragging.ts'
import { type CanvasNode, rectsOf } from './drawn-flow.ts'
import { type FlowEditing, type Selection, START_ID } from '../editing.ts'
import { moved } from '../model/flow-edits.ts'
import { findNode, type Position } from '../model/flow-graph.ts'

interface CanvasDragProps {
  editing: FlowEditing
  nodes: readonly CanvasNode[]
  lines: Lines
  /** Called when a drag begins, and when it ends. */
  onHold: (holding: boolean) => void
}

/** Selecting and dragging cards. The flow changes once, when they are released. */
export function useCanvasDrag(box: RefObject<HTMLElement | null>, { editing, nodes, lines, onHold }: CanvasDragProps) {
  const { change, now, select, selected } = editing
  const held = useRef<{ steps: DraggedSteps; from: Position; id: string } | null>(null)
  const cards = useRef(nodes)
  cards.current = nodes

  const drag = useCallback(
    (moves: ReadonlyMap<string, Position>) => {
      if (!held.current) {
        const [id = ''] = moves.keys()
        const from = findNode(now(), id)?.position
        if (!box.current || !from) return
        held.current = { steps: hold(box.current, new Set(moves.keys()), lines, rectsOf(cards.current)), from, id }
      }
      const { steps, from, id } = held.current
      const to = moves.get(id)
      // All of them move by the same distance.
      if (to) steps.move({ x: to.x - from.x, y: to.y - from.y })
    },
    [box, now, lines],
  )
  const onNodesChange = useCallback(
    (changes: NodeChange<CanvasNode>[]) => {
      const { picked, moves, dropped } = readChanges(changes, selected)
      if (picked) select(picked)
      if (moves.size === 0) return
      if (!dropped) return drag(moves)
      held.current?.steps.letGo()
      held.current = null
      change(moved(now(), moves))
      onHold(false)
    },
    [selected, select, change, now, drag, onHold],
  )
  // React Flow selects a card before its first move, and it may be released without a move.
  const onNodeDragStart = useCallback(() => onHold(true), [onHold])
  const onNodeDragStop = useCallback(() => onHold(false), [onHold])
  useEffect(() => onNodeDragStop, [onNodeDragStop])
  return { onNodesChange, onNodeDragStart, onNodeDragStop }
}

function readChanges(changes: readonly NodeChange<CanvasNode>[], selected: Selection) {
  let picked: Set<string> | null = null
  const moves = new Map<string, Position>()
  let dropped = false
  for (const each of changes) {
    if (each.type === 'select') {
      picked ??= new Set(selected)
      if (each.selected) picked.add(each.id)
      else picked.delete(each.id)
    }
    if (each.type === 'position' && each.position && each.id !== START_ID) {
      moves.set(each.id, each.position)
      if (each.dragging === false) dropped = true
    }
  }
  return { picked, moves, dropped }
}
