import { isIP, type Socket } from 'node:net'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { stopwatch } from '../../kernel/clock.ts'
import { IntegrationError } from '../../kernel/errors.ts'
import { addressOfHost } from '../webhook/index.ts'
import { parseReply, type SmtpReply, type SmtpStage } from './reply.ts'

/** How sending one message ended. */
export type SmtpOutcome =
  | { kind: 'accepted'; reply: SmtpReply }
  /** Answered with a refusal: the server does not have the message. */
  | { kind: 'refused'; stage: SmtpStage; reply: SmtpReply }
  /** The connection broke before the body was handed over: the server cannot have the message. */
  | { kind: 'lost'; detail: string }
  /** The connection broke after the body and before the answer: the outcome is unknown. */
  | { kind: 'uncertain'; detail: string }
  /** `onHandOver` said no; nothing of the body left. */
  | { kind: 'withheld' }
  /** The server could not be spoken to at all: every message would meet the same. */
  | { kind: 'unreachable'; detail: string }
  /** The server takes no further connection of ours; so many others of this process are open. */
  | { kind: 'crowded'; detail: string; others: number }

export interface SmtpEnvelope {
  from: string
  to: readonly string[]
}

/** Where mail is handed over. */
export interface SmtpServer {
  host: string
  port: number
  /** `offered`: by STARTTLS where the server offers it. */
  encryption: 'tls' | 'starttls' | 'offered'
  /** Its certificate has to be good. */
  verifies: boolean
  user: { name: string; password: string } | null
  /** A member named it: never an address inside our own network. */
  publicOnly: boolean
}

/** `smtp://` or `smtps://`, with `?tls=unverified` for a certificate that cannot be verified. */
export function smtpServerOf(url: string): SmtpServer {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    encryption: secure ? 'tls' : 'offered',
    verifies: searchParams.get('tls') !== 'unverified',
    user: username ? { name: decodeURIComponent(username), password: decodeURIComponent(password) } : null,
    publicOnly: false,
  }
}

async function publicAddressOf(host: string): Promise<string> {
  try {
    return (await addressOfHost(host, false)).address
  } catch (error) {
    const detail = error instanceof IntegrationError ? error.detail : String(error)
    throw new SmtpConnectError(detail, null)
  }
}

/** One open connection to a mail server; sends one message at a time. */
export interface SmtpSession {
  /**
   * Sends a message. `body` is ready for the wire: CRLF line ends, dots stuffed, without the final dot. `onHandOver` is asked after
   * the server said it is ready for the body and before the first byte of it leaves: what must be remembered is remembered there.
   * When it throws, nothing of the body left.
   *
   * `upcoming` is asked right after: the envelope of the message that this connection sends next is announced behind the body, in the
   * same packet where the server allows it (RFC 2920), so that its answer is there when its body is. That message is then sent with the
   * same envelope object.
   */
  send(
    envelope: SmtpEnvelope,
    body: Buffer,
    onHandOver: () => boolean,
    upcoming?: () => SmtpEnvelope | null,
  ): Promise<SmtpOutcome>
  readonly usable: boolean
  /** Whether an envelope was announced ahead and its message has not been sent. */
  readonly expecting: boolean
  close(): void
}

/** The server could not be spoken to: unreachable, refused the greeting, the sign-in or the encryption. */
export class SmtpConnectError extends Error {
  override readonly name = 'SmtpConnectError'
  /** The server's answer, when there was one. */
  readonly reply: SmtpReply | null
  constructor(message: string, reply: SmtpReply | null) {
    super(message)
    this.reply = reply
  }
}

const CONNECT_TIMEOUT_MS = 20_000
/** With greeting, encryption and sign-in: nodemailer itself waits ten minutes for each answer there, and starts again at each byte. */
const OPEN_TIMEOUT_MS = 40_000
/** RFC 5321 §4.5.3.2 asks for minutes; a worker's batch waits for it, so rather this. */
const ANSWER_TIMEOUT_MS = 90_000
const TOO_LATE = 'the server did not answer in time'
/** One answer, however many lines it has: what is longer comes from no mail server. */
const LONGEST_ANSWER = 64 * 1024
const END_OF_DATA = Buffer.from('.\r\n')

/**
 * Opens a connection: nodemailer connects, encrypts (STARTTLS where offered) and signs in. The transfer itself is ours: nodemailer
 * sends a message in about 130 µs of processor time, this in about 20, and it must know exactly when a body is handed over.
 * Throws {@link SmtpConnectError}.
 */
