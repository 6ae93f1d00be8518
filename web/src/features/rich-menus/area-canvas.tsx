import type { PictureSize, RichMenuArea } from '@okaeri/contract/rich-menus/menu'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useWords } from '../../app/i18n.ts'
import classes from './area-canvas.module.css'
import { type Bounds, keepInside, SMALLEST } from './area-layout.ts'
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

type Drag = { kind: 'draw' | 'move' | 'resize'; index: number; from: { x: number; y: number }; began: Bounds }

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
  const drag = useRef<Drag | null>(null)

  const place = (event: PointerEvent): { x: number; y: number } => {
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
    const from = place(event)
    drag.current = { kind, index, from, began: areas[index] ?? { ...from, width: SMALLEST, height: SMALLEST } }
    onSelect(kind === 'draw' ? null : index)
  }
  const move = (event: PointerEvent) => {
    const now = drag.current
    if (!now) return
    const { x, y } = place(event)
    const [dx, dy] = [x - now.from.x, y - now.from.y]
    if (now.kind === 'move')
      onChange(now.index, keepInside({ ...now.began, x: now.began.x + dx, y: now.began.y + dy }, size, top))
    else if (now.kind === 'resize')
      onChange(
        now.index,
        keepInside({ ...now.began, width: now.began.width + dx, height: now.began.height + dy }, size, top),
      )
    else if (Math.abs(dx) > SMALLEST && Math.abs(dy) > SMALLEST) {
      const drawn = {
        x: Math.min(x, now.from.x),
        y: Math.min(y, now.from.y),
        width: Math.abs(dx),
        height: Math.abs(dy),
      }
      onAdd(keepInside(drawn, size, top))
      // From here on its corner follows the pointer.
      drag.current = { kind: 'resize', index: areas.length, from: { x, y }, began: drawn }
    }
  }
  const press = (event: KeyboardEvent, index: number) => {
    const area = areas[index]
    if (disabled || !area) return
    const [dx, dy] = arrows[event.key] ?? [0, 0]
    if (event.key === 'Delete' || event.key === 'Backspace') onRemove(index)
    else if (dx === 0 && dy === 0) return
    else if (event.shiftKey)
      onChange(index, keepInside({ ...area, width: area.width + dx, height: area.height + dy }, size, top))
    else onChange(index, keepInside({ ...area, x: area.x + dx, y: area.y + dy }, size, top))
    event.preventDefault()
  }
  return (
    <div
      ref={canvas}
      className={classes.canvas}
      data-draws={!disabled || undefined}
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
      onPointerDown={(event) => begin(event, 'draw', -1)}
      onPointerMove={move}
      onPointerUp={() => void (drag.current = null)}
      onPointerCancel={() => void (drag.current = null)}
    >
      {picture && <img src={picture.url} alt="" className={classes.picture} draggable={false} />}
      {tabCount > 1 &&
        Array.from({ length: tabCount }, (_, tab) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: tabs are known by their place
            key={tab}
            className={classes.tab}
            style={placed({ x: (size.width * tab) / tabCount, y: 0, width: size.width / tabCount, height: top }, size)}
          >
            {t('tab', { number: tab + 1 })}
          </div>
        ))}
      {areas.map((area, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: areas are known by their place
          key={index}
          type="button"
          className={classes.area}
          data-selected={selected === index || undefined}
          aria-label={t('area', { number: index + 1 })}
          style={placed(area, size)}
          onFocus={() => onSelect(index)}
          onPointerDown={(event) => begin(event, 'move', index)}
          onKeyDown={(event) => press(event, index)}
        >
          {index + 1}
          {!disabled && <span className={classes.handle} onPointerDown={(event) => begin(event, 'resize', index)} />}
        </button>
      ))}
    </div>
  )
}
