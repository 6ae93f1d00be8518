import { once } from 'node:events'
import net from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type InboundPort, listenInboundMail } from './inbound-mail.ts'

const DOMAIN = 'bounce.example'
let port: InboundPort
let stored: string[]
const listen = async (mailWithinMs?: number): Promise<void> => {
  stored = []
  port = await listenInboundMail({
    host: '127.0.0.1',
    port: 0,
    domain: DOMAIN,
    tls: null,
    keptBytes: 1_000,
    ...(mailWithinMs !== undefined && { mailWithinMs }),
    isKnown: () => true,
    async store(mail) {
      stored.push(mail.toString())
    },
    onError(error) {
      throw error
    },
  })
}
afterEach(() => port.close())

const call = (localAddress: string): net.Socket =>
  net.connect({ port: port.port, host: '127.0.0.1', localAddress }).setEncoding('utf8')
const greeting = async (socket: net.Socket): Promise<string> => String((await once(socket, 'data'))[0])

test('who keeps talking and brings no mail is hung up on', async () => {
  await listen(200)
  const socket = call('127.0.0.1')
  const closed = new Promise((resolve) => void socket.once('close', resolve))
  // Cut off in the middle of a sentence.
  socket.on('error', () => {})
  // To each answer, so it is never idle.
  socket.on('data', () => socket.write('NOOP\r\n'))
  await closed
  expect(socket.destroyed).toBe(true)
})

test('one remote that opens many connections takes no place of another', async () => {
  await listen()
  const many: net.Socket[] = []
  const said: string[] = []
  for (let i = 0; i < 25; i++) {
    const socket = call('127.0.0.2')
    many.push(socket)
    said.push((await greeting(socket)).slice(0, 3))
  }
  expect(said.filter((code) => code === '220')).toHaveLength(20)
  expect(said.slice(20)).toEqual(Array.from({ length: 5 }, () => '421'))
  const other = call('127.0.0.3')
  expect(await greeting(other)).toMatch(/^220 /)
  for (const socket of [...many, other]) socket.destroy()
})

test('mail after mail over one connection is taken', async () => {
  await listen()
  const socket = call('127.0.0.1')
  await greeting(socket)
  const say = async (line: string): Promise<string> => {
    socket.write(`${line}\r\n`)
    return String((await once(socket, 'data'))[0]).slice(0, 3)
  }
  expect(await say('EHLO mx.example')).toBe('250')
  for (const word of ['one', 'two']) {
    expect(await say('MAIL FROM:<>')).toBe('250')
    expect(await say(`RCPT TO:<b+x@${DOMAIN}>`)).toBe('250')
    expect(await say('DATA')).toBe('354')
    expect(await say(`${word}\r\n.`)).toBe('250')
  }
  expect(stored).toEqual(['one\r\n', 'two\r\n'])
  socket.destroy()
})
