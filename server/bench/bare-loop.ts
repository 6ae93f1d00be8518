import { type KeyObject, sign } from 'node:crypto'
import { connect } from 'node:net'
import { parseArgs } from 'node:util'

export interface BareLoopOptions {
  host: string
  port: number
  connections: number
  messages: number
  sizeBytes: number
  /** As a client without PIPELINING: each command leaves when the one before is answered. */
  waitsForEachAnswer?: boolean
  /** Each message has an RSA signature of its own before it, made in a thread of libuv's. */
  key?: KeyObject
}

/**
 * The named baseline of the sending bench: a bare loop that pipelines one prepared message. MAIL, RCPT and DATA go out
 * in one write right behind the body before them (RFC 2920 §3.1: DATA ends a group, the end of the body may start the
 * next one), the body follows the 354. One recipient a message, each another. Rejects on any unexpected answer.
 */
export async function runBareLoop(options: BareLoopOptions): Promise<{ messagesPerSecond: number }> {
  const { connections, messages } = options
  const body = prepareMessage(options.sizeBytes)
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: Math.min(connections, messages) }, () =>
      sendOverOne(options, body, () => (next < messages ? next++ : null)),
    ),
  )
  return { messagesPerSecond: messages / ((performance.now() - started) / 1000) }
}

/** What a DKIM signature covers besides the hash of the body, which is the same for all here. */
const SIGNED_BYTES = 700

type Command = 'greeting' | 'ehlo' | 'mail' | 'rcpt' | 'data' | 'body' | 'quit'

function sendOverOne(
  { host, port, waitsForEachAnswer = false, key }: BareLoopOptions,
  body: Buffer,
  takeNext: () => number | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    // The answers still to come, in order; the greeting first.
    const expected: Command[] = ['greeting']
    // A client that waits for each answer: what it sends next about this message.
    let later: [Command, string][] = []
    let rest = ''
    let done = false

    function commands(): string {
      const number = takeNext()
      if (number === null) {
        expected.push('quit')
        return 'QUIT\r\n'
      }
      const recipient = `RCPT TO:<bare-${number}@bench.test>\r\n`
      if (waitsForEachAnswer) {
        expected.push('mail')
        later = [
          ['rcpt', recipient],
          ['data', 'DATA\r\n'],
        ]
        return 'MAIL FROM:<bare@bench.test>\r\n'
      }
      expected.push('mail', 'rcpt', 'data')
      return `MAIL FROM:<bare@bench.test>\r\n${recipient}DATA\r\n`
    }

    function sendBody(parts: Buffer[]): void {
      socket.cork()
      for (const part of parts) socket.write(part)
      if (!waitsForEachAnswer) socket.write(commands(), 'latin1')
      socket.uncork()
    }

    function sendSigned(by: KeyObject): void {
      sign('sha256', body.subarray(0, SIGNED_BYTES), by, (error, signature) => {
        if (error) socket.destroy(error)
        else sendBody([Buffer.from(`DKIM-Signature: b=${signature.toString('base64')}\r\n`), body])
      })
    }

    function answer(line: string): void {
      if (line.charAt(3) === '-') return
      const asked = expected.shift()
      const wanted = asked === 'greeting' ? '220' : asked === 'data' ? '354' : asked === 'quit' ? '221' : '250'
      if (!line.startsWith(wanted)) {
        socket.destroy(new Error(`The sink answered "${line}" to ${asked}.`))
        return
      }
      if (asked === 'greeting') {
        expected.push('ehlo')
        socket.write('EHLO bench.test\r\n')
      } else if (asked === 'ehlo') {
        socket.write(commands())
      } else if (asked === 'data') {
        expected.push('body')
        if (key) sendSigned(key)
        else sendBody([body])
      } else if (waitsForEachAnswer && asked !== 'quit') {
        const [next, ...others] = later
        if (next === undefined) {
          socket.write(commands())
          return
        }
        later = others
        expected.push(next[0])
        socket.write(next[1])
      } else if (asked === 'quit') {
        done = true
        socket.end()
      }
    }

    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) answer(line)
    })
    socket.on('error', reject)
    socket.on('close', () => (done ? resolve() : reject(new Error('The sink closed the connection too early.'))))
  })
}

/** A mail of about `sizeBytes` with the end of data behind it; no line starts with a dot. */
function prepareMessage(sizeBytes: number): Buffer {
  const head =
    'From: "Bench" <bare@bench.test>\r\nTo: someone@bench.test\r\nSubject: bench\r\nMessage-ID: <bare@bench.test>\r\n' +
    'MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n'
  const line = `${'<p>A prepared line of one mail, the same for all.</p>'.padEnd(76, ' ')}\r\n`
  const lines = Math.max(1, Math.round((sizeBytes - head.length) / line.length))
  return Buffer.from(`${head}${line.repeat(lines)}.\r\n`)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '2525' },
      connections: { type: 'string', default: '20' },
      messages: { type: 'string', default: '100000' },
      'size-bytes': { type: 'string', default: '20000' },
    },
  })
  const { messagesPerSecond } = await runBareLoop({
    host: values.host,
    port: Number(values.port),
    connections: Number(values.connections),
    messages: Number(values.messages),
    sizeBytes: Number(values['size-bytes']),
  })
  process.stdout.write(`${Math.round(messagesPerSecond)} messages/s\n`)
}
