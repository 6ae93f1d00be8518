import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import * as packet from 'dns-packet'
import { plainName, recordTypes, type DnsRecord, type RecordType, type Zone } from './zone.ts'

export interface SandboxDns {
  /** The same for UDP and TCP. */
  port: number
  zone: Zone
  close(): Promise<void>
}

/** A resolver follows no longer chain. */
const longestChain = 16
const plainUdpBytes = 512
/** RFC 1035 §3.3: a text is made of pieces of so many bytes. */
const pieceBytes = 255
const triesForPort = 20
const defaultSlowMs = 5_000

const codes = { servfail: 2, nxdomain: 3, refused: 5 } as const

/**
 * Plays the resolver that Okaeri asks, over UDP and TCP (RFC 1035): it follows chains of CNAME, and says over UDP that an answer does not
 * fit. A name one of whose labels is `servfail`, `refused`, `silent`, `slow` or `garbage` misbehaves. Rejects when the port is taken.
 */
export async function listenDns({
  zone,
  port,
  slowMs = defaultSlowMs,
  log,
}: {
  zone: Zone
  port: number
  slowMs?: number | undefined
  log?: ((line: string) => void) | undefined
}): Promise<SandboxDns> {
  const timers = new Set<NodeJS.Timeout>()
  const open = new Set<Socket>()

  /** Answers the question by `send`, or not at all. */
  function respond(message: Buffer, udp: boolean, send: (answer: Buffer) => void): void {
    let query: packet.DecodedPacket
    try {
      query = packet.decode(message)
    } catch {
      // What is no question gets no answer, as at other servers.
      return
    }
    const question = query.questions?.[0]
    if (query.type !== 'query' || !question) return
    const labels = plainName(question.name).split('.')
    if (labels.includes('silent')) return
    if (labels.includes('garbage')) return send(Buffer.concat([message.subarray(0, 2), Buffer.alloc(20, 0xff)]))
    const answer = answerTo(zone, query, udp)
    if (!labels.includes('slow')) return send(answer)
    const timer = setTimeout(() => {
      timers.delete(timer)
      send(answer)
    }, slowMs)
    timers.add(timer)
  }

  const tcp = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    let heard: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      heard = Buffer.concat([heard, chunk as Buffer])
      while (heard.length >= 2 && heard.length >= heard.readUInt16BE(0) + 2) {
        const end = heard.readUInt16BE(0) + 2
        respond(heard.subarray(2, end), false, (answer) => {
          const size = Buffer.alloc(2)
          size.writeUInt16BE(answer.length)
          if (socket.writable) socket.write(Buffer.concat([size, answer]))
        })
        heard = heard.subarray(end)
      }
    })
  })

  async function listen(): Promise<UdpSocket> {
    for (let tries = 1; ; tries += 1) {
      tcp.listen(port, '127.0.0.1')
      await once(tcp, 'listening')
      const udp = createSocket('udp4')
      try {
        udp.bind((tcp.address() as AddressInfo).port, '127.0.0.1')
        await once(udp, 'listening')
        return udp
      } catch (error) {
        udp.close()
        tcp.close()
        await once(tcp, 'close')
        // A port that is free for one of them may be taken for the other.
        if (port !== 0 || tries === triesForPort) throw error
      }
    }
  }
  const udp = await listen()
  udp.on('message', (message, { port: to, address }) =>
    respond(message, true, (answer) => udp.send(answer, to, address)),
  )
  udp.on('error', (error) => log?.(`dns: ${error.message}`))

  return {
    port: udp.address().port,
    zone,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      for (const socket of open) socket.destroy()
      udp.close()
      tcp.close()
      await once(tcp, 'close')
    },
  }
}

function answerTo(zone: Zone, query: packet.DecodedPacket, udp: boolean): Buffer {
  const question = query.questions?.[0] as packet.Question
  const name = plainName(question.name)
  const labels = name.split('.')
  const type = recordTypes.find((known) => known === question.type)
  const failure = labels.includes('servfail') ? 'servfail' : labels.includes('refused') ? 'refused' : null
  const found: Found = failure
    ? { answers: [], code: failure }
    : type
      ? follow(zone, name, type)
      : nothingAt(zone, name)
  const whole = encode(query, found)
  const limit = udpLimit(query)
  return udp && whole.length > limit ? encode(query, { answers: [], code: null }, packet.TRUNCATED_RESPONSE) : whole
}

interface Found {
  answers: packet.Answer[]
  code: keyof typeof codes | null
}

const nothingAt = (zone: Zone, name: string): Found => ({ answers: [], code: zone.knows(name) ? null : 'nxdomain' })

function follow(zone: Zone, asked: string, type: RecordType): Found {
  const answers: packet.Answer[] = []
  let name = asked
  for (let links = 0; links < longestChain; links += 1) {
    const records = zone.find(name, type)
    answers.push(...records.map(answerOf))
    if (records.length > 0) return { answers, code: null }
    const [alias] = zone.find(name, 'CNAME')
    if (!alias) return { answers, code: nothingAt(zone, name).code }
    answers.push(answerOf(alias))
    name = plainName(alias.value)
  }
  // It leads in a circle.
  return { answers: [], code: 'servfail' }
}

function answerOf({ name, type, value }: DnsRecord): packet.Answer {
  const ttl = 60
  if (type === 'TXT') return { name, type, ttl, data: piecesOf(value) }
  if (type === 'MX') {
    const [preference = '0', exchange = '.'] = value.split(/\s+/)
    return { name, type, ttl, data: { preference: Number(preference), exchange } }
  }
  return { name, type, ttl, data: value }
}

function piecesOf(value: string): Buffer[] {
  const bytes = Buffer.from(value)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length || at === 0; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes))
  return pieces
}

/** What the client takes over UDP (EDNS, RFC 6891), else what everyone takes. */
function udpLimit(query: packet.DecodedPacket): number {
  const options = query.additionals?.find((one): one is packet.OptAnswer => one.type === 'OPT')
  return Math.max(plainUdpBytes, options?.udpPayloadSize ?? plainUdpBytes)
}

const encode = (query: packet.DecodedPacket, { answers, code }: Found, more = 0): Buffer =>
  packet.encode({
    type: 'response',
    id: query.id ?? 0,
    flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | more | (code === null ? 0 : codes[code]),
    questions: query.questions ?? [],
    answers,
  })