export async function openSmtpSession(
  server: SmtpServer,
  heloName: string,
  { openMs = OPEN_TIMEOUT_MS, answerMs = ANSWER_TIMEOUT_MS }: { openMs?: number; answerMs?: number } = {},
): Promise<SmtpSession> {
  const { host, port, encryption, verifies, user } = server
  // The address that was checked is the one that is called.
  const address = server.publicOnly ? await publicAddressOf(host) : host
  const connection = new SMTPConnection({
    host: address,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    name: heloName,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    allowInternalNetworkInterfaces: true,
    tls: { rejectUnauthorized: verifies, ...(isIP(host) ? {} : { servername: host }) },
    logger: false,
  })
  await new Promise<void>((resolve, reject) => {
    const tooLate = setTimeout(() => fail(new Error(TOO_LATE)), openMs)
    const fail = (error: Error & { response?: string }): void => {
      clearTimeout(tooLate)
      connection.close()
      reject(new SmtpConnectError(error.message, error.response ? parseReply(error.response.split(/\r?\n/)) : null))
    }
    connection.once('error', fail)
    connection.connect(() => {
      const done = (): void => {
        clearTimeout(tooLate)
        connection.removeListener('error', fail)
        resolve()
      }
      if (!user) return done()
      const credentials = { user: user.name, pass: user.password }
      connection.login({ credentials } as Parameters<typeof connection.login>[0], (error?: Error | null) =>
        error ? fail(error) : done(),
      )
    })
  })
  const socket = connection._socket
  if (!socket) throw new SmtpConnectError('the connection closed at once', null)
  // From here nodemailer hears nothing more of this socket.
  for (const event of ['data', 'end', 'close', 'error', 'timeout']) socket.removeAllListeners(event)
  const session = createSession(socket, answerMs)
  try {
    await session.greet(heloName)
  } catch (error) {
    session.close()
    if (error instanceof SmtpConnectError) throw error
    throw new SmtpConnectError(error instanceof Error ? error.message : String(error), null)
  }
  return session
}

/** Commands and their answers, in order. */
interface Dialog {
  readonly usable: boolean
  /** The next answer that nothing else waits for. */
  answer(): Promise<SmtpReply>
  /** Sends a command; its answer. */
  command(text: string): Promise<SmtpReply>
  /** Breaks the connection: what waits for an answer gets the error. */
  drop(error: Error): void
  close(): void
}

type Waiting = { take: (reply: SmtpReply) => void; lose: (error: Error) => void }

function createDialog(socket: Socket, answerMs: number): Dialog {
  let usable = true
  let rest = ''
  let lines: string[] = []
  let heard = 0
  const waiting: Waiting[] = []
  /** Since the answer that is waited for could begin. */
  let elapsed = stopwatch()
  const drop = (error: Error): void => {
    usable = false
    socket.destroy()
    for (const one of waiting.splice(0)) one.lose(error)
  }
  socket.setTimeout(answerMs)
  socket.setNoDelay(true)
  socket.on('timeout', () => {
    if (waiting.length > 0) drop(new Error(TOO_LATE))
    else drop(new Error('idle'))
  })
  socket.on('error', (error) => drop(error))
  socket.on('close', () => drop(new Error('the server closed the connection')))
  socket.on('end', () => drop(new Error('the server closed the connection')))
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.length
    if (heard > LONGEST_ANSWER) return drop(new Error('the server answers without end'))
    const parts = (rest + chunk.toString('latin1')).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const line = part.endsWith('\r') ? part.slice(0, -1) : part
      lines.push(line)
      if (line.charAt(3) === '-') continue
      const reply = parseReply(lines)
      lines = []
      heard = rest.length
      elapsed = stopwatch()
      const next = waiting.shift()
      if (next) next.take(reply)
      // Unasked: RFC 5321 §3.8 lets a server say 421 at any time and leave.
      else drop(new Error(reply.text))
    }
    // Every byte starts the timeout again: a server that sends a little now and then would never be given up.
    if (waiting.length > 0 && elapsed() > answerMs) drop(new Error(TOO_LATE))
  })
  const answer = (): Promise<SmtpReply> => {
    if (waiting.length === 0) elapsed = stopwatch()
    return new Promise((take, lose) => waiting.push({ take, lose }))
  }
  return {
    get usable() {
      return usable
    },
    answer,
    command(text) {
      if (!usable) return Promise.reject(new Error('the connection is closed'))
      const promise = answer()
      socket.write(`${text}\r\n`)
      return promise
    },
    drop,
    close() {
      if (!usable) return
      usable = false
      socket.end('QUIT\r\n')
      socket.setTimeout(1000, () => socket.destroy())
    },
  }
}

