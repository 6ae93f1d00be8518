import fs from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { StartupError } from '../../kernel/errors.ts'
import { originOf } from '../../kernel/rate-limits.ts'

/** What is wanted of a port that takes mail for one domain. */
export interface InboundMail {
  host: string
  /** 0: any free one. */
  port: number
  /** Mail for other domains is refused. */
  domain: string
  /** STARTTLS is offered with this certificate; null: it is not. */
  tls: TlsFiles | null
  /** Only the beginning of each mail is kept; the rest is read and dropped. */
  keptBytes: number
  /** A connection that has brought no mail for so long is closed, however much it says. */
  mailWithinMs?: number
  /** Whether there is such a recipient; asks no database. */
  isKnown(localPart: string): boolean
  /** Stores it; `recipients` are local parts. Throws where it could not be stored: then the sender is asked to try again. */
  store(mail: Buffer, recipients: readonly string[]): Promise<void>
  /** Could not be stored, or the port failed. */
  onError(error: unknown): void
}

/** PEM: the certificate with those that sign it, and its key. */
export interface TlsFiles {
  certFile: string
  keyFile: string
}
/** Throws where they cannot be read, or do not belong together. */
export function readTlsFiles({ certFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer } {
  const read = { cert: fs.readFileSync(certFile), key: fs.readFileSync(keyFile) }
  createSecureContext(read)
  return read
}
/** Certificates are renewed while the program runs. */
const TLS_READ_MS = 3_600_000

export interface InboundPort {
  port: number
  close(): Promise<void>
}

/** A report carries the whole mail that came back. */
const LARGEST_BYTES = 50 * 1024 * 1024
/** A mail under way takes 128 kB of memory at most. */
const MAX_CONNECTIONS = 300
/** Large providers return mails over a few dozen at once. */
const MAX_CONNECTIONS_OF_ONE = 20
/** A million a night is 35 a second. */
const MAILS_A_MINUTE_OF_ONE = 6_000
/** A mail of ours has one return path. */
const MAX_RECIPIENTS = 10
/** A client that guesses addresses gets no more answers. */
const MAX_UNKNOWN = 5
const IDLE_MS = 60_000
/** Who sends a byte a second is never idle, and would keep a place for ever. The largest mail, over a slow line, takes minutes. */
const MAIL_WITHIN_MS = 10 * 60_000
const MINUTE_MS = 60_000

/**
 * Takes mail over SMTP (RFC 5321) and says 250 once it is stored. Without sign-in: it takes what mail servers of the world return, for addresses
 * that cannot be guessed. With a certificate it offers STARTTLS (RFC 3207), which is optional. Throws {@link StartupError} when the port is taken.
 */
export async function listenInboundMail(wanted: InboundMail): Promise<InboundPort> {
  const { domain, keptBytes, mailWithinMs = MAIL_WITHIN_MS } = wanted
  const deadlines = new Map<string, NodeJS.Timeout>()
  const open = new Map<string, number>()
  const unknown = new WeakMap<SMTPServerSession, number>()
  const counted = new Map<string, number>()
  const minutes = setInterval(() => counted.clear(), MINUTE_MS)
  minutes.unref()

  const { SMTPServer } = await import('smtp-server')
  const smtp = new SMTPServer({
    name: domain,
    banner: 'Okaeri',
    authOptional: true,
    disabledCommands: wanted.tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...(wanted.tls && readTlsFiles(wanted.tls)),
    disableReverseLookup: true,
    logger: false,
    size: LARGEST_BYTES,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: IDLE_MS,
    closeTimeout: 2_000,
    onConnect({ remoteAddress }, callback) {
      if ((open.get(originOf({ ip: remoteAddress })) ?? 0) > MAX_CONNECTIONS_OF_ONE)
        return callback(refusal(421, '4.7.0 Too many connections, try again later'))
      callback()
    },
    onMailFrom(_, { remoteAddress }, callback) {
      const origin = originOf({ ip: remoteAddress })
      const mails = (counted.get(origin) ?? 0) + 1
      counted.set(origin, mails)
      if (mails > MAILS_A_MINUTE_OF_ONE) return callback(refusal(421, '4.7.0 Too many messages, try again later'))
      callback()
    },
    onRcptTo({ address }, session, callback) {
      const localPart = localPartIn(address, domain)
      if (localPart === null || !wanted.isKnown(localPart)) {
        const times = (unknown.get(session) ?? 0) + 1
        unknown.set(session, times)
        if (times > MAX_UNKNOWN) return callback(refusal(421, '4.7.0 Too many unknown recipients'))
        return callback(refusal(550, '5.1.1 No such address'))
      }
      if (session.envelope.rcptTo.length >= MAX_RECIPIENTS) return callback(refusal(452, '4.5.3 Too many recipients'))
      callback()
    },
    onData(stream, session, callback) {
      receive(stream, session).then(
        () => callback(),
        (error: unknown) =>
          callback(error instanceof Refusal ? error : refusal(451, '4.3.0 Not stored, try again later')),
      )
    },
  })

  async function receive(
    stream: SMTPServerDataStream,
    { envelope, remoteAddress, remotePort }: SMTPServerSession,
  ): Promise<void> {
    const mail = await readBeginning(stream, keptBytes)
    if (stream.sizeExceeded) throw refusal(552, '5.3.4 Message too big')
    const recipients = envelope.rcptTo.flatMap(({ address }) => localPartIn(address, domain) ?? [])
    await wanted.store(mail, recipients).catch((error: unknown) => {
      wanted.onError(error)
      throw error
    })
    deadlines.get(placeOf(remoteAddress, remotePort))?.refresh()
  }

  const renewals = wanted.tls && readAgain(wanted.tls, smtp, wanted.onError)

  smtp.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const origin = originOf({ ip: address })
    open.set(origin, (open.get(origin) ?? 0) + 1)
    const place = placeOf(address, socket.remotePort)
    deadlines.set(place, setTimeout(() => socket.destroy(), mailWithinMs).unref())
    socket.once('close', () => {
      clearTimeout(deadlines.get(place))
      deadlines.delete(place)
      const left = (open.get(origin) ?? 1) - 1
      if (left > 0) open.set(origin, left)
      else open.delete(origin)
    })
  })
  // Clients that vanish in the middle of a sentence are no error of ours.
  smtp.on('error', (error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) wanted.onError(error)
  })
  await new Promise<void>((resolve, reject) => {
    smtp.server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new StartupError(
              `Port ${wanted.port} is in use by another program; stop it or set BOUNCE_SMTP_PORT to another number.`,
            )
          : new StartupError(
              `Cannot take mail on ${wanted.host}:${wanted.port} (${error.code ?? error.message}); set BOUNCE_SMTP_PORT to another number.`,
            ),
      ),
    )
    smtp.server.listen(wanted.port, wanted.host, resolve)
  })
  return {
    port: (smtp.server.address() as AddressInfo).port,
    async close() {
      clearInterval(minutes)
      if (renewals) clearInterval(renewals)
      await new Promise<void>((resolve) => {
        smtp.close(() => resolve())
      })
    },
  }
}

