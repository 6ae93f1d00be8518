import { useStoreApi, ViewportPortal } from '@xyflow/react'
import { useLayoutEffect, useRef } from 'react'
import classes from './canvas.module.css'

/** Between two dots, in pixels at 100 % zoom. */
const GAP = 24
/** To each side, the background is this many times as large as the visible part. */
const BEYOND = 2

interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** The position of the background and the distance of its dots. Zoomed out, only every second or fourth dot is drawn. */
export function backgroundFor(
  seen: { transform: readonly [x: number, y: number, zoom: number]; width: number; height: number },
  cards: Area | null,
): { left: number; top: number; width: number; height: number; gap: number } {
  const [x, y, zoom] = seen.transform
  const gap = GAP * 2 ** Math.max(0, Math.floor(0.5 - Math.log2(zoom)))
  const whole = (at: number): number => Math.floor(at / gap) * gap
  const [across, down] = [seen.width / zoom, seen.height / zoom]
  const [left, right] = [-x / zoom - BEYOND * across, -x / zoom + (1 + BEYOND) * across]
  const [top, bottom] = [-y / zoom - BEYOND * down, -y / zoom + (1 + BEYOND) * down]
  const from = { x: whole(Math.min(left, cards?.x ?? left)), y: whole(Math.min(top, cards?.y ?? top)) }
  const to = {
    x: whole(Math.max(right, cards ? cards.x + cards.width : right)) + gap,
    y: whole(Math.max(bottom, cards ? cards.y + cards.height : bottom)) + gap,
  }
  return { left: from.x, top: from.y, width: to.x - from.x, height: to.y - from.y, gap }
}

/**
 * The dots behind the picture. They move with it and are laid out again only when it stands still. The background is so large that the
 * browser keeps it and the cards in one layer while they move, not in thirty.
 */
export function Background({ still, cards }: { still: number; cards: Area }) {
  const store = useStoreApi()
  const dots = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    let laid = ''
    const lay = () => {
      const { left, top, width, height, gap } = backgroundFor(store.getState(), cards)
      const css = `left:${left}px;top:${top}px;width:${width}px;height:${height}px;background-size:${gap}px ${gap}px;--dot:${gap / GAP}px`
      if (css === laid || !dots.current) return
      laid = css
      dots.current.style.cssText = css
    }
    lay()
    // For the first fit, and when the window changes its size.
    let { width, height } = store.getState()
    return store.subscribe((now) => {
      if (now.width === width && now.height === height) return
      ;({ width, height } = now)
      lay()
    })
  }, [store, still, cards])
  return (
    <ViewportPortal>
      <div ref={dots} className={classes.background} aria-hidden />
    </ViewportPortal>
  )
}
