import type { ConsentKind } from '@okaeri/contract/customers/customer'
import type { ChannelName, FailureClass, SkipReason } from '@okaeri/contract/deliveries/delivery'
import type { Insertable, RawBuilder } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import type { DB } from '../../kernel/database/schema.ts'
import type { MerchantRow } from '../merchants/index.ts'
import type { ClaimedRow, ResultRow, MessageRow } from './rows.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** The ways messages reach people; app/channels.ts lists them. */
    channels: () => Channels
    /**
     * Of messages of scenarios that are about to leave those that say what is no longer true, or perhaps is not. Asked in the transaction
     * that claimed them.
     */
    messagesKeptBack(scope: TransactionScope, rows: readonly ClaimedForScenario[]): Promise<PostponedOrSkipped[]>
    /** Whether messages to customers wait until the store has said who opted out while Okaeri was away, or whom it knows after another one. */
    waitsForStore(scope: MerchantScope): Promise<boolean>
    /** Those of these discount codes that do not work now: messages that show one wait. */
    failingCodes(scope: TransactionScope, codes: readonly string[]): Promise<ReadonlySet<string>>
  }
}

export interface ClaimedForScenario {
  id: string
  execution_id: string
}
/** Skipped for a reason, or asked about again later. */
export type PostponedOrSkipped = { id: string; reason: SkipReason } | { id: string; until: Date }

export type Channels = Readonly<Partial<Record<ChannelName, Channel>>>

/**
 * What differs between the ways a message reaches a person. The ledger claims, keeps the watermark and the transmit log, stores results and
 * recovers in the same way for all of them. How to add one: ARCHITECTURE.md, "Adding a channel".
 */
export interface Channel {
  readonly name: ChannelName
  /**
   * For how long after the first try a hand-over whose outcome is unknown may be tried again: the provider drops the second one by its
   * key: the delivery's id, or that of its batch. 0 for mail: never.
   */
  readonly safeRetryMs: number
  /** SQL over a customer `c`: where they are written to. The merchant's id is bound, for Citus (decision 135). */
  address(merchantId: string): RawBuilder<string | null>
  /** SQL over a customer `c`: one value for all customers with one address. */
  addressKey(merchantId: string): RawBuilder<string | null>
  /** SQL over an address: whether tests may go there. */
  takesTests(merchantId: string, address: RawBuilder<string>): RawBuilder<boolean>
  /** SQL over a customer `c`: why they cannot be reached now, by consent, pause, suppression or address; null for those who can. */
  whyNotReachable(
    merchantId: string,
    options: { sendToAll: boolean; now: Date; kind?: ConsentKind; ofMany?: boolean },
  ): RawBuilder<string | null>
  /** Why a person who is no customer yet cannot be reached. */
  readonly unknownCustomerReason: SkipReason
  /** Where messages in test mode go instead; with none, nothing is sent in test mode. */
  testAddresses(scope: MerchantScope, merchant: MerchantRow): Promise<readonly string[]>
  /** Which provider takes the merchant's messages. When it refuses all of them, a pause is kept under its name. */
  routeOf(
    context: Context,
    merchant: Pick<MerchantRow, 'id' | 'email_provider' | 'own_mailer_id' | 'own_mailer_connections'>,
  ): Route
  /** Null when there is a sender, who is known to agree to be written in its name. */
  findMissingSender(scope: MerchantScope, message: Pick<MessageRow, 'id'>): Promise<SenderMissing | null>
  /** What steps of scenarios send; absent where no kind of node sends by it. */
  readonly steps?: StepContents
  /** For a message that is withdrawn, in the same transaction. */
  deleteContent(scope: TransactionScope, messageId: string): Promise<void>
  /** To a message that has none. */
  copyContent(scope: TransactionScope, fromId: string, toId: string): Promise<void>
  /** SQL over a delivery `d`: where it went, as lists show it; null where that is not known. */
  recipient(merchantId: string): RawBuilder<string | null>
  /** SQL over a delivery `d`: what lists show of it, as its recipient got it; null where that is not known. */
  title(merchantId: string): RawBuilder<string | null>
  /**
   * Makes the frozen content ready to be composed for many people; `failure` says why that is impossible for all of them. `not_now`: the route was changed
   * meanwhile.
   */
  openContent(outgoing: Outgoing): Promise<Composer | { failure: string } | 'not_now'>
  /** In the transaction that stores the results: these addresses were refused, by the provider's words. */
  recordBounces(scope: MerchantScope, bounces: readonly Bounce[]): Promise<void>
}

