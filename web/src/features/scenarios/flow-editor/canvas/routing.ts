// Routes lines around cards: pure geometry, without the page. A card is a rectangle. A line leaves at its lower edge and arrives at
// another card's upper edge, in horizontal and vertical pieces.

export interface Point {
  x: number
  y: number
}
export interface Rect extends Point {
  width: number
  height: number
}
/** Both ends of a line, and the cards there. While these are dragged, they may stand elsewhere than `Obstacles` has them. */
export interface Course {
  from: Point
  to: Point
  ends: readonly Rect[]
}

/** Between a line and the cards it goes around. */
const CLEAR = 14
/** A port's name stands right below its card; the line turns below that. */
const BELOW = 30
/** The tip of the arrow. */
const ABOVE = 22
/** The cost of a turn, in pixels: a line with fewer turns is easier to follow. */
const TURN = 60
/** After this many checks a line is drawn straight; a flow this crowded is not readable anyway. */
const MAX_LOOKS = 600
const CELL = 320

/** Cards by place, so that a line checks only those near it. */
export interface Obstacles {
  cells: ReadonlyMap<string, readonly Rect[]>
  /** How often a line was checked against a card. */
  asked: number
}
export function obstaclesOf(cards: Iterable<Rect>): Obstacles {
  const cells = new Map<string, Rect[]>()
  for (const card of cards)
    for (const cell of cellsOf(grown(card, CLEAR))) {
      const there = cells.get(cell)
      if (there) there.push(card)
      else cells.set(cell, [card])
    }
  return { cells, asked: 0 }
}
function* cellsOf({ x, y, width, height }: Rect): Generator<string> {
  for (let column = Math.floor(x / CELL); column <= Math.floor((x + width) / CELL); column++)
    for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row++) yield `${column} ${row}`
}
const grown = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})
const contains = ({ x, y, width, height }: Rect, at: Point): boolean =>
  at.x > x && at.x < x + width && at.y > y && at.y < y + height

/** The knobs at a card's edges. A line ends at their outer side. */
const KNOB = 6
/** The line from one of a card's ports, which stand evenly along its lower edge, to another card. */
export function courseOf(card: Rect, ports: readonly string[], port: string, to: Rect): Course {
  const share = (Math.max(0, ports.indexOf(port)) + 0.5) / Math.max(1, ports.length)
  return {
    from: { x: card.x + card.width * share, y: card.y + card.height + KNOB },
    to: { x: to.x + to.width / 2, y: to.y - KNOB },
    ends: [card, to],
  }
}

type Axis = 'x' | 'y'
const other = (axis: Axis): Axis => (axis === 'x' ? 'y' : 'x')
const sizeOf = (rect: Rect, axis: Axis): number => (axis === 'x' ? rect.width : rect.height)

/** The first card from a point along an axis, and how far the line can go: `to` if there is no card. */
function ahead(
  obstacles: Obstacles,
  ends: readonly Rect[],
  from: Point,
  axis: Axis,
  to: number,
): { at: number; card?: Rect } {
  const sign = Math.sign(to - from[axis])
  const across = other(axis)
  let best: { at: number; card?: Rect } = { at: to }
  const ask = (card: Rect) => {
    obstacles.asked++
    // A card that is already nearer than the usual distance may be passed that near, but not crossed.
    const wide = grown(card, CLEAR)
    const rect = contains(wide, from) ? card : wide
    if (contains(rect, from)) return
    if (from[across] <= rect[across] || from[across] >= rect[across] + sizeOf(rect, across)) return
    const near = sign > 0 ? rect[axis] : rect[axis] + sizeOf(rect, axis)
    if ((near - from[axis]) * sign < 0 || (best.at - near) * sign <= 0) return
    best = { at: near, card }
  }
  for (const card of ends) ask(card)
  const lane = Math.floor(from[across] / CELL)
  const last = Math.floor(to / CELL)
  for (let cell = Math.floor(from[axis] / CELL); sign > 0 ? cell <= last : cell >= last; cell += sign) {
    // Cards in further cells are not nearer.
    if (best.card && (sign > 0 ? cell * CELL > best.at : (cell + 1) * CELL < best.at)) break
    for (const card of obstacles.cells.get(axis === 'x' ? `${cell} ${lane}` : `${lane} ${cell}`) ?? []) ask(card)
  }
  return best
}
const isFree = (obstacles: Obstacles, ends: readonly Rect[], from: Point, to: Point): boolean => {
  const axis: Axis = from.x === to.x ? 'y' : 'x'
  return from[axis] === to[axis] || ahead(obstacles, ends, from, axis, to[axis]).card === undefined
}

