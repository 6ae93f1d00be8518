import type { AddressInfo, Socket } from 'node:net'
import { once } from 'node:events'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { findReturn, sendBack } from './returns.ts'
import { answerBySwitch, findSentinel, type MailSwitches, type Sentinel } from './sentinels.ts'
import type { MailStore } from './store.ts'

export interface SandboxSmtp {
  port: number
  switches(): MailSwitches
  /** Sets the switches given, keeps the others, and opens or closes the port to match. */
  flip(next: Partial<MailSwitches>): Promise<MailSwitches>
  /** Waits until all mails that come back are back; returns whether there were any. */
  settle(): Promise<boolean>
  close(): Promise<void>
}

/** Spec of the sentinel `slow`: five seconds. Shorter in tests. */
const slowMs = 5_000
// Larger than anything a mailbox provider takes (Gmail: 25 MB).
const sizeLimitBytes = 50 * 1024 * 1024

interface SmtpOptions {
  store: MailStore
  port: number
  slowMs?: number
  /** The port that takes the mails that come back; none: they do not. */
  bounceSmtpPort?: number
  /** What time it is for those. */
  now?: () => Date
  log?: (line: string) => void
}

/** The receiving mail server of the outside world. Rejects when the port is taken (`EADDRINUSE`). */
export async function listenSmtp(options: SmtpOptions): Promise<SandboxSmtp> {
  const { store } = options
  const delayMs = options.slowMs ?? slowMs
  let switches = store.switches()
  const timers = new Set<NodeJS.Timeout>()

  function later(work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, delayMs)
    timers.add(timer)
  }

  const returns = createReturns(options)
  const smtp = new SMTPServer({
    name: 'sandbox.okaeri.test',
    banner: 'Okaeri sandbox',
    authOptional: true,
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN', 'CRAM-MD5'],
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username ?? 'anyone' }),
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: sizeLimitBytes,
    logger: false,
    onMailFrom: (_address, _session, callback) => callback(),
    onRcptTo({ address }, _session, callback) {
      const refusal = answerBySwitch(switches) ?? refusalOf(store, address)
      if (refusal !== null) return callback(answer(refusal.code, refusal.text))
      if (findSentinel(address)?.stage === 'recipient-delay') return later(() => callback())
      callback()
    },
    onData(stream, session, callback) {
      const act = actOf(session)
      if (act === 'cut') {
        stream.once('data', () => port.cut(session))
        return
      }
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (stream.sizeExceeded) return callback(answer(552, '5.3.4 Message too big'))
        if (act === 'spam') return callback(answer(554, '5.7.1 Message refused as spam'))
        if (act === 'drop-lost') return port.cut(session)
        const { mailFrom, rcptTo } = session.envelope
        const mail = {
          envelopeFrom: mailFrom === false ? '' : mailFrom.address,
          envelopeTo: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks),
        }
        store.add(mail).then(
          () => {
            for (const to of mail.envelopeTo) returns.comeBack(mail.envelopeFrom, to, mail.raw)
            if (act === 'drop') port.cut(session)
            else if (act === 'slow' || switches.slow) later(() => callback())
            else callback()
          },
          (error: unknown) => {
            options.log?.(`The mailbox could not store a message: ${String(error)}`)
            callback(answer(451, '4.3.0 Could not store the message'))
          },
        )
      })
    },
  })

  const port = createPort(smtp, options.port)
  // Clients that vanish in mid-sentence are what this server is for.
  smtp.on('error', (error: NodeJS.ErrnoException) => {
    // The promise of listen() reports a failure to listen.
    if (error.syscall !== 'listen') options.log?.(`SMTP: ${error.message}`)
  })

  let flipping: Promise<unknown> = Promise.resolve()
  async function apply(next: Partial<MailSwitches>): Promise<MailSwitches> {
    const wanted = { ...switches, ...next }
    if (wanted.refuse_connections && !switches.refuse_connections) await port.stop()
    if (!wanted.refuse_connections && switches.refuse_connections) await port.listen()
    store.writeSwitches(wanted)
    switches = wanted
    return switches
  }

  await port.listen()
  if (switches.refuse_connections) await port.stop()

  return {
    port: port.number(),
    switches: () => switches,
    flip(next) {
      // One after the other: two at once would both try to open the port.
      const flipped = flipping.then(() => apply(next))
      flipping = flipped.catch(() => undefined)
      return flipped
    },
    settle: returns.settle,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      if (smtp.server.listening) await port.stop()
    },
  }
}

function answer(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode })
}

/** Listens, stops, listens again on the same port; cuts connections. */
function createPort(smtp: SMTPServer, wanted: number) {
  // By the client's port: sentinels cut a connection below the protocol, where smtp-server would still say goodbye.
  const sockets = new Map<number, Socket>()
  let port = wanted
  smtp.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket
    if (remotePort === undefined) return
    sockets.set(remotePort, socket)
    socket.once('close', () => sockets.delete(remotePort))
  })
  return {
    number: (): number => port,
    cut: (session: SMTPServerSession): void => void sockets.get(session.remotePort)?.destroy(),
    async listen(): Promise<void> {
      smtp.server.listen(port, '127.0.0.1')
      await once(smtp.server, 'listening')
      port = (smtp.server.address() as AddressInfo).port
    },
    async stop(): Promise<void> {
      const stopped = once(smtp.server, 'close')
      smtp.server.close()
      for (const socket of sockets.values()) socket.destroy()
      await stopped
    },
  }
}

/** Mails that come back to their sender. */
function createReturns(options: SmtpOptions) {
  const comingBack = new Set<Promise<void>>()
  function comeBack(from: string, to: string, raw: Buffer): void {
    const how = findReturn(to)
    if (how === null || from === '' || options.bounceSmtpPort === undefined) return
    const at = options.now?.() ?? new Date()
    const sent: Promise<void> = sendBack({ from, to, raw, at }, how, options.bounceSmtpPort)
      .catch((error: unknown) => options.log?.(`A mail could not be returned to ${from}: ${String(error)}`))
      .finally(() => comingBack.delete(sent))
    comingBack.add(sent)
  }
  return {
    comeBack,
    async settle(): Promise<boolean> {
      const any = comingBack.size > 0
      await Promise.all(comingBack)
      return any
    },
  }
}

function refusalOf(store: MailStore, address: string): { code: number; text: string } | null {
  const sentinel = findSentinel(address)
  if (sentinel?.stage !== 'recipient') return null
  return sentinel.tries === 'always' || store.countTry(address) < sentinel.tries ? sentinel : null
}

function actOf(session: SMTPServerSession): (Sentinel & { stage: 'data' })['act'] | null {
  for (const { address } of session.envelope.rcptTo) {
    const sentinel = findSentinel(address)
    if (sentinel?.stage === 'data') return sentinel.act
  }
  return null
}
