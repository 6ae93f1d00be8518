import {
  openSmtpSession,
  SmtpConnectError,
  type SmtpEnvelope,
  type SmtpOutcome,
  type SmtpSession,
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
  close(): void
}

/** One mail server with its pool of connections. */
export interface Mailer {
  readonly name: 'global' | 'domestic'
  /** How many messages it sends at once. */
  readonly connections: number
  /**
   * Sends over a free connection, opening one if needed. A server that cannot be reached is `unreachable`, one that refuses to talk is
   * `refused` at stage `connect`. See {@link SmtpSession.send}.
   */
  send(envelope: SmtpEnvelope, body: Buffer, onHandOver: () => boolean): Promise<SmtpOutcome>
  close(): void
}

export function createMailers(config: {
  smtpUrl: string
  smtpUrlDomestic: string | null
  connections: number
  heloName: string
}): Mailers {
  const global = createMailer('global', config.smtpUrl, config.connections, config.heloName)
  const domestic = config.smtpUrlDomestic
    ? createMailer('domestic', config.smtpUrlDomestic, config.connections, config.heloName)
    : null
  return {
    forProvider: (provider) => (provider === 'domestic' && domestic ? domestic : global),
    close() {
      global.close()
      domestic?.close()
    },
  }
}

function createMailer(name: Mailer['name'], url: string, connections: number, heloName: string): Mailer {
  const idle: SmtpSession[] = []
  const takeIdle = (): SmtpSession | null => {
    for (let session = idle.pop(); session; session = idle.pop()) if (session.usable) return session
    return null
  }
  async function sendOver(session: SmtpSession, ...message: Parameters<SmtpSession['send']>): Promise<SmtpOutcome> {
    const outcome = await session.send(...message)
    if (session.usable) idle.push(session)
    else session.close()
    return outcome
  }
  return {
    name,
    connections,
    async send(envelope, body, onHandOver) {
      const kept = takeIdle()
      if (kept) {
        const outcome = await sendOver(kept, envelope, body, onHandOver)
        // Servers close connections they find idle or used enough; nothing was handed over, so a new one is tried at once.
        if (outcome.kind !== 'lost') return outcome
      }
      let session: SmtpSession
      try {
        session = await openSmtpSession(url, heloName)
      } catch (error) {
        const reply = error instanceof SmtpConnectError ? error.reply : null
        if (reply) return { kind: 'refused', stage: 'connect', reply }
        return { kind: 'unreachable', detail: error instanceof Error ? error.message : String(error) }
      }
      return sendOver(session, envelope, body, onHandOver)
    },
    close() {
      for (const session of idle.splice(0)) session.close()
    },
  }
}
