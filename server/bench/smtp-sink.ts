import { closeSync, openSync, writeSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { parseArgs } from 'node:util'

/**
 * What became of the answer to one message. `dropped`: never written (`dropEvery`). `pending`: not written yet (`delayMs`).
 * `written`: handed to the kernel, nothing heard since. `taken`: the client has read it, for it went on to the body of its
 * next message, which waits for a 354 behind this answer, or said QUIT and closed in good order. `cut-off`: the connection
 * ended otherwise, so the client may or may not have read it; TCP does not tell more than that.
 */
export type AnswerState = 'dropped' | 'pending' | 'written' | 'taken' | 'cut-off'

export interface SunkMessage {
  recipient: string
  messageId: string
  /** The value of `X-Okaeri-Delivery`, empty where the header is absent. */
  delivery: string
  answer: AnswerState
}

export interface SinkOptions {
  /** 0 takes any free port. */
  port: number
  host?: string
  /** `ledger` (default) keeps who got what; `count` only counts, for runs larger than memory. */
  mode?: 'ledger' | 'count'
  /** Counts every Nth message as received, then closes the connection without answering it. */
  dropEvery?: number
  /** Holds every final answer back for so long. */
  delayMs?: number
  /** Appends `time recipient message-id answered|dropped` for every message and recipient. */
  logFile?: string
  /** Serves the counts as JSON: GET `/`, GET `/messages`, DELETE `/` starts over. 0 takes any free port. */
  httpPort?: number
}

export interface SinkReport {
  /** Messages times recipients. */
  total: number
  recipients: number
  bytes: number
  answers: Record<AnswerState, number>
  /** Recipients who got more than one message. */
  duplicates: { recipient: string; count: number; deliveries: string[] }[]
}

export interface Sink {
  port: number
  /** Emits an event for each client that comes, for callers that wait for one. */
  server: Server
  httpPort: number | null
  report(): SinkReport
  messages(): readonly SunkMessage[]
  /** How many messages each recipient got. */
  countByRecipient(): ReadonlyMap<string, number>
  reset(): void
  close(): Promise<void>
}

const endOfData = Buffer.from('\r\n.\r\n')
const endOfHead = Buffer.from('\r\n\r\n')
// A head that is longer loses its identifiers, never its count.
const headLimitBytes = 32 * 1024
const nothing = Buffer.alloc(0)

/**
 * The fastest SMTP receiver we can write: no line objects, no per-byte loops, bodies thrown away. It takes what a
 * well-behaved client sends (ESMTP with PIPELINING) and counts it; it validates nothing.
 */
export async function startSink(options: SinkOptions): Promise<Sink> {
  const { host = '127.0.0.1', mode = 'ledger', dropEvery = 0, delayMs = 0 } = options
  const log = options.logFile === undefined ? null : openSync(options.logFile, 'a')
  let logged: string[] = []
  let messages: SunkMessage[] = []
  let counts = new Map<string, number>()
  let received = 0
  let total = 0
  let bytes = 0
  const sockets = new Set<Socket>()

  function flushLog(): void {
    if (log === null || logged.length === 0) return
    const lines = logged.join('')
    logged = []
    writeSync(log, lines)
  }

  function note(recipient: string, messageId: string, dropped: boolean): void {
    if (log === null) return
    if (logged.length === 0) setImmediate(flushLog)
    const at = Math.round(performance.timeOrigin + performance.now())
    logged.push(`${at} ${recipient} ${messageId === '' ? '-' : messageId} ${dropped ? 'dropped' : 'answered'}\n`)
  }

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    let rest: Buffer = nothing
    let inData = false
    let head: Buffer[] | null = null
    let headBytes = 0
    let tail: Buffer = nothing
    let recipients: string[] = []
    let out = ''
    let held = 0
    let finished = false
    let quit = false
    // Answers of this connection the client has not yet shown to have read, in order.
    let open: SunkMessage[] = []
    let answersInOut: SunkMessage[] = []
    socket.on('error', () => undefined)
    socket.on('close', (hadError) => {
      sockets.delete(socket)
      settle(quit && !hadError ? 'taken' : 'cut-off')
    })
    socket.write('220 sink ESMTP\r\n')

    function settle(state: 'taken' | 'cut-off'): void {
      if (open.length === 0) return
      for (const message of open) if (message.answer === 'written' || state === 'cut-off') message.answer = state
      open = open.filter(({ answer }) => answer === 'pending')
    }

    function write(): void {
      if (out === '') return
      const text = out
      const answered = answersInOut
      out = ''
      answersInOut = []
      if (delayMs === 0 || (answered.length === 0 && held === 0)) return send(text, answered)
      // What follows a held answer waits behind it: timers of one length fire in order.
      held++
      setTimeout(() => {
        held--
        send(text, answered)
      }, delayMs)
    }

    function send(text: string, answered: SunkMessage[]): void {
      if (!socket.writable) return
      socket.write(text, 'latin1')
      for (const message of answered) message.answer = 'written'
    }

    function finishMessage(): void {
      inData = false
      received++
      const dropped = dropEvery > 0 && received % dropEvery === 0
      const text = head === null ? '' : Buffer.concat(head).toString('latin1')
      head = null
      const messageId = headerOf(text, messageIdPattern)
      total += recipients.length
      if (mode === 'ledger') {
        const delivery = headerOf(text, deliveryPattern)
        for (const recipient of recipients) {
          const message: SunkMessage = { recipient, messageId, delivery, answer: dropped ? 'dropped' : 'pending' }
          messages.push(message)
          counts.set(recipient, (counts.get(recipient) ?? 0) + 1)
          if (!dropped) {
            open.push(message)
            answersInOut.push(message)
          }
        }
      }
      if (log !== null) for (const recipient of recipients) note(recipient, messageId, dropped)
      recipients = []
      if (!dropped) {
        out += '250 OK\r\n'
        return
      }
      // FIN and no reset, which could swallow the answers before it: what the client still sends is read and ignored.
      finished = true
      write()
      if (held === 0) socket.end()
      else setTimeout(() => socket.end(), delayMs)
    }

    /** One line of commands, without its line end. */
    function command(line: string): void {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'RCPT') {
        const from = line.indexOf('<')
        const to = line.lastIndexOf('>')
        recipients.push(
          Buffer.from(line.slice(from + 1, to === -1 ? undefined : to), 'latin1')
            .toString()
            .toLowerCase(),
        )
        out += '250 OK\r\n'
      } else if (verb === 'MAIL') {
        recipients = []
        out += '250 OK\r\n'
      } else if (verb === 'DATA') {
        inData = true
        head = []
        headBytes = 0
        // The line end of DATA itself counts as the one before a lone dot.
        tail = Buffer.from('\r\n')
        out += '354 go\r\n'
      } else if (verb === 'EHLO') {
        out += '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 52428800\r\n'
      } else if (verb === 'QUIT') {
        finished = true
        quit = true
        out += '221 bye\r\n'
        write()
        if (held === 0) socket.end()
        else setTimeout(() => socket.end(), delayMs)
      } else {
        if (verb === 'RSET') recipients = []
        out += '250 OK\r\n'
      }
    }

    /** Takes body from `chunk` at `at`; returns where the commands after it start, or -1 when the body goes on. */
    function body(chunk: Buffer, at: number): number {
      settle('taken')
      // The end may straddle two chunks: four bytes of the last one decide with four of this one.
      const seam = Buffer.concat([tail, chunk.subarray(at, at + 4)])
      const inSeam = seam.indexOf(endOfData)
      const inChunk = inSeam === -1 ? chunk.indexOf(endOfData, at) : -1
      const found = inSeam !== -1 || inChunk !== -1
      // Where the end begins: before the chunk, at -1 even, where its first bytes came with the last one.
      const end = inSeam === -1 ? inChunk : at + inSeam - tail.length
      const stop = found ? Math.max(at, end + 2) : chunk.length
      if (head !== null && headBytes < headLimitBytes) {
        const part = chunk.subarray(at, stop)
        const headEnd = part.indexOf(endOfHead)
        // The chunk is not reused, so a view of it is safe until this message is counted.
        head.push(headEnd === -1 ? part.subarray(0, headLimitBytes) : part.subarray(0, headEnd + 2))
        headBytes = headEnd === -1 ? headBytes + part.length : headLimitBytes
      }
      if (found) return end + endOfData.length
      const taken = chunk.subarray(at)
      tail = taken.length >= 4 ? taken.subarray(-4) : Buffer.concat([tail, taken]).subarray(-4)
      return -1
    }

    socket.on('data', (incoming: Buffer) => {
      bytes += incoming.length
      if (finished) return
      const chunk = rest.length === 0 ? incoming : Buffer.concat([rest, incoming])
      rest = nothing
      let at = 0
      while (at < chunk.length) {
        if (inData) {
          const next = body(chunk, at)
          if (next === -1) break
          at = next
          finishMessage()
        } else {
          const lineEnd = chunk.indexOf(10, at)
          if (lineEnd === -1) {
            rest = chunk.subarray(at)
            break
          }
          command(chunk.toString('latin1', at, chunk[lineEnd - 1] === 13 ? lineEnd - 1 : lineEnd))
          at = lineEnd + 1
        }
        if (finished) return
      }
      write()
    })
  })

  await listen(server, options.port, host)

  function report(): SinkReport {
    const answers: Record<AnswerState, number> = { dropped: 0, pending: 0, written: 0, taken: 0, 'cut-off': 0 }
    for (const { answer } of messages) answers[answer]++
    const twice = new Map<string, string[]>()
    for (const { recipient, delivery } of messages) {
      if ((counts.get(recipient) ?? 0) < 2) continue
      const deliveries = twice.get(recipient)
      if (deliveries === undefined) twice.set(recipient, [delivery])
      else deliveries.push(delivery)
    }
    const duplicates = [...twice].map(([recipient, deliveries]) => ({
      recipient,
      count: deliveries.length,
      deliveries,
    }))
    return { total, recipients: counts.size, bytes, answers, duplicates }
  }

  function reset(): void {
    messages = []
    counts = new Map()
    received = 0
    total = 0
    bytes = 0
  }

  let http: HttpServer | null = null
  if (options.httpPort !== undefined) {
    http = createHttpServer((request, response) => {
      if (request.method === 'DELETE') reset()
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(request.url === '/messages' ? messages : report()))
    })
    // On a busy machine a client that asks again after seconds would find a kept connection closed at that moment.
    http.maxRequestsPerSocket = 1
    await listen(http, options.httpPort, host)
  }

  return {
    port: (server.address() as AddressInfo).port,
    server,
    httpPort: http === null ? null : (http.address() as AddressInfo).port,
    report,
    messages: () => messages,
    countByRecipient: () => counts,
    reset,
    async close() {
      for (const socket of sockets) socket.destroy()
      const closing = [server, http].filter((one) => one !== null)
      http?.closeAllConnections()
      await Promise.all(closing.map((one) => new Promise((resolve) => one.close(resolve))))
      flushLog()
      if (log !== null) closeSync(log)
    },
  }
}

