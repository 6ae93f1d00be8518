/**
 * What came back says of a mail. `hard`: the address does not exist. `soft`: it did not take the mail this time. `full`: its mailbox is full.
 * `blocked`: what we are or send was refused, which says nothing of the address. `complaint`: the person said it is spam. `auto_reply`: the
 * mailbox answered by itself. `not_a_bounce`: anything else, also that a mail was delivered.
 */
export type BounceVerdict = 'hard' | 'soft' | 'full' | 'blocked' | 'complaint' | 'auto_reply' | 'not_a_bounce'

/** What a mail that came back, or a provider's notice of one, says of one recipient. All texts but the verdict are the other side's. */
export interface BounceReport {
  verdict: BounceVerdict
  /** "No such user", said by a carrier that says so of mail its users filter out as well: one such answer is not believed (domain.md §9). */
  isDoubted: boolean
  /** Only a delay: the mail may still arrive. */
  isDelay: boolean
  /** The recipient the report is about, in lower case. */
  recipient: string | null
  /** The recipient as we wrote it, where a forwarding changed it. */
  originalRecipient: string | null
  /** RFC 3463. */
  status: string | null
  /** The answer in words, in one line. */
  diagnostic: string | null
  /** The server that answered, else the one that reports. */
  server: string | null
}

/** A whole mail that came back. */
export interface ReadBounce {
  /** At least one. */
  reports: [BounceReport, ...BounceReport[]]
  /** From the mail that came back: its Message-ID without brackets, and all addresses its headers unsubscribe at. */
  messageId: string | null
  unsubscribeLinks: readonly string[]
  /** Addresses it was sent to, as its headers have them. */
  sentTo: readonly string[]
  /** When the report was written, as it says itself. */
  writtenAt: Date | null
  /** What a person looks at: headers and words of the report, shortened. */
  evidence: string
}

export const emptyReport: BounceReport = {
  verdict: 'not_a_bounce',
  isDoubted: false,
  isDelay: false,
  recipient: null,
  originalRecipient: null,
  status: null,
  diagnostic: null,
  server: null,
}
