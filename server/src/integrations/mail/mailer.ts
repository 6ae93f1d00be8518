import { randomUUID } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import { stopwatch } from '../../kernel/clock.ts'
import type { DkimKey } from './dkim.ts'
import { isCrowded, isSendingRate } from './reply.ts'
import { createRateKeeper } from './sending-rate.ts'
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
  tryOut(server: SmtpServer, mail: PlainMail | null, withinMs?: number): Promise<SmtpOutcome | null>
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
  /** Its server takes no connection of this process for now: others hold those it allows. */
  readonly isFull: boolean
  /** A place to send messages from, one after another. */
  acquireConnection(): MailerConnection
  close(): void
}

/** Holds on to one connection while it is good, and takes another when it is not. */
export interface MailerConnection {
  /**
   * A server that cannot be reached is `unreachable`, one that refuses to talk is `refused` at stage `connect`, one that takes fewer
   * connections is `crowded`. See {@link SmtpSession.send}.
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

/** A person waits for it; what stands before us gives a request up after a minute. */
const TRY_OUT_MS = 30_000
const NO_ANSWER = 'the server did not answer in time'
/** A server that refused one connection more is not asked for another for so long. */
const CROWDED_MS = 30_000
/** Of so many merchants' own accounts connections are kept; of the one that was longest not used they are closed. */
const MOST_OWN = 100

/** Connects to nothing yet. `connections`: of each mailer, at most; `heloName`: how we greet. */
export function createMailers(config: {
  smtpUrl: string
  smtpUrlDomestic: string | null
  connections: number
  heloName: string
  signingKey: DkimKey | null
  now: () => Date
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
          : createMailer(ownRoute(id), server, { ...config, connections, signingKey: null })
      if (known !== own) known?.close()
      owns.set(id, own)
      for (const [oldest, mailer] of owns) {
        if (owns.size <= MOST_OWN) break
        owns.delete(oldest)
        mailer.close()
      }
      return own
    },
    async tryOut(server, mail, withinMs = TRY_OUT_MS) {
      const elapsed = stopwatch()
      const session = await openSmtpSession(server, config.heloName, { openMs: withinMs })
      let isLate = false
      const giveUp = setTimeout(() => {
        isLate = true
        session.close()
      }, withinMs - elapsed())
      try {
        const envelope = mail && { from: mail.from.address, to: [mail.to] }
        const outcome = mail && envelope && (await session.send(envelope, await composed(mail), () => true))
        return isLate && outcome && 'detail' in outcome ? { ...outcome, detail: NO_ANSWER } : outcome
      } finally {
        clearTimeout(giveUp)
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
  {
    connections,
    heloName,
    signingKey,
    now,
  }: { connections: number; heloName: string; signingKey: DkimKey | null; now: () => Date },
): Mailer {
  const idle: SmtpSession[] = []
  const open = new Set<SmtpSession>()
  let opening = 0
  /** What the server takes, since it refused one more; until it is tried again. */
  let crowd: { most: number; until: number; detail: string } | null = null
  const countOpen = (): number => {
    for (const session of open) if (!session.usable) open.delete(session)
    return open.size
  }
  const crowdNow = (): typeof crowd => {
    // A clock set back must not keep it shut.
    const ms = crowd ? crowd.until - now().getTime() : 0
    if (ms <= 0 || ms > CROWDED_MS) crowd = null
    return crowd
  }
  const takeIdle = (): SmtpSession | null => {
    for (let session = idle.pop(); session; session = idle.pop()) if (session.usable) return session
    return null
  }
  /** One more was refused: those that are open, or are being opened beside it, are all it takes. */
  function refusedOneMore(detail: string): SmtpOutcome {
    const most = countOpen() + opening
    crowd = { most, until: now().getTime() + CROWDED_MS, detail }
    return { kind: 'crowded', detail, others: most }
  }
  async function openOne(): Promise<{ session: SmtpSession } | { outcome: SmtpOutcome }> {
    const full = crowdNow()
    const others = countOpen() + opening
    if (full && others >= full.most) return { outcome: { kind: 'crowded', detail: full.detail, others } }
    opening += 1
    const opened = await openSmtpSession(server, heloName).then(
      (session) => ({ session }),
      (error: unknown) => ({ error }),
    )
    opening -= 1
    if ('session' in opened) {
      open.add(opened.session)
      return opened
    }
    const { error } = opened
    const reply = error instanceof SmtpConnectError ? error.reply : null
    if (!reply)
      return { outcome: { kind: 'unreachable', detail: error instanceof Error ? error.message : String(error) } }
    const isFull = isCrowded(reply, 'connect', countOpen())
    return { outcome: isFull ? refusedOneMore(reply.text) : { kind: 'refused', stage: 'connect', reply } }
  }
  /** Some take a connection and say so when it is used. */
  function orCrowded(outcome: SmtpOutcome, session: SmtpSession | null): SmtpOutcome {
    if (outcome.kind !== 'refused' || !isCrowded(outcome.reply, outcome.stage, 0)) return outcome
    session?.close()
    return refusedOneMore(outcome.reply.text)
  }
  const rates = createRateKeeper()
  function heard(outcome: SmtpOutcome): SmtpOutcome {
    if (outcome.kind === 'accepted') rates.accepted()
    else if (outcome.kind === 'refused' && isSendingRate(outcome.reply)) rates.slowed()
    return outcome
  }
  function acquireConnection(): MailerConnection {
    let session: SmtpSession | null = null
    return {
      async send(...message) {
        await rates.turn()
        session = session?.usable ? session : takeIdle()
        // Servers close connections they find idle or used enough; nothing was handed over, so a new one is tried at once.
        const outcome = session && (await session.send(...message))
        if (outcome && outcome.kind !== 'lost') return heard(orCrowded(outcome, session))
        const opened = await openOne()
        session = 'session' in opened ? opened.session : null
        return 'session' in opened ? heard(orCrowded(await opened.session.send(...message), session)) : opened.outcome
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
    get isFull() {
      const full = crowdNow()
      return full !== null && full.most === 0 && countOpen() === 0
    },
    acquireConnection,
    close() {
      for (const session of idle.splice(0)) session.close()
    },
  }
}
