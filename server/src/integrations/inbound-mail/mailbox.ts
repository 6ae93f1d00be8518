import type { ImapFlow } from 'imapflow'
import { IntegrationError } from '../../kernel/errors.ts'

/** A mailbox over IMAP: `imaps://user:password@host/INBOX`. */
export type MailboxUrl = string

const CONNECT_TIMEOUT_MS = 20_000
/** A server that always says something, and never what was asked, is given up after so long. A hundred mails take seconds. */
const READ_WITHIN_MS = 10 * 60_000
const SILENCE_MS = 60_000

/**
 * Hands over the oldest mails that were not seen, at most `most`, each with its first bytes, and marks each as seen once it was taken. Answers
 * how many were. Throws what `take` throws, and {@link IntegrationError} where the server cannot be spoken to; what was not taken is
 * handed over the next time, behind all others: a mail that the server cannot hand out, or that cannot be stored, holds up no other.
 * `setAside` remembers those from one time to the next.
 */
export async function readUnseen(
  url: MailboxUrl,
  {
    most,
    bytes,
    withinMs = READ_WITHIN_MS,
    setAside = new Set(),
  }: { most: number; bytes: number; withinMs?: number; setAside?: Set<number> },
  take: (mail: Buffer) => Promise<void>,
): Promise<number> {
  const client = await clientFor(url, SILENCE_MS)
  const giveUp = setTimeout(() => client.close(), withinMs)
  try {
    await spoken(client.connect())
    await spoken(client.mailboxOpen(folderOf(url)))
    const unseen = (await spoken(client.search({ seen: false }, { uid: true }))) || []
    const ordered = unseen.sort((a, b) => Number(setAside.has(a)) - Number(setAside.has(b)) || a - b)
    let taken = 0
    for (const uid of ordered.slice(0, most)) {
      setAside.add(uid)
      const mail = await spoken(client.fetchOne(`${uid}`, { source: { start: 0, maxLength: bytes } }, { uid: true }))
      // Another program took it away, or the server says that it cannot be read.
      if (!mail) continue
      await take(mail.source ?? Buffer.alloc(0))
      await spoken(client.messageFlagsAdd(`${uid}`, ['\\Seen'], { uid: true }))
      setAside.delete(uid)
      taken += 1
    }
    return taken
  } finally {
    clearTimeout(giveUp)
    client.close()
  }
}

const folderOf = (url: MailboxUrl): string => decodeURIComponent(new URL(url).pathname.slice(1)) || 'INBOX'

async function clientFor(url: MailboxUrl, silenceMs: number): Promise<ImapFlow> {
  // Loaded where a mailbox is read: a tenth of what a process computes to start.
  const { ImapFlow } = await import('imapflow')
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'imaps:'
  const client = new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: silenceMs,
    maxIdleTime: IDLE_MS,
  })
  // It is thrown by what waits just then.
  client.on('error', () => {})
  return client
}

/** RFC 2177 §3: begun again at least every 29 minutes; routers forget sooner. */
const IDLE_MS = 9 * 60_000
/** Until the server is asked again after the connection was lost, longer each time. */
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 10 * 60_000

/**
 * Calls when mail comes in, as the server says it (IDLE; where it has none, asked every two minutes), and once connected. Connects again
 * silently whenever the connection is lost: the regular reading of the mailbox reports what is wrong with it.
 */
export function watchMailbox(url: MailboxUrl, onNew: () => void): { close(): Promise<void> } {
  let client: ImapFlow | null = null
  let pause: NodeJS.Timeout | undefined
  let pauseMs = FIRST_PAUSE_MS
  let isClosed = false

  async function connect(): Promise<void> {
    const mine = await clientFor(url, 2 * IDLE_MS)
    if (isClosed) return
    client = mine
    let isLost = false
    const lost = (): void => {
      if (isLost || isClosed) return
      isLost = true
      mine.close()
      pause = setTimeout(() => void connect(), pauseMs).unref()
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
    mine.on('close', lost)
    mine.on('exists', () => onNew())
    try {
      await mine.connect()
      await mine.mailboxOpen(folderOf(url), { readOnly: true })
      pauseMs = FIRST_PAUSE_MS
      onNew()
      // Goes on by itself from here. Where it fails the connection closes.
      mine.idle().catch(lost)
    } catch {
      lost()
    }
  }
  void connect()
  return {
    async close() {
      isClosed = true
      clearTimeout(pause)
      client?.close()
    },
  }
}

const spoken = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw new IntegrationError('imap', true, error instanceof Error ? error.message : String(error))
  })
