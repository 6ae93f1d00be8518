import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { runBareLoop } from './bare-loop.ts'
import { startSink, type Sink, type SinkOptions } from './smtp-sink.ts'

let sink: Sink | null = null

afterEach(async () => {
  await sink?.close()
  sink = null
})

async function open(options: Partial<SinkOptions> = {}): Promise<Sink> {
  sink = await startSink({ port: 0, ...options })
  return sink
}

function message(name: string, body: string): string {
  return `MAIL FROM:<a@b.c>\r\nRCPT TO:<${name}@e.jp>\r\nDATA\r\nMessage-ID: <${name}@x>\r\nX-Okaeri-Delivery: d-${name}\r\n\r\n${body}\r\n.\r\n`
}

/** The sink's side of the next connection. */
const nextPeer = async ({ server }: Sink): Promise<Socket> => ((await once(server, 'connection')) as [Socket])[0]

/** When the sink knows that it is over, reset or not. */
const nextIsGone = (sink: Sink): Promise<void> =>
  nextPeer(sink).then((peer) => new Promise((resolve) => peer.once('close', () => resolve())))

/** Sends the text in the pieces given and reads until the sink closes. */
async function converse(port: number, pieces: Buffer[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  // Listened for from the start: on a busy machine the sink may have answered and closed before the last write is confirmed.
  const closed = once(socket, 'close')
  let heard = ''
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
  for (const piece of pieces) await new Promise((written) => socket.write(piece, written))
  await closed
  return heard
}

test('the end of a message is found wherever it is cut', async () => {
  const opened = await open()
  const text = Buffer.from(`EHLO x\r\n${message('one', 'x')}QUIT\r\n`)
  const end = text.indexOf('\r\n.\r\n')
  for (let cut = end - 1; cut <= end + 6; cut++) {
    opened.reset()
    const socket = connect(opened.port, '127.0.0.1').resume()
    const closed = once(socket, 'close')
    const peer = await nextPeer(opened)
    socket.write(text.subarray(0, cut))
    while (opened.report().bytes < cut) await once(peer, 'data')
    expect(opened.report().bytes).toBe(cut)
    socket.write(text.subarray(cut))
    await closed
    expect(opened.report().total).toBe(1)
  }
})

test('messages are counted alike however TCP cuts the stream', async () => {
  const opened = await open()
  const line = fc.constantFrom('x', '', '..', '..\r\n..', 'long '.repeat(50), '.. .', 'a\r\n\r\nb')
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 }),
      async (bodies, sizes) => {
        opened.reset()
        const text = Buffer.from(
          `EHLO x\r\n${bodies.map((body, index) => message(`r${index}`, body)).join('')}QUIT\r\n`,
        )
        const pieces: Buffer[] = []
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          pieces.push(text.subarray(at, at + size))
          at += size
        }
        const heard = await converse(opened.port, pieces)
        expect(heard).toMatch(/221 bye\r\n$/)
        expect(opened.messages().map(({ recipient, messageId, delivery }) => [recipient, messageId, delivery])).toEqual(
          bodies.map((_, index) => [`r${index}@e.jp`, `<r${index}@x>`, `d-r${index}`]),
        )
      },
    ),
    { numRuns: 30 },
  )
})

test('the bare loop delivers every message once, and every answer is taken', async () => {
  const opened = await open()
  const { messagesPerSecond } = await runBareLoop({
    host: '127.0.0.1',
    port: opened.port,
    connections: 4,
    messages: 500,
    sizeBytes: 20_000,
  })
  expect(messagesPerSecond).toBeGreaterThan(0)
  expect(opened.report()).toMatchObject({
    total: 500,
    recipients: 500,
    duplicates: [],
    answers: { dropped: 0, 'cut-off': 0 },
  })
})

test('every Nth message is kept and its connection closed without an answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sink-'))
  try {
    const logFile = join(folder, 'log')
    const opened = await open({ dropEvery: 2, logFile, httpPort: 0 })
    const gone = nextIsGone(opened)
    const heard = await converse(opened.port, [
      Buffer.from(`EHLO x\r\n${message('one', 'x')}${message('two', 'x')}${message('three', 'x')}QUIT\r\n`),
    ])
    await gone
    expect(heard.match(/^250 OK/gm)).toHaveLength(2 + 1 + 2)
    expect(opened.messages().map(({ recipient, answer }) => [recipient, answer])).toEqual([
      ['one@e.jp', 'cut-off'],
      ['two@e.jp', 'dropped'],
    ])
    const response = await fetch(`http://127.0.0.1:${opened.httpPort}/`)
    expect(await response.json()).toMatchObject({ total: 2, recipients: 2, answers: { dropped: 1, 'cut-off': 1 } })
    await opened.close()
    sink = null
    expect(readFileSync(logFile, 'utf8')).toMatch(/^\d+ one@e\.jp <one@x> answered\n\d+ two@e\.jp <two@x> dropped\n$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a client that dies after its message leaves the answer cut off, and a second message shows as a duplicate', async () => {
  const opened = await open()
  for (const round of [1, 2]) {
    const gone = nextIsGone(opened)
    const socket = connect(opened.port, '127.0.0.1')
    socket.write(`EHLO x\r\n${message('one', 'x')}`)
    let heard = ''
    while ((heard.match(/250 OK/g) ?? []).length < 3) heard += String((await once(socket, 'data'))[0])
    socket.resetAndDestroy()
    await gone
    expect(opened.countByRecipient().get('one@e.jp')).toBe(round)
  }
  expect(opened.report().answers['cut-off']).toBe(2)
  expect(opened.report().duplicates).toEqual([{ recipient: 'one@e.jp', count: 2, deliveries: ['d-one', 'd-one'] }])
})

test('answers can be held back and stay in order', async () => {
  const { port } = await open({ delayMs: 30 })
  const before = performance.now()
  const heard = await converse(port, [Buffer.from(`EHLO x\r\n${message('one', 'x')}`), Buffer.from('QUIT\r\n')])
  expect(performance.now() - before).toBeGreaterThanOrEqual(29)
  expect(heard).toMatch(/354 go\r\n250 OK\r\n221 bye\r\n$/)
})
