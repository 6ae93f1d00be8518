import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow/flow'
import { sql } from 'kysely'
import { insertScenario } from '../src/features/flows/queries.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { startBrowser, type Tab, type TraceEvent } from './browser.ts'
import { addBenchEmail, benchHtml, startInstallation } from './installation.ts'
import { buildPages, signUp } from './signed-in.ts'

// How smoothly a flow is edited in a browser that paints by the processor alone: one step dragged, twenty at once, the picture moved and
// zoomed, each beside a bare React Flow canvas of the same size with as many plain boxes (web/bench/bare).

/** For one movement in one frame. Work is time on the processor, so other load of the machine is not in it. */
export interface Movement {
  frameMedianMs: number
  frameP95Ms: number
  /** The page's main thread, from one frame to the next. */
  workMedianMs: number
  workP95Ms: number
  /** The most between two frames, taking hold and letting go with it. */
  workMostMs: number
  /** Of that work, on average: scripts, styles and layout, painting. */
  scriptMs: number
  styleMs: number
  paintMs: number
  /** Pixels drawn by other threads, on average. */
  rasterMs: number
}
export interface FlowEditorFigure {
  steps: number
  what: string
  editor: Movement
  bare: Movement
}

const ROWS = 20
/** As the editor arranges them. */
const STEP_X = 296
const STEP_Y = 190
const WINDOW = { width: 1400, height: 900 }
const MOVES = 120
const FRAME_MS = 1000 / 60
const VITE = path.join(import.meta.dirname, '../../node_modules/vite/bin/vite.js')
const WEB = path.join(import.meta.dirname, '../../web')

/** Columns of steps of all kinds below a row of branches, some with a second way across. */
export function benchFlow(steps: number, emailId: string): Flow {
  const idAt = (column: number, row: number): string | null => {
    const at = column * ROWS + row
    return row < ROWS && at < steps ? `n${at}` : null
  }
  const nodes = Array.from({ length: steps }, (_, at): FlowNode => {
    const [column, row] = [Math.floor(at / ROWS), at % ROWS]
    const common = { id: `n${at}`, name: '', position: { x: column * STEP_X, y: row * STEP_Y } }
    const below = idAt(column, row + 1)
    const next = { next: below }
    if (row === 0)
      return {
        ...common,
        kind: 'branch',
        settings: {
          condition: {
            type: 'condition',
            id: `c${at}`,
            category: 'consent',
            name: 'accepts_marketing',
            operator: 'is',
            value: true,
          },
        },
        next: { yes: below, no: idAt(column + 1, 0) },
      }
    switch (row % 5) {
      case 0:
        return {
          ...common,
          kind: 'wait_for_event',
          settings: { event: 'order_created', amount: 3, unit: 'days' },
          next: { happened: below, timed_out: idAt(column + 1, row + 1) ?? below },
        }
      case 1:
      case 3:
        return { ...common, kind: 'send_email', settings: { email_id: emailId, tracking_parameters: null }, next }
      case 2:
        return { ...common, kind: 'wait', settings: { wait: { mode: 'for', amount: 3, unit: 'days' } }, next }
      default:
        return { ...common, kind: 'add_note', settings: { text: '二度目のお知らせを受け取ったお客様' }, next }
    }
  })
  return {
    trigger: { kind: 'customer_created' },
    condition: null,
    reentry: { mode: 'once' },
    ends_on: [],
    start: 'n0',
    nodes,
  }
}

/** One line between two steps, also where two ways lead from the one to the other. */
function edgesOf(flow: Flow): { from: string; to: string }[] {
  const edges = flow.nodes.flatMap((node) =>
    Object.values(node.next).flatMap((to) =>
      to === null ? [] : [[`${node.id} ${to}`, { from: node.id, to }] as const],
    ),
  )
  return [...new Map(edges).values()]
}

/** A scenario of so many steps, each with figures of its own. */
async function addScenario(scope: MerchantScope, steps: number): Promise<{ id: string; flow: Flow }> {
  const id = newId()
  const flow = benchFlow(steps, await addBenchEmail(scope, benchHtml(4_000)))
  const settings = { include_all_customers: false, priority: 'normal', holdout_percent: 0 } as const
  await insertScenario(
    scope,
    { id, name: `${steps}`, mode: 'flow', template: null, form: null, conditions: null, ...settings },
    flow,
  )
  const ids = flow.nodes.map((node) => node.id)
  await sql`insert into scenario_node_counts (merchant_id, scenario_id, node_id, entered, passed)
    select ${scope.merchantId}, ${id}, node_id, 123456 - at * 37, 123400 - at * 37
    from unnest(${ids}::text[]) with ordinality steps (node_id, at)`.execute(scope.db)
  await sql`insert into scenario_stats (merchant_id, scenario_id, node_id, sent, opened, clicked, revenue)
    select ${scope.merchantId}, ${id}, node_id, 98765 - at * 37, 32100, 4321, 1234500
    from unnest(${ids}::text[]) with ordinality steps (node_id, at)`.execute(scope.db)
  return { id, flow }
}