export type SenderMissing = 'sender_unconfirmed' | 'line_not_connected'

export interface StepContents {
  /** What a step says whose content was deleted. */
  readonly gone: NoContent['missing']
  /** The state of what a scenario's step sends, as it is now: a message frozen in another is another. Cheap; null when it is gone. */
  findState(scope: MerchantScope, contentId: string): Promise<ContentState | null>
  /** The same made ready to be frozen, and the state it is in; or why nothing of it could be sent. */
  prepareForStep(scope: MerchantScope, contentId: string, tracking: Tracking): Promise<StepContent | NoContent>
}

export interface Tracking {
  enabled: boolean
  parameters: { source: string | null; medium: string | null; campaign: string | null }
}

/** Content made ready to be frozen, which computes and holds nothing. What it says only its channel knows. */
export interface PreparedContent {
  channel: ChannelName
  /** What it was written in: an email. Null: our own words. */
  contentId: string | null
  tracking: Tracking
  /** Addresses it leads to, in the order of their places. */
  links: string[]
  /** Writes it into the channel's own table, in the transaction that writes the message. */
  insert(scope: TransactionScope, messageId: string): Promise<void>
  /**
   * A mail in columns of `messages` as well, where a process older than migration 0360 that runs at the same time reads it. The migration that drops
   * those columns takes this with it, and the fallback in channels/email/content-sql.ts.
   */
  legacyColumns?: Pick<
    Insertable<DB['messages']>,
    'subject' | 'preheader' | 'from_name' | 'from_email' | 'reply_to' | 'html' | 'text'
  >
}
/** Compared as JSON. */
export type ContentState = Readonly<Record<string, unknown>>
export interface StepContent extends PreparedContent {
  state: ContentState
  /** What it writes of the recipient's event and coupon. */
  uses: { event: boolean; coupon: boolean }
}
/** Why there is nothing that could be sent. */
export interface NoContent {
  missing: 'email_gone' | 'line_message_gone' | 'template_broken'
  detail: string
}

export interface Route {
  readonly name: string
  /** Hand-overs at once. */
  readonly connections: number
}

/** The message of a time slice, with its merchant as looked at for the last batch of rows. */
export interface Outgoing {
  readonly scope: MerchantScope
  merchant: MerchantRow
  /** Looked at with it. */
  testAddresses: readonly string[]
  readonly message: MessageRow
}

/** A claimed row with what its channel made for it ahead of need, many rows at a time. */
export interface FilledRow {
  readonly row: ClaimedRow
}

/** What came of some rows: those at the front of them, in their order. */
export interface FillingResult<Filled extends FilledRow = FilledRow> {
  filled: Filled[]
  failed: Result[]
  /** Behind them, not looked at yet. */
  rest: ClaimedRow[]
  /** The content is at fault: no row of the message will do better. */
  givenUp: string | null
}

/** Claimed rows, by when they are handed over. */
export interface PacedRows {
  leave: ClaimedRow[]
  /** Their receiver accepts fewer at a time, as it answered; or the merchant's warm-up plan says so. */
  postponed: { id: string; until: Date; reason: FailureClass; detail: string | null }[]
  /** They have waited too long for it. */
  givenUp: { id: string; reason: FailureClass; detail: string | null }[]
}

/** Frozen content, ready. Methods take what the channel's own methods answered before, so each channel narrows them. */
export interface Composer<
  Filled extends FilledRow = FilledRow,
  Batch extends ComposedBatch = ComposedBatch,
  A extends Answer = Answer,
