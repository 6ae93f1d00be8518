import { ImapFlow } from 'imapflow'
import { IntegrationError } from '../../kernel/errors.ts'

/** A mailbox over IMAP: `imaps://user:password@host/INBOX`. */
export type MailboxUrl = string

const CONNECT_TIMEOUT_MS = 20_000
const SILENCE_MS = 60_000

/**
 * Hands over the oldest mails that were not seen, at most `most`, each with its first bytes, and marks each as seen once it was taken. Answers
 * how many there were. Throws what `take` throws, and {@link IntegrationError} where the server cannot be spoken to; what was not taken is
 * handed over the next time.
 */
export async function readUnseen(
  url: MailboxUrl,
  { most, bytes }: { most: number; bytes: number },
  take: (mail: Buffer) => Promise<void>,
): Promise<number> {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const secure = protocol === 'imaps:'
  const client = new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
  })
  // It is thrown by what waits just then.
  client.on('error', () => {})
  try {
    await spoken(client.connect())
    await spoken(client.mailboxOpen(decodeURIComponent(pathname.slice(1)) || 'INBOX'))
    const unseen = (await spoken(client.search({ seen: false }, { uid: true }))) || []
    const oldest = unseen.sort((a, b) => a - b).slice(0, most)
    for (const uid of oldest) {
      const mail = await spoken(client.fetchOne(`${uid}`, { source: { start: 0, maxLength: bytes } }, { uid: true }))
      // Somebody else took it away.
      if (!mail) continue
      await take(mail.source ?? Buffer.alloc(0))
      await spoken(client.messageFlagsAdd(`${uid}`, ['\\Seen'], { uid: true }))
    }
    return oldest.length
  } finally {
    client.close()
  }
}

const spoken = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw new IntegrationError('imap', true, error instanceof Error ? error.message : String(error))
  })
