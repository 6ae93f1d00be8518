import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { NODE_HEIGHT, NODE_WIDTH } from '@okaeri/contract/scenarios/flow/flow-places'
import { useReactFlow } from '@xyflow/react'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { moves } from './canvas-view.ts'
import { type FlowEditing, type Selection, START_ID } from '../editing.ts'
import { findNode } from '../model/flow-graph.ts'
import { startPosition } from '../model/positions.ts'

const FRAMES_TO_DRAW = 30

/** A card to focus; a new object each time. `stay`: without moving the view. */
export type FocusRequest = { id: string; stay: boolean } | null

/** Which card has the focus, and moving it to another one, which is then brought into view. */
export function useCanvasFocus(
  box: RefObject<HTMLElement | null>,
  { flow, now, select, selected }: Pick<FlowEditing, 'flow' | 'now' | 'select' | 'selected'>,
  focusOn: FocusRequest,
) {
  const { flowToScreenPosition, getZoom, setCenter } = useReactFlow()
  const current = useCurrent(flow, selected)
  const element = useCallback(
    (id: string): HTMLElement | null =>
      box.current?.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`) ?? null,
    [box],
  )
  const show = useCallback(
    (id: string) => {
      const position = id === START_ID ? startPosition(now()) : findNode(now(), id)?.position
      const frame = box.current?.getBoundingClientRect()
      if (!position || !frame) return
      const place = flowToScreenPosition(position)
      const zoom = getZoom()
      const inside =
        place.x >= frame.left &&
        place.y >= frame.top &&
        place.x + NODE_WIDTH * zoom <= frame.right &&
        place.y + NODE_HEIGHT * zoom <= frame.bottom
      if (!inside)
        void setCenter(position.x + NODE_WIDTH / 2, position.y + NODE_HEIGHT / 2, { zoom, duration: moves(200) })
    },
    [box, now, flowToScreenPosition, getZoom, setCenter],
  )
  // Requested at the moment the node is made: React Flow draws it some frames later.
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
  return {
    current,
    focusCanvas: useCallback(() => box.current?.focus({ preventScroll: true }), [box]),
    goTo: (id: string): void => {
      select([id])
      show(id)
      element(id)?.focus({ preventScroll: true })
    },
  }
}

/** The one card that Tab reaches; the arrow keys continue from there. */
function useCurrent(flow: Flow, selected: Selection): string {
  const last = useRef(START_ID)
  const [only] = selected
  if (selected.size === 1 && only !== undefined) last.current = only
  else if (last.current !== START_ID && !findNode(flow, last.current)) last.current = START_ID
  return last.current
}
