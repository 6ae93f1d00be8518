/**
 * Recipient addresses that misbehave on purpose. The local part starts with the word, and the word ends there or before
 * something that is no letter: `full@…`, `full-1@…` and `full+a@…` are sentinels, `fuller@…` is a customer.
 */
export type Sentinel =
  | { stage: 'recipient'; code: number; text: string; tries: number | 'always' }
  | { stage: 'data'; act: 'spam' | 'drop' | 'drop-lost' | 'cut' | 'slow' }
  | { stage: 'recipient-delay' }

const temporary = { code: 451, text: '4.3.0 Temporary failure, try again later' }
const busy = { code: 421, text: '4.7.0 Temporarily deferred due to unexpected volume, try again later' }
const overQuota = { code: 452, text: '4.5.3 Sending quota exceeded for this account, try again later' }

/** In order: a longer word stands before the shorter one it starts with. */
const sentinels: readonly [word: string, sentinel: Sentinel][] = [
  ['tempfail-once', { stage: 'recipient', ...temporary, tries: 1 }],
  ['tempfail-twice', { stage: 'recipient', ...temporary, tries: 2 }],
  ['tempfail', { stage: 'recipient', ...temporary, tries: 'always' }],
  ['busy-once', { stage: 'recipient', ...busy, tries: 1 }],
  ['busy', { stage: 'recipient', ...busy, tries: 'always' }],
  ['reject', { stage: 'recipient', code: 550, text: '5.1.1 The address does not exist', tries: 'always' }],
  ['unknown', { stage: 'recipient', code: 550, text: '5.1.1 User unknown', tries: 'always' }],
  ['full', { stage: 'recipient', code: 552, text: '5.2.2 Mailbox full', tries: 'always' }],
  ['quota-once', { stage: 'recipient', ...overQuota, tries: 1 }],
  [
    'quota-daily',
    { stage: 'recipient', code: 450, text: '4.7.28 Daily sending limit exceeded, try again tomorrow', tries: 'always' },
  ],
  [
    'quota-421',
    { stage: 'recipient', code: 421, text: '4.7.28 Daily sending limit exceeded, closing connection', tries: 'always' },
  ],
  ['quota', { stage: 'recipient', ...overQuota, tries: 'always' }],
  ['spam', { stage: 'data', act: 'spam' }],
  ['drop-lost', { stage: 'data', act: 'drop-lost' }],
  ['drop', { stage: 'data', act: 'drop' }],
  ['cut', { stage: 'data', act: 'cut' }],
  ['slow-rcpt', { stage: 'recipient-delay' }],
  ['slow', { stage: 'data', act: 'slow' }],
]

/** What the address asks for, or null for an ordinary recipient. */
export function findSentinel(address: string): Sentinel | null {
  const local = address.toLowerCase()
  for (const [word, sentinel] of sentinels) {
    if (local.startsWith(word) && !/[a-z]/.test(local.charAt(word.length))) return sentinel
  }
  return null
}

/** What the whole mail server does at present, set on the control page or by `POST /mail/switches.json`. */
export interface MailSwitches {
  /** Every recipient gets 451 4.3.0. */
  tempfail_all: boolean
  /** Every recipient gets 452 4.5.3 until it is switched off. */
  quota_all: boolean
  /** Nothing listens on the SMTP port, and open connections are cut. */
  refuse_connections: boolean
  /** Every message is answered late. */
  slow: boolean
}

export const noSwitches: MailSwitches = {
  tempfail_all: false,
  quota_all: false,
  refuse_connections: false,
  slow: false,
}

export const switchNames = Object.keys(noSwitches) as (keyof MailSwitches)[]

/** The answer every recipient gets while a switch is on, or null. */
export function answerBySwitch(switches: MailSwitches): { code: number; text: string } | null {
  if (switches.tempfail_all) return temporary
  if (switches.quota_all) return overQuota
  return null
}
