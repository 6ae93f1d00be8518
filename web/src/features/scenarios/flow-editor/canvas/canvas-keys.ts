import type { KeyboardEvent } from 'react'
import { type FlowEditing, START_ID } from '../editing.ts'
import { moved } from '../model/flow-edits.ts'
import { type Position, type OutgoingPort, portAfter } from '../model/flow-graph.ts'
import { type Direction, neighbourOf } from '../model/positions.ts'

/** One press of Shift and an arrow key moves a card this far. */
const NUDGE = 20
const nudges: Record<Direction, Position> = {
  up: { x: 0, y: -NUDGE },
  down: { x: 0, y: NUDGE },
  left: { x: -NUDGE, y: 0 },
  right: { x: NUDGE, y: 0 },
}
const directions: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

interface CanvasKeys {
  editing: FlowEditing
  readOnly: boolean
  /** The card with the focus. */
  current: string
  goTo: (id: string) => void
  askInsert: (way: OutgoingPort, beside: Element) => void
  onOpen: () => void
  /** Removes the selected steps, or else the selected line. */
  onRemove: () => void
}

/** The keys of the canvas and of its cards. */
export function canvasKeys({ editing, readOnly, current, goTo, askInsert, onOpen, onRemove }: CanvasKeys) {
  const { flow, select } = editing
  const nodeOf = (id: string): string | null => (id === START_ID ? null : id)
  const go = (id: string, direction: Direction): void => {
    const next = neighbourOf(flow, nodeOf(id), direction)
    if (next !== undefined) goTo(next ?? START_ID)
  }
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>('.react-flow__node') : null
    const id = card?.dataset.id ?? current
    const opens = event.key === 'Enter' || event.key === ' '
    // A button in a card has its own keys.
    if (event.target instanceof HTMLButtonElement && opens) return
    const direction = directions[event.key]
    if (direction && card) {
      event.preventDefault()
      if (!event.shiftKey) go(id, direction)
      else if (!readOnly) nudge(editing, direction)
    } else if (opens && card) {
      event.preventDefault()
      select([id])
      onOpen()
    } else if (event.key.toLowerCase() === 'i' && card && !readOnly) {
      event.preventDefault()
      const way = portAfter(flow, nodeOf(id))
      if (way) askInsert(way, card)
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && !readOnly) {
      event.preventDefault()
      onRemove()
    } else if (event.key === 'Escape') select([])
  }
}

function nudge({ flow, selected, change, now }: FlowEditing, direction: Direction): void {
  const by = nudges[direction]
  const places = new Map<string, Position>()
  for (const { id, position } of flow.nodes)
    if (selected.has(id)) places.set(id, { x: position.x + by.x, y: position.y + by.y })
  change(moved(now(), places), 'nudge')
}