> {
  /** How many people one hand-over may carry. */
  readonly batchSize: number
  /**
   * All get the same, under one retry key, which is the `batch_id` of their rows: who belongs to it is fixed when they are claimed, and they
   * are handed over together or not at all. Rows without a batch go one by one.
   */
  readonly fixesBatches: boolean
  /** What it says besides its own language: `ClaimedRow.variant` is one of these then. */
  readonly languages?: readonly string[]
  /** Reads for a batch of claimed rows what the content writes beside the row, in the claim's transaction. */
  enrich(scope: TransactionScope, rows: ClaimedRow[]): Promise<ClaimedRow[]>
  /** Which claimed rows are handed over now, asked in the claim's transaction; null where none ever waits for others. */
  readonly pace: ((scope: TransactionScope, rows: readonly ClaimedRow[]) => Promise<PacedRows>) | null
  /** In the transaction that ends the lease: so many of those did not leave, and wait again with no try counted. */
  returnUnsent?(scope: TransactionScope, count: number): Promise<void>
  /** Null where composing needs nothing made beforehand. */
  readonly fill: ((rows: readonly ClaimedRow[]) => Promise<FillingResult<Filled>>) | null
  /** A place to hand over from, one batch after another; connects when first used. */
  acquireConnection(): Connection<Filled, Batch, A>
}

export interface Connection<
  Filled extends FilledRow = FilledRow,
  Batch extends ComposedBatch = ComposedBatch,
  A extends Answer = Answer,
> {
  /**
   * Composes one hand-over for these people, at most `batchSize`. Those it cannot be composed for are given to `report`; null when that
   * is all of them. Memory of the batch before the last may be used again.
   */
  compose(people: readonly (FilledRow | Filled)[], report: (result: Result) => void): Batch | null
  /**
   * `mayTransmit` is asked when nothing of the body left and the next bytes are of it; on false the answer is `withheld`. `upcoming` is
   * asked right after: what this connection hands over next.
   */
  handOver(batch: Batch, mayTransmit: () => boolean, upcoming: () => ComposedBatch | null): Promise<A | WithheldAnswer>
  /** What the answer means for each person of the batch. */
  judge(answer: A, batch: Batch, now: Date): JudgedAnswer
  close(): void
}

export interface ComposedBatch {
  readonly rows: readonly ClaimedRow[]
}
export interface Answer {
  readonly kind: string
}
export interface WithheldAnswer {
  readonly kind: 'withheld'
}
export interface Pause {
  ms: number
  detail: string
  /** The messages that may be sent in a month are used up, and it lasts until the month turns. */
  byQuota?: boolean
  /** No pause while another worker hands over messages of the merchant: the provider takes those. */
  unlessOthersSend?: boolean
}
export interface JudgedAnswer {
  results: readonly Result[]
  /** The provider's own limits were hit: everything through it waits. */
  pause?: Pause | undefined
  /** The provider takes fewer connections; this one is given up, and the others go on. */
  isOneTooMany?: boolean
}

export const isWithheld = (answer: Answer): answer is WithheldAnswer => answer.kind === 'withheld'

/** How a delivery ended, and what is to be remembered with it. */
export interface Result extends ResultRow {
  /** The provider refused the address, in these words. */
  bounce?: Omit<Bounce, 'deliveryId'>
}
export interface Bounce {
  deliveryId: string
  address: string
  detail: string
  /** The address does not exist. */
  isHard: boolean
  /** RFC 3463. */
  status: string | null
}

export const resultDefaults = (id: string) =>
  ({
    id,
    reason: null,
    detail: null,
    nextAttemptAt: null,
    countsAttempt: true,
    sentAt: null,
    filledSubject: null,
    batchId: null,
  }) as const
export const failedResult = (id: string, reason: FailureClass, detail: string): ResultRow => ({
  ...resultDefaults(id),
  status: 'failed',
  reason,
  detail,
})

export function channelOf(context: Context, name: ChannelName): Channel {
  const channel = context.ports.channels()[name]
  if (!channel) throw new Error(`there is no channel ${name}`)
  return channel
}

export function stepContentsOf(context: Context, name: ChannelName): StepContents {
  const { steps } = channelOf(context, name)
  if (!steps) throw new Error(`no step sends by ${name}`)
  return steps
}