function createSession(socket: Socket, answerMs: number): SmtpSession & { greet(name: string): Promise<void> } {
  const dialog = createDialog(socket, answerMs)
  const { answer, command } = dialog
  let pipelining = false
  let ahead: { envelope: SmtpEnvelope; refused: Promise<SmtpOutcome | null> } | null = null

  /** MAIL, RCPT… and DATA, in one write where the server allows it (RFC 2920). Returns what was refused, or null. */
  async function announce(envelope: SmtpEnvelope): Promise<SmtpOutcome | null> {
    const mail = `MAIL FROM:<${envelope.from}>`
    const recipients = envelope.to.map((address) => `RCPT TO:<${address}>`)
    let mailReply: SmtpReply
    let recipientReplies: SmtpReply[]
    let dataReply: SmtpReply | null = null
    if (pipelining) {
      const replies = Promise.allSettled([answer(), ...recipients.map(answer), answer()])
      socket.write(`${[mail, ...recipients, 'DATA'].join('\r\n')}\r\n`)
      const settled = await replies
      const all = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const lost = settled.find((one) => one.status === 'rejected')
      if (lost) {
        // A server may refuse and hang up at once (421): it said what it had to say.
        const last = all.at(-1)
        if (!last || last.code < 400) throw lost.reason
        return { kind: 'refused', stage: all.length === 1 ? 'sender' : 'recipient', reply: last }
      }
      mailReply = all[0] as SmtpReply
      recipientReplies = all.slice(1, -1)
      dataReply = all.at(-1) as SmtpReply
    } else {
      mailReply = await command(mail)
      recipientReplies = []
      if (mailReply.code < 400) for (const recipient of recipients) recipientReplies.push(await command(recipient))
    }
    const taken = recipientReplies.some((reply) => reply.code >= 200 && reply.code < 300)
    if (mailReply.code < 400 && taken && !dataReply) dataReply = await command('DATA')
    const ready = dataReply?.code === 354
    if (mailReply.code < 400 && taken && ready) return null
    // A server that accepted DATA without a recipient waits for a body. An empty one is refused, or reaches no one.
    if (ready) await command('.')
    // A server that hangs up with the refusal has nothing to add.
    else await command('RSET').catch(() => {})
    if (mailReply.code >= 400 || mailReply.code === 0) return { kind: 'refused', stage: 'sender', reply: mailReply }
    if (!taken) return { kind: 'refused', stage: 'recipient', reply: recipientReplies[0] ?? mailReply }
    return { kind: 'refused', stage: 'data', reply: dataReply ?? mailReply }
  }

  return {
    get usable() {
      return dialog.usable
    },
    get expecting() {
      return ahead !== null
    },
    async greet(name) {
      const reply = await command(`EHLO ${name}`)
      pipelining = /\bPIPELINING\b/i.test(reply.text)
      if (reply.code !== 250 && (await command(`HELO ${name}`)).code !== 250)
        throw new SmtpConnectError('the server refuses to be greeted', reply)
    },
    async send(envelope, body, onHandOver, upcoming) {
      let handedOver = false
      try {
        const announced = ahead?.envelope === envelope ? ahead.refused : announce(envelope)
        ahead = null
        const refused = await announced
        if (refused) return refused
        if (!onHandOver()) {
          // In the middle of DATA there is no polite way to take it back.
          dialog.drop(new Error('withheld'))
          return { kind: 'withheld' }
        }
        if (!dialog.usable) return { kind: 'lost', detail: 'the connection closed before the body was sent' }
        handedOver = true
        const promise = answer()
        socket.cork()
        socket.write(body)
        socket.write(END_OF_DATA)
        const following = pipelining ? upcoming?.() : null
        if (following) {
          const announcement = announce(following)
          // Asked for when its message is sent; until then a broken connection is no news.
          announcement.catch(() => {})
          ahead = { envelope: following, refused: announcement }
        }
        socket.uncork()
        const reply = await promise
        return reply.code >= 200 && reply.code < 300
          ? { kind: 'accepted', reply }
          : { kind: 'refused', stage: 'body', reply }
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error)
        return handedOver ? { kind: 'uncertain', detail } : { kind: 'lost', detail }
      }
    },
    close: dialog.close,
  }
}
