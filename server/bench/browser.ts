import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')
const FLAGS = [
  '--headless',
  '--no-sandbox',
  // Painted by the processor, as where no graphics card is: the harder case, and the same one everywhere.
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--remote-debugging-port=0',
]

/** A tab, spoken to in the browser's own protocol (chromedevtools.github.io/devtools-protocol). */
export interface Tab {
  send<Reply = object>(method: string, params?: object): Promise<Reply>
  /** What an expression of the page comes to, promises awaited; throws what it throws. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Returns when the expression is true. */
  until(expression: string, timeoutMs?: number): Promise<void>
  /** What the browser did while `work` went on, by every thread. */
  traced(categories: readonly string[], work: () => Promise<void>): Promise<TraceEvent[]>
}
/** One of the Trace Event Format: times in microseconds; `tdur` is time on the processor, where it is known. */
export interface TraceEvent {
  name: string
  cat: string
  ph: string
  ts: number
  dur?: number
  tdur?: number
  tid: number
  pid: number
  args: Record<string, unknown>
}
export interface Browser {
  version: string
  open(size: { width: number; height: number }): Promise<Tab>
  stop(): Promise<void>
}

interface Message {
  id?: number
  method?: string
  params?: { value?: TraceEvent[] }
  result?: unknown
  error?: { message: string }
}

/** A browser without a window and with a profile of its own; null, after a message, when no browser is installed. */
export async function startBrowser(): Promise<Browser | null> {
  const program = findBrowser()
  if (program === null) return null
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-browser-'))
  const child = spawn(program, [...FLAGS, `--user-data-dir=${profile}`], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the browser ended with ${code}: ${output.slice(-500)}`)))
    child.stderr.on('data', (part: Buffer) => {
      output += part.toString()
      const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    })
  })
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error('the browser does not answer')), { once: true })
  })
  let last = 0
  const waiting = new Map<number, (message: Message) => void>()
  const traced: TraceEvent[] = []
  let traceDone: (() => void) | null = null
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    if (message.method === 'Tracing.dataCollected') traced.push(...(message.params?.value ?? []))
    if (message.method === 'Tracing.tracingComplete') traceDone?.()
  })
  const send = <Reply>(method: string, params: object, sessionId?: string): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const id = (last += 1)
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id)
        if (error) reject(new Error(`${method}: ${error.message}`))
        else resolve(result as Reply)
      })
      socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }))
    })

  const { product } = await send<{ product: string }>('Browser.getVersion', {})
  return {
    version: product,
    async open({ width, height }) {
      const { targetId } = await send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
      const tab: Tab = {
        send: (method, params = {}) => send(method, params, sessionId),
        async evaluate<Value>(expression: string) {
          const { result, exceptionDetails: thrown } = await tab.send<{
            result: { value: Value }
            exceptionDetails?: { text: string; exception?: { description?: string } }
          }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
          if (thrown) throw new Error(`${thrown.text} ${thrown.exception?.description ?? ''}`)
          return result.value
        },
        async until(expression, timeoutMs = 60_000) {
          const there = await tab.evaluate<boolean>(`new Promise((resolve) => {
            const end = performance.now() + ${timeoutMs}
            const look = () => {
              const found = Boolean(${expression})
              if (found || performance.now() > end) resolve(found)
              else setTimeout(look, 50)
            }
            look()
          })`)
          if (!there) throw new Error(`not within ${timeoutMs} ms: ${expression}`)
        },
        async traced(categories, work) {
          traced.length = 0
          await send('Tracing.start', { traceConfig: { includedCategories: categories, excludedCategories: ['*'] } })
          await work()
          const done = new Promise<void>((resolve) => {
            traceDone = resolve
          })
          await send('Tracing.end', {})
          await done
          return traced.splice(0)
        },
      }
      await tab.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
      return tab
    },
    async stop() {
      socket.close()
      child.kill()
      await exited
      fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function findBrowser(): string | null {
  try {
    return execFileSync(process.execPath, ['scripts/ensure-browser.mjs'], { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    // It has said what is missing; the caller continues without.
    return null
  }
}
