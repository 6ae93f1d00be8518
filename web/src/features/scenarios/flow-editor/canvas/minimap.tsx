import { Panel, useReactFlow, useStoreApi } from '@xyflow/react'
import { memo, type PointerEvent, useEffect, useLayoutEffect, useRef } from 'react'
import classes from './canvas.module.css'

/** A card as the minimap shows it. */
export interface Spot {
  x: number
  y: number
  width: number
  height: number
  tone: 'plain' | 'start' | 'wrong'
}
/** All cards of one tone as one shape, and the area of all cards. */
interface Whole {
  shapes: Record<Spot['tone'], string>
  area: { x: number; y: number; width: number; height: number }
}
const WIDTH = 132
const HEIGHT = 100
/** Around the cards, as a part of the longer side. */
const MARGIN = 0.06

export function minimapOf(spots: readonly Spot[]): Whole {
  const shapes = { plain: '', start: '', wrong: '' }
  for (const { x, y, width, height, tone } of spots) shapes[tone] += `M${x} ${y}h${width}v${height}h${-width}z`
  const left = Math.min(...spots.map(({ x }) => x))
  const top = Math.min(...spots.map(({ y }) => y))
  const width = Math.max(...spots.map((spot) => spot.x + spot.width)) - left
  const height = Math.max(...spots.map((spot) => spot.y + spot.height)) - top
  const margin = Math.max(width, height) * MARGIN
  return {
    shapes,
    area: { x: left - margin, y: top - margin, width: width + 2 * margin, height: height + 2 * margin },
  }
}

/**
 * The whole picture in small, with the visible part. Clicking or dragging moves the picture there; the wheel zooms. It draws one shape
 * for all cards, only when a card changes. React Flow's own minimap checks each card in every frame and redraws when the picture moves.
 */
export const Minimap = memo(function Minimap({ whole, label }: { whole: Whole; label: string }) {
  const store = useStoreApi()
  const instance = useReactFlow()
  const drawing = useRef<SVGSVGElement>(null)
  const shade = useRef<SVGPathElement>(null)
  const { shapes, area } = whole
  useLayoutEffect(() => {
    let drawn = ''
    const place = () => {
      const { transform, width, height } = store.getState()
      const [x, y, zoom] = transform
      const seen = `M${-x / zoom} ${-y / zoom}h${width / zoom}v${height / zoom}h${-width / zoom}z`
      const far = 20 * Math.max(area.width, area.height)
      const all = `M${area.x - far} ${area.y - far}h${2 * far + area.width}v${2 * far + area.height}h${-2 * far - area.width}z`
      if (all + seen === drawn) return
      drawn = all + seen
      shade.current?.setAttribute('d', drawn)
    }
    place()
    return store.subscribe(place)
  }, [store, area])
  useEffect(() => {
    const within = drawing.current
    const zoom = (event: WheelEvent) => {
      // Otherwise the page would scroll.
      event.preventDefault()
      void instance.zoomTo(instance.getZoom() * 2 ** (-event.deltaY * 0.002))
    }
    within?.addEventListener('wheel', zoom, { passive: false })
    return () => within?.removeEventListener('wheel', zoom)
  }, [instance])
  const goTo = ({ clientX, clientY }: PointerEvent) => {
    const place = drawing.current?.getScreenCTM()
    if (!place) return
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(place.inverse())
    void instance.setCenter(x, y, { zoom: instance.getZoom() })
  }
  return (
    <Panel position="bottom-right" className={classes.minimap}>
      <svg
        ref={drawing}
        role="img"
        aria-label={label}
        width={WIDTH}
        height={HEIGHT}
        viewBox={`${area.x} ${area.y} ${area.width} ${area.height}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          goTo(event)
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) goTo(event)
        }}
      >
        <path className={classes.mini} d={shapes.plain} />
        <path className={classes.mini} data-tone="start" d={shapes.start} />
        <path className={classes.mini} data-tone="wrong" d={shapes.wrong} />
        <path ref={shade} className={classes.shade} fillRule="evenodd" />
      </svg>
    </Panel>
  )
})