/** The bare canvas, built and served. */
async function serveBare(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'okaeri-bare-'))
  const build = [VITE, 'build', 'bench/bare', '--base', './', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
  await promisify(execFile)(process.execPath, build, { cwd: WEB })
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = path.join(folder, path.normalize(pathname === '/' ? '/index.html' : pathname))
    fs.readFile(file).then(
      (content) => response.setHeader('content-type', types[path.extname(file)] ?? 'text/plain').end(content),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await fs.rm(folder, { recursive: true })
    },
  }
}

interface Point {
  x: number
  y: number
}
interface Moving {
  move(at: number): Promise<void>
  end(): Promise<void>
}
interface Gesture {
  what: string
  /** Before it is watched. */
  prepare(picture: Picture): Promise<void>
  begin(picture: Picture): Promise<Moving>
}

/** A page with a canvas, and a mouse over it. */
interface Picture {
  tab: Tab
  /** In the middle of a box, where nothing else takes the mouse. */
  placeOf(id: string): Promise<Point>
  mouse(type: string, at: Point, more?: object): Promise<void>
  wheel(at: Point, by: { deltaX: number; deltaY: number; modifiers: number }): void
  key(type: 'keyDown' | 'keyUp', key: string): Promise<void>
  /** Two frames later. */
  drawn(): Promise<void>
}

const DRAWN = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))'
const CTRL = 2

function pictureIn(tab: Tab): Picture {
  return {
    tab,
    placeOf: (id) =>
      tab.evaluate<Point>(`(() => {
        const { left, top, width, height } = document.querySelector('.react-flow__node[data-id="${id}"]').getBoundingClientRect()
        return { x: left + width * 0.4, y: top + height * 0.25 }
      })()`),
    mouse: async (type, { x, y }, more = {}) => {
      await tab.send('Input.dispatchMouseEvent', { type, x, y, pointerType: 'mouse', ...more })
    },
    // The browser answers a wheel only when it was not turned for a while.
    wheel: ({ x, y }, by) =>
      void tab.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, pointerType: 'mouse', ...by }),
    key: async (type, key) => {
      await tab.send('Input.dispatchKeyEvent', { type, key, code: `${key}Left`, windowsVirtualKeyCode: 17 })
    },
    drawn: async () => {
      await tab.evaluate(DRAWN)
    },
  }
}

const press = { button: 'left', clickCount: 1 }
/** Round and round within a hundred pixels. */
const around = ({ x, y }: Point, at: number): Point => ({
  x: x + 60 * Math.sin(at / 12) + at / 4,
  y: y + 50 * Math.sin(at / 9),
})

async function click(picture: Picture, at: Point): Promise<void> {
  await picture.mouse('mousePressed', at, press)
  await picture.mouse('mouseReleased', at, press)
}
async function dragFrom(picture: Picture, id: string): Promise<Moving> {
  const from = await picture.placeOf(id)
  await picture.mouse('mouseMoved', from)
  await picture.mouse('mousePressed', from, press)
  let last = from
  return {
    move: (at) => {
      last = around(from, at)
      return picture.mouse('mouseMoved', last, { button: 'left', buttons: 1 })
    },
    end: () => picture.mouse('mouseReleased', last, press),
  }
}

const zoomOf = (tab: Tab): Promise<number> =>
  tab.evaluate(`new DOMMatrix(getComputedStyle(document.querySelector('.react-flow__viewport')).transform).a`)

/** Zooms with the wheel over a box until it is shown in its own size. */
async function comeClose(picture: Picture, id: string): Promise<void> {
  for (let zoom = await zoomOf(picture.tab); zoom < 0.95; zoom = await zoomOf(picture.tab)) {
    const at = await picture.placeOf(id)
    picture.wheel(at, { deltaX: 0, deltaY: -40, modifiers: CTRL })
    await picture.drawn()
  }
}
/** There and back, some pixels a frame. */
async function wheel(picture: Picture, id: string, by: { x: number; y: number; keys: number }): Promise<Moving> {
  const place = await picture.placeOf(id)
  return {
    move: async (at) => {
      const way = Math.floor(at / 30) % 2 === 0 ? 1 : -1
      picture.wheel(place, { deltaX: by.x * way, deltaY: by.y * way, modifiers: by.keys })
    },
    end: nothing,
  }
}
const nothing = async (): Promise<void> => undefined
const MOVED = { x: 6, y: 8, keys: 0 }
const ZOOMED = { x: 0, y: -4, keys: CTRL }

