import { useReactFlow } from '@xyflow/react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Clear of the buttons at the right. */
export const wholePicture = {
  maxZoom: 1,
  padding: { top: '28px', right: '72px', bottom: '28px', left: '28px' },
} as const
const SETTLED_MS = 250

/** What part of the picture is visible, and whether it is moving. `fitted` counts up each time the whole should be shown. */
export function useCanvasView(box: RefObject<HTMLElement | null>, fitted: number) {
  const { fitView, zoomIn, zoomOut } = useReactFlow()
  const { begin, end, still } = useMovingPicture(box)
  useEffect(() => {
    if (fitted === 0) return
    // It counts as moving from now on, also while the steps are still measured.
    begin()
    void fitView({ ...wholePicture, duration: moves(200) }).then(end)
  }, [fitted, fitView, begin, end])
  return {
    still,
    onMoveStart: begin,
    onMoveEnd: end,
    zoomIn: () => void zoomIn({ duration: moves(150) }),
    zoomOut: () => void zoomOut({ duration: moves(150) }),
    fit: () => void fitView({ ...wholePicture, duration: moves(200) }),
  }
}

/** While the picture is moved or zoomed, the browser moves what it has painted; it paints again when the picture stands still. */
function useMovingPicture(box: RefObject<HTMLElement | null>) {
  const settling = useRef<number | undefined>(undefined)
  /** Counts up each time the picture comes to rest. */
  const [still, setStill] = useState(0)
  useEffect(() => () => window.clearTimeout(settling.current), [])
  const begin = useCallback(() => {
    window.clearTimeout(settling.current)
    if (box.current) box.current.dataset.moving = ''
  }, [box])
  const end = useCallback(() => {
    window.clearTimeout(settling.current)
    // A wheel turns in small steps.
    settling.current = window.setTimeout(() => {
      delete box.current?.dataset.moving
      setStill((times) => times + 1)
    }, SETTLED_MS)
  }, [box])
  return { begin, end, still }
}

/** How long the view moves, in milliseconds: not at all for people who asked their system for less motion. */
export const moves = (ms: number): number => (window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms)