/** The corners of a line, both ends included. */
export function routeOf(obstacles: Obstacles, { from, to, ends }: Course): Point[] {
  // The first and last piece are shorter if a card is close.
  const own = (at: Point) => ends.filter((card) => !contains(grown(card, CLEAR), at))
  const leave = freeStub(obstacles, own(from), from, BELOW)
  const arrive = freeStub(obstacles, own(to), to, -ABOVE)
  const begin = { x: from.x, y: from.y + leave }
  const goal = { x: to.x, y: to.y + arrive }
  if (begin.y <= goal.y) {
    if (from.x === to.x && isFree(obstacles, ends, begin, goal)) return [from, to]
    for (const y of [(begin.y + goal.y) / 2, begin.y, goal.y]) {
      const corners = [begin, { x: begin.x, y }, { x: goal.x, y }, goal]
      if (corners.every((corner, at) => at === 0 || isFree(obstacles, ends, corners[at - 1] ?? corner, corner)))
        return straightened([from, ...corners, to])
    }
  }
  return straightened([from, ...(around(obstacles, ends, begin, goal) ?? bold(begin, goal)), to])
}
function freeStub(obstacles: Obstacles, ends: readonly Rect[], at: Point, by: number): number {
  const { at: reach, card } = ahead(obstacles, ends, at, 'y', at.y + by + Math.sign(by) * CLEAR)
  // Half of the free space between two cards.
  return card ? Math.sign(by) * Math.min(Math.abs(by), Math.max(1, Math.abs(reach - at.y) / 2)) : by
}
const bold = (begin: Point, goal: Point): Point[] => {
  const y = (begin.y + goal.y) / 2
  return [begin, { x: begin.x, y }, { x: goal.x, y }, goal]
}

interface Place extends Point {
  /** The axis on which it came here. */
  axis: Axis
  cost: number
  guess: number
  before: Place | null
  /** The cards it goes around, at whose corners it can turn. */
  beside: readonly Rect[]
}
/**
 * The cheapest route, from point to point: along each axis to the goal's coordinate, to the card in the way, or to the corner of a card
 * it goes around. Checks only cards in the way.
 */
function around(obstacles: Obstacles, ends: readonly Rect[], begin: Point, goal: Point): Point[] | null {
  const guessOf = ({ x, y }: Point): number => Math.abs(x - goal.x) + Math.abs(y - goal.y)
  const open = new Queue()
  const done = new Set<string>()
  open.add({ ...begin, axis: 'y', cost: 0, guess: guessOf(begin), before: null, beside: ends })
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const here = open.take()
    if (!here) return null
    const key = `${here.x} ${here.y} ${here.axis}`
    if (done.has(key)) {
      looks--
      continue
    }
    done.add(key)
    if (here.x === goal.x && here.y === goal.y) return backFrom(here)
    for (const axis of ['x', 'y'] as const) {
      const stops = new Set<number>([goal[axis]])
      for (const card of here.beside) {
        stops.add(card[axis] - CLEAR)
        stops.add(card[axis] + sizeOf(card, axis) + CLEAR)
      }
      for (const sign of [-1, 1]) {
        const wanted = [...stops].filter((stop) => (stop - here[axis]) * sign > 0)
        if (wanted.length === 0) continue
        const { at, card } = ahead(obstacles, ends, here, axis, sign > 0 ? Math.max(...wanted) : Math.min(...wanted))
        const beside = card ? [...here.beside.slice(-2), card] : here.beside
        for (const stop of new Set([...wanted.filter((each) => (at - each) * sign >= 0), at])) {
          if (stop === here[axis]) {
            // Already at a card: turn here, around that card.
            if (card && !here.beside.includes(card))
              open.add({ ...here, axis, beside, cost: here.cost + (axis === here.axis ? 0 : TURN) })
            continue
          }
          const place = { x: here.x, y: here.y, [axis]: stop }
          const cost = here.cost + Math.abs(stop - here[axis]) + (axis === here.axis ? 0 : TURN)
          open.add({ ...place, axis, cost, guess: cost + guessOf(place), before: here, beside })
        }
      }
    }
  }
  return null
}
function backFrom(place: Place): Point[] {
  const points: Point[] = []
  for (let at: Place | null = place; at; at = at.before) points.unshift({ x: at.x, y: at.y })
  return points
}

