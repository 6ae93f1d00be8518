import type { PictureSize, RichMenuArea, RichMenuTab } from '@okaeri/contract/rich-menus/menu'

export type Bounds = Pick<RichMenuArea, 'x' | 'y' | 'width' | 'height'>
export type Point = Pick<Bounds, 'x' | 'y'>

/** What areas are drawn over until there is a picture: the size most menus have. */
export const FIRST_SIZE: PictureSize = { width: 2500, height: 1686 }
/** Smaller ones cannot be hit by a finger. */
export const SMALLEST = 40

/** Areas side by side in each row, top to bottom. */
export const templates: readonly (readonly number[])[] = [[1], [2], [3], [1, 2], [1, 3], [2, 2], [3, 3]]

const edge = (length: number, part: number, parts: number): number => Math.round((length * part) / parts)

/** Fills the picture below the tabs; what areas did stays, in their order. */
export function layOut(
  rows: readonly number[],
  size: PictureSize,
  top: number,
  before: RichMenuTab['areas'],
): RichMenuArea[] {
  const height = size.height - top
  const bounds = rows.flatMap((columns, row) =>
    Array.from({ length: columns }, (_, column): Bounds => {
      const x = edge(size.width, column, columns)
      const y = top + edge(height, row, rows.length)
      const right = edge(size.width, column + 1, columns)
      const bottom = top + edge(height, row + 1, rows.length)
      return { x, y, width: right - x, height: bottom - y }
    }),
  )
  return bounds.map((one, index) => ({ ...one, action: before[index]?.action ?? { type: 'link', url: '' } }))
}

/** The nearest place inside the picture and below the tabs. */
export function keepInside(area: Bounds, size: PictureSize, top: number): Bounds {
  const width = Math.min(Math.max(SMALLEST, Math.round(area.width)), size.width)
  const height = Math.min(Math.max(SMALLEST, Math.round(area.height)), size.height - top)
  const x = Math.min(Math.max(0, Math.round(area.x)), size.width - width)
  const y = Math.min(Math.max(top, Math.round(area.y)), size.height - height)
  return { x, y, width, height }
}

/** The area with two opposite corners there, cut off outside the picture and above `top`. */
export function between(one: Point, other: Point, size: PictureSize, top: number): Bounds {
  const inside = ({ x, y }: Point): Point => ({
    x: Math.min(Math.max(0, Math.round(x)), size.width),
    y: Math.min(Math.max(top, Math.round(y)), size.height),
  })
  const [from, to] = [inside(one), inside(other)]
  return {
    x: Math.min(from.x, to.x),
    y: Math.min(from.y, to.y),
    width: Math.abs(to.x - from.x),
    height: Math.abs(to.y - from.y),
  }
}

/** After another picture, or another height of the tabs. */
export function scaled(
  areas: readonly RichMenuArea[],
  from: PictureSize,
  to: PictureSize,
  top: number,
): RichMenuArea[] {
  const across = to.width / from.width
  const down = to.height / from.height
  return areas.map(({ action, x, y, width, height }) => ({
    ...keepInside({ x: x * across, y: y * down, width: width * across, height: height * down }, to, top),
    action,
  }))
}
