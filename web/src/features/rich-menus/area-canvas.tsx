import { Text } from '@mantine/core'
import type { PictureSize, RichMenuArea } from '@okaeri/contract/rich-menus/menu'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import classes from './area-canvas.module.css'
import { type Bounds, between, keepInside, type Point, SMALLEST } from './area-layout.ts'
import type { ShownPicture } from './picture-field.tsx'

/** In pixels of the picture, for one press of an arrow key. */
const KEY_STEP = 20

interface AreaCanvasProps {
  picture: ShownPicture | null
  size: PictureSize
  tabCount: number
  /** Height of the bar with the tabs; areas stay below it. */
  top: number
  areas: readonly RichMenuArea[]
  selected: number | null
  disabled: boolean
  onSelect: (index: number | null) => void
  onChange: (index: number, bounds: Bounds) => void
  onAdd: (bounds: Bounds) => void
  onRemove: (index: number) => void
}

/** From pressing to letting go; the areas change when it ends. */
interface Drag {
  kind: 'draw' | 'move' | 'resize'
  index: number
  from: Point
  began: Bounds
  /** Null until what is drawn is large enough. */
  now: Bounds | null
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-KEY_STEP, 0],
  ArrowRight: [KEY_STEP, 0],
  ArrowUp: [0, -KEY_STEP],
  ArrowDown: [0, KEY_STEP],
}

export const placed = ({ x, y, width, height }: Bounds, size: PictureSize): CSSProperties => ({
  left: `${(x / size.width) * 100}%`,
  top: `${(y / size.height) * 100}%`,
  width: `${(width / size.width) * 100}%`,
  height: `${(height / size.height) * 100}%`,
})

/** The picture with the areas over it, drawn, moved and resized by pointer and by keys. */
export function AreaCanvas(props: AreaCanvasProps) {
  const { picture, size, tabCount, top, areas, selected, disabled, onSelect, onChange, onAdd, onRemove } = props
  const t = useWords('richMenus')
  const canvas = useRef<HTMLDivElement>(null)
  const buttons = useRef<(HTMLButtonElement | null)[]>([])
  const [drag, setDrag] = useState<Drag | null>(null)

  // What was just drawn or added is moved by the keys at once.
  useEffect(() => {
    if (selected !== null) buttons.current[selected]?.focus()
  }, [selected])

  const placeOf = (event: PointerEvent): Point => {
    const box = canvas.current?.getBoundingClientRect()
    if (!box) return { x: 0, y: 0 }
    return {
      x: ((event.clientX - box.left) / box.width) * size.width,
      y: ((event.clientY - box.top) / box.height) * size.height,
    }
  }
  const begin = (event: PointerEvent, kind: Drag['kind'], index: number) => {
    if (disabled || event.button !== 0) return
    event.stopPropagation()
    canvas.current?.setPointerCapture(event.pointerId)
    const from = placeOf(event)
    const began = areas[index] ?? { ...from, width: 0, height: 0 }
    setDrag({ kind, index, from, began, now: areas[index] ?? null })
    onSelect(kind === 'draw' ? null : index)
  }
  const move = (event: PointerEvent) => drag && setDrag({ ...drag, now: dragged(drag, placeOf(event), size, top) })
  const end = () => {
    if (drag?.now && drag.kind === 'draw') onAdd(drag.now)
    else if (drag?.now) onChange(drag.index, drag.now)
    setDrag(null)
  }
  const press = (event: KeyboardEvent, index: number) => {
    const area = areas[index]
    if (disabled || !area) return
    const [dx, dy] = arrows[event.key] ?? [0, 0]
    if (event.key === 'Delete' || event.key === 'Backspace') {
      onRemove(index)
      canvas.current?.focus()
    } else if (dx === 0 && dy === 0) return
    else if (event.shiftKey)
      onChange(index, keepInside({ ...area, width: area.width + dx, height: area.height + dy }, size, top))
    else onChange(index, keepInside({ ...area, x: area.x + dx, y: area.y + dy }, size, top))
    event.preventDefault()
  }
  const boundsOf = (area: Bounds, index: number): Bounds => (drag?.index === index && drag.now ? drag.now : area)
  const described = drag?.now ?? (selected === null ? undefined : areas[selected])
  return (
    <div>
      <div
        ref={canvas}
        role="group"
        aria-label={t('canvas')}
        tabIndex={-1}
        className={classes.canvas}
        data-draws={!disabled || undefined}
        style={{ aspectRatio: `${size.width} / ${size.height}` }}
        onPointerDown={(event) => begin(event, 'draw', -1)}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
      >
        {picture && <img src={picture.url} alt="" className={classes.picture} draggable={false} />}
        {tabCount > 1 &&
          Array.from({ length: tabCount }, (_, tab) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: tabs are known by their place
              key={tab}
              className={classes.tab}
              style={placed(
                { x: (size.width * tab) / tabCount, y: 0, width: size.width / tabCount, height: top },
                size,
              )}
            >
              {t('tab', { number: tab + 1 })}
            </div>
          ))}
        {areas.map((area, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: areas are known by their place
            key={index}
            ref={(button) => void (buttons.current[index] = button)}
            type="button"
            className={classes.area}
            data-selected={selected === index || undefined}
            aria-label={t('area', { number: index + 1 })}
            style={placed(boundsOf(area, index), size)}
            onFocus={() => onSelect(index)}
            onPointerDown={(event) => begin(event, 'move', index)}
            onKeyDown={(event) => press(event, index)}
          >
            {index + 1}
            {!disabled && <span className={classes.handle} onPointerDown={(event) => begin(event, 'resize', index)} />}
          </button>
        ))}
        {drag?.kind === 'draw' && drag.now && <div className={classes.area} style={placed(drag.now, size)} />}
      </div>
      <Text size="sm" c="dimmed" mt={4} aria-live="polite" style={{ minHeight: '1.55em' }}>
        {described && t('bounds', { ...described })}
      </Text>
    </div>
  )
}

/** What the pointer makes of it by now. */
function dragged({ kind, from, began }: Drag, at: Point, size: PictureSize, top: number): Bounds | null {
  const [dx, dy] = [at.x - from.x, at.y - from.y]
  if (kind === 'move') return keepInside({ ...began, x: began.x + dx, y: began.y + dy }, size, top)
  if (kind === 'resize') return keepInside({ ...began, width: began.width + dx, height: began.height + dy }, size, top)
  const drawn = between(from, at, size, top)
  return drawn.width >= SMALLEST && drawn.height >= SMALLEST ? drawn : null
}