function gesturesOn(steps: number): Gesture[] {
  const middle = `n${Math.floor(steps / ROWS / 2) * ROWS + 10}`
  const twenty = Array.from({ length: 20 }, (_, at) => `n${Math.floor((at * steps) / 20) + 1}`)
  return [
    { what: 'all in sight, one dragged', prepare: nothing, begin: (picture) => dragFrom(picture, middle) },
    {
      what: 'all in sight, twenty dragged',
      prepare: async (picture) => {
        await picture.key('keyDown', 'Control')
        for (const id of twenty) await click(picture, await picture.placeOf(id))
        await picture.key('keyUp', 'Control')
      },
      // In the middle: near an edge, the picture moves along.
      begin: (picture) => dragFrom(picture, twenty[11] ?? middle),
    },
    { what: 'all in sight, moved by the wheel', prepare: nothing, begin: (picture) => wheel(picture, middle, MOVED) },
    { what: 'zoomed by the wheel', prepare: nothing, begin: (picture) => wheel(picture, middle, ZOOMED) },
    {
      what: 'in full size, one dragged',
      prepare: (picture) => comeClose(picture, middle),
      begin: (picture) => dragFrom(picture, middle),
    },
    { what: 'in full size, moved by the wheel', prepare: nothing, begin: (picture) => wheel(picture, middle, MOVED) },
  ]
}

const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing']

/** Makes the movement and watches the browser meanwhile. */
async function watch(picture: Picture, gesture: Gesture): Promise<Movement> {
  const { tab } = picture
  await gesture.prepare(picture)
  await picture.drawn()
  await picture.drawn()
  const mark = (name: string) => tab.evaluate(`void performance.mark('bench:${name}')`)
  const metrics = async (): Promise<Map<string, number>> => {
    const answer = await tab.send<{ metrics: { name: string; value: number }[] }>('Performance.getMetrics')
    return new Map(answer.metrics.map(({ name, value }) => [name, value]))
  }
  let before = new Map<string, number>()
  let after = new Map<string, number>()
  const events = await tab.traced(CATEGORIES, async () => {
    await mark('grab')
    const moving = await gesture.begin(picture)
    for (let at = 1; at <= 12; at += 1) {
      await moving.move(at)
      await picture.drawn()
    }
    before = await metrics()
    await tab.evaluate(`(() => {
      globalThis.benchFrames = []
      const frame = (at) => { globalThis.benchFrames?.push(at); if (globalThis.benchFrames) requestAnimationFrame(frame) }
      requestAnimationFrame(frame)
    })()`)
    await mark('begin')
    const start = performance.now()
    for (let at = 0; at < MOVES; at += 1) {
      await moving.move(13 + at)
      const rest = start + (at + 1) * FRAME_MS - performance.now()
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest))
    }
    await mark('end')
    after = await metrics()
    await moving.end()
    await picture.drawn()
    await picture.drawn()
    await mark('done')
  })
  const frames = await tab.evaluate<number[]>(
    `(() => { const frames = globalThis.benchFrames; globalThis.benchFrames = null; return frames })()`,
  )
  // What follows a movement (a check, a panel) is over before the next.
  await tab.evaluate(`new Promise((resolve) => setTimeout(resolve, 1500))`)
  const between = (name: string): number => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000
  const { drawn, ...work } = workIn(events)
  return {
    ...work,
    ...framesIn(frames),
    scriptMs: between('ScriptDuration') / drawn,
    styleMs: (between('RecalcStyleDuration') + between('LayoutDuration')) / drawn,
  }
}

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)
const percentile = (values: readonly number[], share: number): number =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

function framesIn(times: readonly number[]): Pick<Movement, 'frameMedianMs' | 'frameP95Ms'> {
  const intervals = times.slice(1).map((at, index) => at - (times[index] ?? at))
  return { frameMedianMs: percentile(intervals, 0.5), frameP95Ms: percentile(intervals, 0.95) }
}

const PAINTING = ['PrePaint', 'Paint', 'Layerize', 'Commit']

type Work = Pick<Movement, 'workMedianMs' | 'workP95Ms' | 'workMostMs' | 'paintMs' | 'rasterMs'>

