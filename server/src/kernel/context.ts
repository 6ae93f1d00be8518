import type { KeyObject } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Database, DatabaseTransaction } from './database/database.ts'
import type { DatabaseWatch } from './database/database-watch.ts'
import type { FactName, Facts } from './facts.ts'
import type { Keyring } from './keyring.ts'
import type { Logger } from './log.ts'
import type { Threads } from './work/threads.ts'

/** Filled in by each integration (declaration merging), so that the kernel knows none of them. */
// biome-ignore lint/suspicious/noEmptyInterface: merged elsewhere
export interface Integrations {}

/**
 * Questions a feature asks of floors above it ("which campaigns use this email?"): merged in by the feature that asks, answered in
 * app/ports.ts.
 */
// biome-ignore lint/suspicious/noEmptyInterface: merged elsewhere
export interface Ports {}

/** The part of the configuration that features may use. */
export interface Settings {
  /** Public address of API and application, without a trailing slash. */
  publicUrl: string
  production: boolean
  /** Search engines must not index this installation. */
  staging: boolean
  /** What in an SPF record names our mail server (`include:spf.example`); null where the operator did not say. */
  spfMechanism: string | null
  /** The host that link domains of merchants point to (CNAME); null: this installation has none, so merchants cannot have their own. */
  linkTarget: string | null
  /** Address of the sandbox; null with real outside services. */
  sandboxUrl: string | null
  /** The outside services are the sandbox, and everything runs on this machine. Features that must never be open on a public installation check this. */
  isLocalSandbox: boolean
  role: 'all' | 'api' | 'worker'
  /** The data folder of this installation. */
  dataDir: string
  /** How long a worker's lease lasts without a heartbeat. */
  leaseSeconds: number
  /** In test mode at most this many mails of one campaign go out (domain.md §5). */
  testModeCap: number
  /** Mails to test addresses per merchant and day. Proofreading needs fewer; spam would need more. */
  testMailsPerDay: number
  /** Connections of this process. */
  databasePool: number
  /** How mails come back. */
  bounces: {
    /** Where to: the return path of each mail names its delivery. Null: they come back to the sender. */
    domain: string | null
    /** An IMAP mailbox they come to, with its password; null: none. */
    mailbox: string | null
    /** So long the words of a mail that came back are kept. */
    evidenceDays: number
    /** Topics of Amazon SNS that are believed. */
    sesTopics: readonly string[]
    /** With which SendGrid signs what it tells; null: it tells nothing. */
    sendgridKey: KeyObject | null
  }
  /** Limits sign-up. `invite`: only people an operator invited, and the very first one. */
  signUp: 'open' | 'invite' | 'closed'
  /** The operator's policy pages, which people agree to; null if there is none. */
  policies: { privacy: string | null; terms: string | null }
  /** How many pictures one merchant may keep, and how large together. */
  mediaQuota: { count: number; bytes: number }
}

/** The services of a process, created once at start. */
export interface Context {
  settings: Settings
  clock: Clock
  db: Database
  /** Whether the database is available. */
  database: DatabaseWatch
  keyring: Keyring
  jobs: Jobs
  /** Runs code that people wrote, in threads that can be ended. */
  threads: Threads
  publish: Publish
  log: Logger
  /** Aborted when the process begins to stop. */
  stopping: AbortSignal
  integrations: Integrations
  ports: Ports
}

/** Merchant, member, time and connection. The first parameter of every function on tenant data. */
export interface MerchantScope {
  readonly merchantId: string
  /** The calling member; null for jobs and the outside. */
  readonly memberId: string | null
  /** What the amounts on the page that called are in; null for callers who did not say (`CURRENCY_HEADER`). */
  readonly pageCurrency: string | null
  /** One instant for the whole unit of work. */
  readonly now: Date
  /** The pool, or the transaction this scope is in. */
  readonly db: Database | DatabaseTransaction
  readonly context: Context
  /** Runs the work in a transaction; if there is one already, in that one. */
  transaction<T>(work: (scope: TransactionScope) => Promise<T>): Promise<T>
}

/** A scope in a transaction: for functions that change settings or hold locks until its end. */
export interface TransactionScope extends MerchantScope {
  readonly db: DatabaseTransaction
}

export type Publish = <K extends FactName>(scope: MerchantScope, name: K, fact: Facts[K]) => Promise<void>

/**
 * Work done later, outside the request. A job may run twice (a process died, an answer was lost), so each is written so that the second run
 * changes nothing.
 */
export interface Job<Data extends object> {
  readonly name: string
  /** Jobs of one merchant and key wait as one: a second `later` before the first has begun adds nothing. */
  readonly key: (data: Data) => string
  readonly run: (scope: MerchantScope, data: Data) => Promise<void>
}

export interface Jobs {
  /** Enqueues in the scope's own transaction: rolled back with it. */
  later<Data extends object>(
    scope: MerchantScope,
    job: Job<Data>,
    data: Data,
    options?: { delayMs?: number },
  ): Promise<void>
}
