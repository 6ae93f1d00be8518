import { READ_BYTES } from '../../integrations/bounces/mail-parts.ts'
import { readUnseen, watchMailbox } from '../../integrations/inbound-mail/mailbox.ts'
import type { Context } from '../../kernel/context.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { receiveMail } from './intake.ts'

const EVERY_MS = 60_000
const AT_ONCE = 100

/**
 * Reads the mailbox that mails come back to, where one is configured. Several workers may read the same mail: the second time it changes
 * nothing. A mail is marked as seen once what follows from it is stored.
 */
export const readBounceMailbox: Recurring = {
  name: 'read the mailbox of mails that come back',
  everyMs: EVERY_MS,
  async run(context) {
    const { mailbox } = context.settings.bounces
    return mailbox !== null && (await readSome(context, mailbox)) === AT_ONCE
  },
}

/** Mails that could not be read or stored, by process: the others come first. */
const setAsideBy = new WeakMap<Context, Set<number>>()

function readSome(context: Context, mailbox: string): Promise<number> {
  const setAside = setAsideBy.get(context) ?? new Set()
  setAsideBy.set(context, setAside)
  return readUnseen(mailbox, { most: AT_ONCE, bytes: READ_BYTES, setAside }, async (mail) => {
    await receiveMail(context, mail, { way: 'imap', returnPaths: [] })
  })
}

/** Reads it as soon as the server says that there is something. The look every minute stays: it finds what was missed, and says what is wrong. */
export function watchBounceMailbox(context: Context): { close(): Promise<void> } {
  const { mailbox } = context.settings.bounces
  if (mailbox === null) return { close: async () => {} }
  let reading: Promise<void> | null = null
  let isAsked = false
  async function read(): Promise<void> {
    while (isAsked) {
      isAsked = false
      try {
        if ((await readSome(context, mailbox as string)) === AT_ONCE) isAsked = true
      } catch {
        // The look every minute meets it too, and reports it.
        return
      }
    }
  }
  const watch = watchMailbox(mailbox, () => {
    isAsked = true
    reading ??= read().finally(() => {
      reading = null
    })
  })
  return {
    async close() {
      await watch.close()
      await reading
    },
  }
}
