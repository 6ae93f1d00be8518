import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createMenuSink } from './line-menu-sink.ts'

// A stand-in of the LINE platform for measurements and kills: it counts per person, and honours retry keys as the platform does. Node's own
// server, so that it costs little beside what is measured.

interface LineSinkOptions {
  /** Every nth send is taken, and its connection cut without an answer; 0 never. */
  dropEvery: number
  /** Every nth send is refused with 500; 0 never. */
  failEvery: number
  /** Until it answers. Every other send is taken only then. */
  delayMs: number
}

export interface LineSinkReport {
  /** How often each person got it. */
  receipts: Record<string, number>
  /** Messages that were taken, one for each person. */
  taken: number
  /** Keys that came again with other people or another content. */
  changedKeys: number
}

interface Send {
  /** As it came the first time. */
  body: string
  people: string[]
  /** The call that was taken. */
  accepted: string | null
}

async function startLineSink({ dropEvery, failEvery, delayMs }: LineSinkOptions) {
  const receipts = new Map<string, number>()
  const sends = new Map<string, Send>()
  const menus = createMenuSink()
  let [taken, changedKeys, calls] = [0, 0, 0]

  /** The status and, for what was taken before, the call that was; null where nothing is answered. */
  function judge(send: Send, call: number): { status: number; before?: string } | null {
    if (send.accepted !== null) return { status: 409, before: send.accepted }
    if (failEvery > 0 && call % failEvery === 0) return { status: 500 }
    send.accepted = String(call)
    taken += send.people.length
    for (const one of send.people) receipts.set(one, (receipts.get(one) ?? 0) + 1)
    return dropEvery > 0 && call % dropEvery === 0 ? null : { status: 200 }
  }
  function sendOf(key: string, body: string): Send {
    const known = sends.get(key)
    if (known) {
      if (known.body !== body) changedKeys += 1
      return known
    }
    const { to } = JSON.parse(body) as { to: string | string[] }
    const send = { body, people: typeof to === 'string' ? [to] : to, accepted: null }
    sends.set(key, send)
    return send
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request)
    const ofMenus = menus.answer(request.method ?? '', request.url ?? '', body)
    if (ofMenus) {
      response.writeHead(ofMenus.status, { 'content-type': 'application/json' }).end(JSON.stringify(ofMenus.body))
      return
    }
    const send = sendOf(String(request.headers['x-line-retry-key']), body)
    const call = (calls += 1)
    const isLate = delayMs > 0 && call % 2 === 0
    if (isLate) await sleep(delayMs)
    const judged = judge(send, call)
    if (delayMs > 0 && !isLate) await sleep(delayMs)
    if (!judged) return void request.socket.destroy()
    const { status, before } = judged
    response
      .writeHead(status, {
        'content-type': 'application/json',
        'x-line-request-id': String(call),
        ...(before !== undefined && { 'x-line-accepted-request-id': before }),
      })
      .end(status === 200 ? '{}' : '{"message":"not taken"}')
  }

  const server = createServer((request, response) => {
    if (request.url === '/receipts') {
      const report: LineSinkReport = { receipts: Object.fromEntries(receipts), taken, changedKeys }
      response.end(JSON.stringify(report))
      return
    }
    if (request.url === '/menus') {
      response.end(JSON.stringify(menus.report()))
      return
    }
    // A worker that was killed leaves half a body.
    answer(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve))
  return (server.address() as AddressInfo).port
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const part of request) text += part as string
  return text
}

const { values } = parseArgs({
  options: {
    'drop-every': { type: 'string', default: '0' },
    'fail-every': { type: 'string', default: '0' },
    'delay-ms': { type: 'string', default: '0' },
  },
})
const port = await startLineSink({
  dropEvery: Number(values['drop-every']),
  failEvery: Number(values['fail-every']),
  delayMs: Number(values['delay-ms']),
})
process.stdout.write(`${JSON.stringify({ port, httpPort: port })}\n`)
process.on('SIGTERM', () => process.exit(0))