function workIn(events: readonly TraceEvent[]): Work & { drawn: number } {
  const markAt = (name: string): TraceEvent => {
    const found = events.find((event) => event.name === `bench:${name}`)
    if (!found) throw new Error(`the trace has no mark ${name}`)
    return found
  }
  const { pid, tid } = markAt('begin')
  const main = events.filter((event) => event.pid === pid && event.tid === tid).toSorted((a, b) => a.ts - b.ts)
  const tasks = main.filter(({ name, ph }) => name === 'RunTask' && ph === 'X')
  const commits = main.filter(({ name }) => name === 'Commit').map(({ ts }) => ts)
  /** From one frame handed to the compositor to the next. */
  const workBetween = (from: number, until: number): number[] => {
    const frames: number[] = []
    let work = 0
    for (const { ts, dur = 0, tdur = dur } of tasks) {
      if (ts < from || ts >= until) continue
      work += tdur / 1000
      if (!commits.some((at) => at >= ts && at <= ts + dur)) continue
      frames.push(work)
      work = 0
    }
    return frames
  }
  const [grab, begin, end, done] = ['grab', 'begin', 'end', 'done'].map((name) => markAt(name).ts)
  const frames = workBetween(begin ?? 0, end ?? 0)
  const within = (event: TraceEvent): boolean => event.ts >= (begin ?? 0) && event.ts < (end ?? 0)
  const sum = (some: readonly TraceEvent[]): number =>
    some.reduce((total, { dur = 0, tdur = dur }) => total + tdur / 1000, 0)
  return {
    drawn: frames.length,
    workMedianMs: percentile(frames, 0.5),
    workP95Ms: percentile(frames, 0.95),
    workMostMs: Math.max(...workBetween(grab ?? 0, done ?? 0)),
    paintMs: sum(main.filter((event) => within(event) && PAINTING.includes(event.name))) / frames.length,
    rasterMs:
      sum(events.filter((event) => event.pid === pid && event.name === 'RasterTask' && within(event))) / frames.length,
  }
}

async function watchAll(tab: Tab, steps: number): Promise<Map<string, Movement>> {
  await tab.send('Performance.enable', { timeDomain: 'threadTicks' })
  const picture = pictureIn(tab)
  const movements = new Map<string, Movement>()
  for (const gesture of gesturesOn(steps)) movements.set(gesture.what, await watch(picture, gesture))
  return movements
}

const everyStep = (steps: number): string =>
  `document.querySelectorAll('.react-flow__node[data-id^="n"]').length === ${steps}`
const everyLine = (count: number): string => `document.querySelectorAll('.react-flow__edge').length >= ${count}`

/** Null, after saying so, where there is no browser. */
export async function runFlowEditorBench(sizes: readonly number[] = [50, 200]): Promise<FlowEditorFigure[] | null> {
  const browser = await startBrowser()
  if (browser === null) return null
  await buildPages()
  const okaeri = await startInstallation({ smtpUrl: 'smtp://127.0.0.1:9', env: { SIGN_UP: 'open' } })
  const bare = await serveBare()
  try {
    const { scope, cookies } = await signUp(okaeri)
    const figures: FlowEditorFigure[] = []
    for (const steps of sizes) {
      const { id, flow } = await addScenario(scope, steps)
      const edges = edgesOf(flow)
      const editor = await browser.open(WINDOW)
      for (const [name, value] of cookies) await editor.send('Network.setCookie', { name, value, url: okaeri.url })
      await editor.send('Page.navigate', { url: `${okaeri.url}/_app/actions/edit/${id}?mode=flow` })
      await editor.until(`${everyStep(steps)} && ${everyLine(edges.length)}`)
      // Names, problems and figures come after the first picture.
      await editor.evaluate(`new Promise((resolve) => setTimeout(resolve, 3000))`)
      const { width, height } = await editor.evaluate<{ width: number; height: number }>(
        `(() => { const { width, height } = document.querySelector('.react-flow').getBoundingClientRect(); return { width, height } })()`,
      )
      const ours = await watchAll(editor, steps)
      await editor.send('Page.close')

      const plain = await browser.open(WINDOW)
      const places = flow.nodes.map((node) => ({ id: node.id, ...node.position }))
      const query = new URLSearchParams({
        flow: JSON.stringify({ nodes: places, edges }),
        width: `${width}`,
        height: `${height}`,
      })
      await plain.send('Page.navigate', { url: `${bare.url}/#${query.toString()}` })
      await plain.until(`${everyStep(steps)} && ${everyLine(edges.length)}`)
      await plain.evaluate(`new Promise((resolve) => setTimeout(resolve, 1000))`)
      const theirs = await watchAll(plain, steps)
      await plain.send('Page.close')

      for (const [what, movement] of ours) {
        const baseline = theirs.get(what)
        if (baseline) figures.push({ steps, what, editor: movement, bare: baseline })
      }
    }
    return figures
  } finally {
    await bare.stop()
    await okaeri.stop()
    await browser.stop()
  }
}

if (import.meta.main) {
  const sizes = process.argv.slice(2).map(Number)
  const figures = await runFlowEditorBench(sizes.length > 0 ? sizes : undefined)
  for (const { steps, what, editor, bare } of figures ?? []) {
    console.log(`${steps} steps, ${what}`)
    const rounded = (of: Movement) =>
      Object.fromEntries(Object.entries(of).map(([name, value]) => [name, Math.round(Number(value) * 10) / 10]))
    console.table({ editor: rounded(editor), bare: rounded(bare) })
  }
  process.exit(0)
}
