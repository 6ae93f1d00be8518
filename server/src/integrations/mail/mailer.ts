import { randomUUID } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { DkimKey } from './dkim.ts'
import {
  openSmtpSession,
  SmtpConnectError,
  type SmtpOutcome,
  type SmtpServer,
  type SmtpSession,
  smtpServerOf,
} from './smtp-session.ts'

declare module '../../kernel/context.ts' {
  interface Integrations {
    mailers: Mailers
  }
}

/** The ways mail leaves (spec §6: global or domestic region). */
export interface Mailers {
  /** The domestic mailer where it is configured and asked for, else the global one. */
  forProvider(provider: string): Mailer
  /** A merchant's own account. `id` names just this server and sign-in: connections are kept by it. */
  own(id: string, account: { server: SmtpServer; connections: number }): Mailer
  /**
   * Signs in and hands over one mail, or none to see only whether the server lets us in. Throws {@link SmtpConnectError} where it does not.
   */
  tryOut(server: SmtpServer, mail: PlainMail | null): Promise<SmtpOutcome | null>
  close(): void
}

/** One mail server with its pool of connections. */
export interface Mailer {
  /** `global`, `domestic`, or one of a merchant's own account ({@link ownRoute}). */
  readonly name: string
  /** How many messages it sends at once. */
  readonly connections: number
  /** The installation's, for senders whose domain has none; null where the operator gave none. */
  readonly signingKey: DkimKey | null
  /** A place to send messages from, one after another. */
  acquireConnection(): MailerConnection
  close(): void
}

/** Holds on to one connection while it is good, and takes another when it is not. */
export interface MailerConnection {
  /**
   * A server that cannot be reached is `unreachable`, one that refuses to talk is `refused` at stage `connect`. See
   * {@link SmtpSession.send}.
   */
  send(...message: Parameters<SmtpSession['send']>): Promise<SmtpOutcome>
  /** Gives the connection back for others. */
  close(): void
}

/** A mail to one person of ours. `text`: with CRLF. */
export interface PlainMail {
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
}

/** Ready for the wire: no line of base64 begins with a dot. */
async function composed({ from, ...mail }: PlainMail): Promise<Buffer> {
  const composer = new MailComposer({
    ...mail,
    from,
    textEncoding: 'base64',
    encoding: 'base64',
    messageId: `<${randomUUID()}@${from.address.split('@')[1] ?? 'localhost'}>`,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const body = await composer.compile().build()
  return body.at(-1) === 0x0a ? body : Buffer.concat([body, Buffer.from('\r\n')])
}

export const ownRoute = (id: string): string => `own:${id}`

/** Of so many merchants' own accounts connections are kept; of the one that was longest not used they are closed. */
const MOST_OWN = 100

/** Connects to nothing yet. `connections`: of each mailer, at most; `heloName`: how we greet. */
export function createMailers(config: {
  smtpUrl: string
  smtpUrlDomestic: string | null
  connections: number
  heloName: string
  signingKey: DkimKey | null
}): Mailers {
  const of = (name: string, url: string): Mailer => createMailer(name, smtpServerOf(url), config)
  const global = of('global', config.smtpUrl)
  const domestic = config.smtpUrlDomestic ? of('domestic', config.smtpUrlDomestic) : null
  const owns = new Map<string, Mailer>()
  return {
    forProvider: (provider) => (provider === 'domestic' && domestic ? domestic : global),
    own(id, { server, connections }) {
      const known = owns.get(id)
      owns.delete(id)
      const own =
        known?.connections === connections
          ? known
          : createMailer(ownRoute(id), server, { connections, heloName: config.heloName, signingKey: null })
      if (known !== own) known?.close()
      owns.set(id, own)
      for (const [oldest, mailer] of owns) {
        if (owns.size <= MOST_OWN) break
        owns.delete(oldest)
        mailer.close()
      }
      return own
    },
    async tryOut(server, mail) {
      const session = await openSmtpSession(server, config.heloName, { openMs: 30_000, answerMs: 20_000 })
      try {
        return (
          mail && (await session.send({ from: mail.from.address, to: [mail.to] }, await composed(mail), () => true))
        )
      } finally {
        session.close()
      }
    },
    close() {
      for (const mailer of [global, domestic, ...owns.values()]) mailer?.close()
    },
  }
}

function createMailer(
  name: string,
  server: SmtpServer,
  { connections, heloName, signingKey }: { connections: number; heloName: string; signingKey: DkimKey | null },
): Mailer {
  const idle: SmtpSession[] = []
  const takeIdle = (): SmtpSession | null => {
    for (let session = idle.pop(); session; session = idle.pop()) if (session.usable) return session
    return null
  }
  function acquireConnection(): MailerConnection {
    let session: SmtpSession | null = null
    return {
      async send(...message) {
        session = session?.usable ? session : takeIdle()
        if (session) {
          const outcome = await session.send(...message)
          // Servers close connections they find idle or used enough; nothing was handed over, so a new one is tried at once.
          if (outcome.kind !== 'lost') return outcome
        }
        try {
          session = await openSmtpSession(server, heloName)
        } catch (error) {
          session = null
          const reply = error instanceof SmtpConnectError ? error.reply : null
          if (reply) return { kind: 'refused', stage: 'connect', reply }
          return { kind: 'unreachable', detail: error instanceof Error ? error.message : String(error) }
        }
        return session.send(...message)
      },
      close() {
        if (session?.usable && !session.expecting) idle.push(session)
        else session?.close()
        session = null
      },
    }
  }
  return {
    name,
    connections,
    signingKey,
    acquireConnection,
    close() {
      for (const session of idle.splice(0)) session.close()
    },
  }
}