const messageIdPattern = /(?:^|\r\n)message-id:[ \t]*(?:\r\n[ \t]+)?([^\r\n]*)/i
const deliveryPattern = /(?:^|\r\n)x-okaeri-delivery:[ \t]*(?:\r\n[ \t]+)?([^\r\n]*)/i

function headerOf(head: string, pattern: RegExp): string {
  const value = pattern.exec(head)?.[1]?.trim() ?? ''
  // A copy: the match is a view that would keep the whole head of every message in memory.
  return Buffer.from(value, 'latin1').toString()
}

function listen(server: HttpServer | ReturnType<typeof createServer>, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 1024 }, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '2525' },
      'http-port': { type: 'string' },
      mode: { type: 'string', default: 'ledger' },
      'drop-every': { type: 'string', default: '0' },
      'delay-ms': { type: 'string', default: '0' },
      log: { type: 'string' },
    },
  })
  const sink = await startSink({
    port: Number(values.port),
    mode: values.mode === 'count' ? 'count' : 'ledger',
    dropEvery: Number(values['drop-every']),
    delayMs: Number(values['delay-ms']),
    ...(values.log === undefined ? {} : { logFile: values.log }),
    ...(values['http-port'] === undefined ? {} : { httpPort: Number(values['http-port']) }),
  })
  const ready = { ready: true, port: sink.port, httpPort: sink.httpPort }
  if (process.send === undefined) process.stdout.write(`${JSON.stringify(ready)}\n`)
  else process.send(ready)
  const stop = () => void sink.close().then(() => process.exit(0))
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('disconnect', stop)
}
