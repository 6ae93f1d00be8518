import fs from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { StartupError } from '../../kernel/errors.ts'

/** What is wanted of a port that takes mail for one domain. */
export interface InboundMail {
  host: string
  /** 0: any free one. */
  port: number
  /** Mail for other domains is refused. */
  domain: string
  /** STARTTLS is offered with this certificate; null: it is not. */
  tls: TlsFiles | null
  /** Of each mail only its beginning is kept; the rest is read and dropped. */
  keptBytes: number
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
const MAX_CONNECTIONS = 100
/** Large providers return mails over a few dozen at once. */
const MAX_CONNECTIONS_OF_ONE = 20
/** A million a night is 35 a second. */
const MAILS_A_MINUTE_OF_ONE = 6_000
/** A mail of ours has one return path. */
const MAX_RECIPIENTS = 10
/** Who tries addresses is told no more. */
const MAX_UNKNOWN = 5
const IDLE_MS = 60_000
const MINUTE_MS = 60_000

/**
 * Takes mail over SMTP (RFC 5321) and says 250 once it is stored. Without sign-in: it takes what mail servers of the world return, for addresses
 * that cannot be guessed. With a certificate it offers STARTTLS (RFC 3207), which nobody has to use. Throws {@link StartupError} when the port is taken.
 */
export async function listenInboundMail(wanted: InboundMail): Promise<InboundPort> {
  const { domain, keptBytes } = wanted
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
      if ((open.get(remoteAddress) ?? 0) > MAX_CONNECTIONS_OF_ONE)
        return callback(refusal(421, '4.7.0 Too many connections, try again later'))
      callback()
    },
    onMailFrom(_, { remoteAddress }, callback) {
      const mails = (counted.get(remoteAddress) ?? 0) + 1
      counted.set(remoteAddress, mails)
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

  async function receive(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const mail = await readBeginning(stream, keptBytes)
    if (stream.sizeExceeded) throw refusal(552, '5.3.4 Message too big')
    const recipients = envelope.rcptTo.flatMap(({ address }) => localPartIn(address, domain) ?? [])
    await wanted.store(mail, recipients).catch((error: unknown) => {
      wanted.onError(error)
      throw error
    })
  }

  const { tls } = wanted
  const renewals =
    tls &&
    setInterval(() => {
      try {
        smtp.updateSecureContext(readTlsFiles(tls))
      } catch (error) {
        // The one before may still be good.
        wanted.onError(error)
      }
    }, TLS_READ_MS).unref()

  smtp.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    open.set(address, (open.get(address) ?? 0) + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
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
