import type { MailStore, MailSummary } from './store.ts'
import { parseSource, type ParsedMail } from './source.ts'

export interface MailboxFilter {
  /** One recipient of the envelope, whole, in any case. */
  to?: string
  /** Part of the subject. */
  subject?: string
}

/** The mailbox for a program that runs the sandbox in its own process. */
export interface Mailbox {
  /** Every message that matches, newest first. */
  list(filter?: MailboxFilter): MailSummary[]
  /** The message, parsed; throws when it is not there. */
  read(id: number): Promise<MailSummary & ParsedMail>
  /** The newest message that matches, at once or as soon as one arrives. Rejects after `timeoutMs` (default 4 min: for hangs). */
  waitFor(filter: MailboxFilter, options?: { timeoutMs?: number }): Promise<MailSummary>
  /** All that match, newest first, as soon as there are `count` of them. */
  waitForCount(filter: MailboxFilter, count: number, options?: { timeoutMs?: number }): Promise<MailSummary[]>
  clear(): void
}

export function createMailbox(store: MailStore): Mailbox {
  const list = (filter: MailboxFilter = {}) => store.list({ ...filter, limit: -1 }).data

  function waitForCount(filter: MailboxFilter, count: number, { timeoutMs = 240_000 } = {}): Promise<MailSummary[]> {
    let seen = store.list({ ...filter, limit: 0 }).total
    if (seen >= count) return Promise.resolve(list(filter))
    return new Promise((resolve, reject) => {
      const stop = store.onStored((batch) => {
        seen += batch.filter((mail) => matches(mail, filter)).length
        if (seen < count) return
        stop()
        clearTimeout(timer)
        resolve(list(filter))
      })
      const timer = setTimeout(() => {
        stop()
        reject(new Error(`${seen} of ${count} mails for ${JSON.stringify(filter)} arrived within ${timeoutMs} ms.`))
      }, timeoutMs)
    })
  }

  return {
    list,
    async read(id) {
      const summary = store.find(id)
      const source = store.findSource(id)
      if (summary === null || source === null) throw new Error(`There is no mail ${id}.`)
      return { ...summary, ...(await parseSource(source)) }
    },
    async waitFor(filter, options) {
      const [newest] = await waitForCount(filter, 1, options)
      if (newest === undefined) throw new Error('The mail was deleted while it was waited for.')
      return newest
    },
    waitForCount,
    clear: () => store.clear(),
  }
}

function matches(mail: MailSummary, filter: MailboxFilter): boolean {
  const to = filter.to?.toLowerCase()
  if (to !== undefined && !mail.to.some((address) => address.toLowerCase() === to)) return false
  return filter.subject === undefined || mail.subject.includes(filter.subject)
}
