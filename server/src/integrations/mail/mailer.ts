import type { DkimKey } from './dkim.ts'
import { openSmtpSession, SmtpConnectError, type SmtpOutcome, type SmtpSession } from './smtp-session.ts'

declare module '../../kernel/context.ts' {
  interface Integrations {
    mailers: Mailers
  }
}

/** The ways mail leaves (spec §6: global or domestic region). */
export interface Mailers {
  /** The domestic mailer where it is configured and asked for, else the global one. */
  forProvider(provider: string): Mailer
  close(): void
}

/** One mail server with its pool of connections. */
export interface Mailer {
  readonly name: 'global' | 'domestic'
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

/** Connects to nothing yet. `connections`: of each mailer, at most; `heloName`: how we greet. */
export function createMailers(config: {
  smtpUrl: string
  smtpUrlDomestic: string | null
  connections: number
  heloName: string
  signingKey: DkimKey | null
}): Mailers {
  const global = createMailer('global', config.smtpUrl, config)
  const domestic = config.smtpUrlDomestic ? createMailer('domestic', config.smtpUrlDomestic, config) : null
  return {
    forProvider: (provider) => (provider === 'domestic' && domestic ? domestic : global),
    close() {
      global.close()
      domestic?.close()
    },
  }
}

function createMailer(
  name: Mailer['name'],
  url: string,
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
          session = await openSmtpSession(url, heloName)
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