function readAgain(tls: TlsFiles, smtp: SMTPServer, onError: (error: unknown) => void): NodeJS.Timeout {
  return setInterval(() => {
    try {
      smtp.updateSecureContext(readTlsFiles(tls))
    } catch (error) {
      // The one before may still be good.
      onError(error)
    }
  }, TLS_READ_MS).unref()
}

/** An address of IPv4 over IPv6 is written in two ways. */
const placeOf = (ip: string, port: number | undefined): string => `${ip.replace(/^::ffff:/i, '')} ${port}`

/** What the other side is answered. */
class Refusal extends Error {
  readonly responseCode: number
  constructor(responseCode: number, text: string) {
    super(text)
    this.responseCode = responseCode
  }
}
const refusal = (code: number, text: string): Refusal => new Refusal(code, text)

function localPartIn(address: string, domain: string): string | null {
  const at = address.lastIndexOf('@')
  return address.slice(at + 1).toLowerCase() === domain ? address.slice(0, at) : null
}

/** All of it is read, or the other side would never hear an answer. */
async function readBeginning(stream: SMTPServerDataStream, keptBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let kept = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (kept >= keptBytes) continue
    const part = chunk.subarray(0, keptBytes - kept)
    chunks.push(part)
    kept += part.length
  }
  return Buffer.concat(chunks)
}
