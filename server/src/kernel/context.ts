import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import type { DatabaseWatch } from './database-watch.ts'
import type { Publish } from './events.ts'
import type { Jobs } from './jobs.ts'
import type { Keyring } from './keyring.ts'
import type { Logger } from './log.ts'
import type { Threads } from './threads.ts'

/** Filled in by each integration (declaration merging), so that the kernel knows none of them. */
// biome-ignore lint/suspicious/noEmptyInterface: merged elsewhere
export interface Integrations {}

/**
 * Questions a feature asks of floors above it ("which campaigns use this email?"): merged in by the feature that asks, answered in
 * app/ports.ts.
 */
// biome-ignore lint/suspicious/noEmptyInterface: merged elsewhere
export interface Ports {}

/** What features may know of the configuration. */
export interface Settings {
  /** Address of API and application as the outside sees it, without a trailing slash. */
  publicUrl: string
  production: boolean
  /** Search engines must not index this installation. */
  staging: boolean
  /** Address of the sandbox, or null when the real world is outside. */
  sandboxUrl: string | null
  /** The outside world is the sandbox and everything runs on this machine. Whatever must never be open on a public installation asks this. */
  isLocalSandbox: boolean
  role: 'all' | 'api' | 'worker'
  /** Folder of this installation's files. */
  dataDir: string
  /** How long a worker's hold on a batch lasts without a sign of life. */
  leaseSeconds: number
  /** In test mode at most this many mails of one campaign go out (domain.md §5). */
  testModeCap: number
  /** Mails to test addresses that one merchant may send in a day. Proofreading needs fewer; spam would need more. */
  testMailsPerDay: number
  /** Connections of this process. */
  databasePool: number
  /** Who may become a merchant here. `invite`: whom an operator invited, and the very first. */
  signUp: 'open' | 'invite' | 'closed'
  /** Pages of the installation's operator that people agree to; null when there is none. */
  policies: { privacy: string | null; terms: string | null }
}

/** Everything a process has, made once at start. */
export interface Context {
  settings: Settings
  clock: Clock
  db: Database
  /** Whether the database is there. */
  database: DatabaseWatch
  keyring: Keyring
  jobs: Jobs
  /** Computes what people wrote, where it can be ended. */
  threads: Threads
  publish: Publish
  log: Logger
  /** Aborted when the process begins to stop. */
  stopping: AbortSignal
  integrations: Integrations
  ports: Ports
}
