import type { Position } from '../model/flow-graph.ts'
import { obstaclesOf, pathThrough, type Rect, routeOf } from './routing.ts'

// Dragging bypasses React and React Flow, which would check every step and every line of the flow at each mouse move. Here the dragged
// steps are shifted and the lines that end at them drawn again; the flow itself changes once, when they are released.

export interface Ends {
  sourceX: number
  sourceY: number
  targetX: number
  targetY: number
}
export interface Line extends Ends {
  /** The steps, or the start, that it joins. */
  source: string
  target: string
}
/** The drawn lines, by the ids of their edges. */
export type Lines = Map<string, Line>

/** Lines with both ends at these steps, and lines with one end there. */
export function linesOf(lines: Lines, ids: ReadonlySet<string>): { carried: string[]; bent: string[] } {
  const carried: string[] = []
  const bent: string[] = []
  for (const [id, { source, target }] of lines) {
    const ends = Number(ids.has(source)) + Number(ids.has(target))
    if (ends === 2) carried.push(id)
    else if (ends === 1) bent.push(id)
  }
  return { carried, bent }
}

export function endsShifted(line: Line, ids: ReadonlySet<string>, { x, y }: Position): Ends {
  const { source, target, sourceX, sourceY, targetX, targetY } = line
  const [begins, ends] = [ids.has(source), ids.has(target)]
  return {
    sourceX: begins ? sourceX + x : sourceX,
    sourceY: begins ? sourceY + y : sourceY,
    targetX: ends ? targetX + x : targetX,
    targetY: ends ? targetY + y : targetY,
  }
}

/** Steps that are being dragged. */
export interface DraggedSteps {
  /** Shifts them, relative to their place in the flow. */
  move(by: Position): void
  /** Puts everything back to its place in the flow. If the flow has changed, React draws it right after. */
  letGo(): void
}

const SVG = 'http://www.w3.org/2000/svg'
/** A card on the page, at its place in the flow. */
interface Card {
  element: HTMLElement
  /** As React wrote it. */
  before: string
  /** As it was shifted last. */
  now: string
}

/**
 * Starts dragging steps. Only what moves is painted meanwhile: the browser's compositor moves cards and the lines between them, and
 * lines with one end there are drawn in a layer of their own.
 */
export function hold(
  picture: Element,
  ids: ReadonlySet<string>,
  lines: Lines,
  rects: ReadonlyMap<string, Rect>,
): DraggedSteps {
  const { carried, bent } = linesOf(lines, ids)
  // The cards that stay, sorted once: a line then checks only the cards near it at each move.
  const obstacles = obstaclesOf([...rects].flatMap(([id, rect]) => (ids.has(id) ? [] : [rect])))
  const endsOf = ({ source, target }: Line, { x, y }: Position): Rect[] =>
    [source, target].flatMap((id) => {
      const rect = rects.get(id)
      if (!rect) return []
      return [ids.has(id) ? { ...rect, x: rect.x + x, y: rect.y + y } : rect]
    })
  const edge = (id: string) => picture.querySelector<SVGElement>(`.react-flow__edge[data-id="${CSS.escape(id)}"]`)
  const cards = [...ids].flatMap((id): Card[] => {
    const element = picture.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
    return element ? [{ element, before: element.style.transform, now: element.style.transform }] : []
  })
  const along: (HTMLElement | SVGElement)[] = carried.flatMap((id) => edge(id)?.closest('svg') ?? [])
  // What remains of the frame around several steps.
  const frame = picture.querySelector<HTMLElement>('.react-flow__nodesselection-rect')
  if (frame) along.push(frame)
  const layer = document.createElementNS(SVG, 'svg')
  layer.dataset.bentLines = ''
  const drawn = bent.flatMap((id) => {
    const line = lines.get(id)
    const drawing = edge(id)
    const path = drawing?.querySelector('.react-flow__edge-path')?.cloneNode()
    if (!line || !drawing || !(path instanceof SVGPathElement)) return []
    path.removeAttribute('id')
    layer.append(path)
    return [{ line, drawing, path }]
  })
  picture.querySelector('.react-flow__viewport')?.append(layer)
  for (const element of [...cards.map((card) => card.element), ...along]) element.dataset.held = ''
  for (const { drawing } of drawn) drawing.dataset.bent = ''
  return {
    move(by) {
      const shift = `translate(${by.x}px, ${by.y}px)`
      for (const card of cards) {
        card.now = `${shift} ${card.before}`
        card.element.style.transform = card.now
      }
      for (const { style } of along) style.transform = shift
      for (const { line, path } of drawn) {
        const { sourceX, sourceY, targetX, targetY } = endsShifted(line, ids, by)
        const [from, to] = [
          { x: sourceX, y: sourceY },
          { x: targetX, y: targetY },
        ]
        path.setAttribute('d', pathThrough(routeOf(obstacles, { from, to, ends: endsOf(line, by) })))
      }
    },
    letGo() {
      for (const { element, before, now } of cards) {
        // Unless React has moved it meanwhile, as an undo by keyboard does.
        if (element.style.transform === now) element.style.transform = before
        delete element.dataset.held
      }
      for (const element of along) {
        element.style.transform = ''
        delete element.dataset.held
      }
      for (const { drawing } of drawn) delete drawing.dataset.bent
      layer.remove()
    },
  }
}
