import { READ_BYTES } from '../../integrations/bounces/mail-parts.ts'
import { readUnseen } from '../../integrations/inbound-mail/mailbox.ts'
import type { Recurring } from '../../kernel/schedule.ts'
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
    if (mailbox === null) return false
    const read = await readUnseen(mailbox, { most: AT_ONCE, bytes: READ_BYTES }, async (mail) => {
      await receiveMail(context, mail, { way: 'imap', returnPaths: [] })
    })
    return read === AT_ONCE
  },
}