/** The cheapest first. */
class Queue {
  private readonly heap: Place[] = []
  add(place: Place): void {
    const { heap } = this
    let at = heap.push(place) - 1
    while (at > 0) {
      const up = (at - 1) >> 1
      if ((heap[up] as Place).guess <= place.guess) break
      heap[at] = heap[up] as Place
      at = up
    }
    heap[at] = place
  }
  take(): Place | undefined {
    const { heap } = this
    const first = heap[0]
    const last = heap.pop()
    if (heap.length === 0 || !last) return first
    let at = 0
    for (;;) {
      let down = at * 2 + 1
      if (down >= heap.length) break
      if (down + 1 < heap.length && (heap[down + 1] as Place).guess < (heap[down] as Place).guess) down++
      if ((heap[down] as Place).guess >= last.guess) break
      heap[at] = heap[down] as Place
      at = down
    }
    heap[at] = last
    return first
  }
}

/** Without points in the middle of a straight piece. */
function straightened(points: readonly Point[]): Point[] {
  const kept: Point[] = []
  for (const point of points) {
    const [before, last] = [kept.at(-2), kept.at(-1)]
    if (last && last.x === point.x && last.y === point.y) continue
    const onward =
      before &&
      last &&
      ((before.x === last.x && last.x === point.x && (last.y - before.y) * (point.y - last.y) > 0) ||
        (before.y === last.y && last.y === point.y && (last.x - before.x) * (point.x - last.x) > 0))
    if (onward) kept.pop()
    kept.push(point)
  }
  return kept
}

/** A drawn line, and the place of its button. */
export interface Route {
  path: string
  middle: Point
}

const ROUND = 10
/** As SVG, with rounded corners. */
export function pathThrough(points: readonly Point[]): string {
  const [first] = points
  if (!first) return ''
  let path = `M${first.x} ${first.y}`
  points.forEach((at, index) => {
    const [before, after] = [points[index - 1], points[index + 1]]
    if (!before) return
    if (!after) {
      path += `L${at.x} ${at.y}`
      return
    }
    const round = Math.min(ROUND, span(before, at) / 2, span(at, after) / 2)
    const [a, b] = [toward(at, before, round), toward(at, after, round)]
    path += `L${a.x} ${a.y}Q${at.x} ${at.y} ${b.x} ${b.y}`
  })
  return path
}
const span = (a: Point, b: Point): number => Math.abs(a.x - b.x) + Math.abs(a.y - b.y)
const toward = (from: Point, to: Point, by: number): Point => ({
  x: from.x + Math.sign(to.x - from.x) * by,
  y: from.y + Math.sign(to.y - from.y) * by,
})

/** The middle of the longest piece, where the button has most room. */
export function middleOf(points: readonly Point[]): Point {
  let longest = 0
  let middle = points[0] ?? { x: 0, y: 0 }
  points.forEach((at, index) => {
    const before = points[index - 1]
    if (!before || span(before, at) <= longest) return
    longest = span(before, at)
    middle = { x: (before.x + at.x) / 2, y: (before.y + at.y) / 2 }
  })
  return middle
}
