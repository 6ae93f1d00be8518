import type { ConsentKind } from '@okaeri/contract/customers/customer'
import type { ChannelName, DeliveryKind, FailureClass, SkipReason } from '@okaeri/contract/deliveries/delivery'
import type { ProductLists, RecipientVariables } from '../email-rendering/index.ts'
import type { MailMetafields } from '../metafields/index.ts'
import type { Program } from '../stats/index.ts'

export interface MessageRow {
  id: string
  channel: ChannelName
  /** Null: a test send, or a receipt. */
  program: Program | null
  tracking_enabled: boolean
  state: 'held' | 'released' | 'done'
  test_mode: boolean
  priority: 'normal' | 'always'
  post_purchase: boolean
  /** The permission it needs. */
  consent_kind: ConsentKind
  for_tests: boolean
  /** It shows a code of its recipient's own. */
  uses_coupon: boolean
  /** Not all of its codes are made: it cannot be released. */
  awaits_codes: boolean
  /** How often codes that it shows were doubted. */
  code_doubts: number
  /** Answers what one person just did themselves. */
  is_receipt: boolean
  /** Goes out before the rest of its campaign. */
  is_canary: boolean
  /** Which group of its campaign's A/B test it is for. */
  ab_group: 'a' | 'b' | 'rest' | null
  /** What it was written in: of a mail its email. */
  content_id: string | null
  created_at: Date
}

export interface ClaimedRow {
  id: string
  customer_id: string | null
  execution_id: string | null
  round: number | null
  address: string
  test_mode: boolean
  attempts: number
  kind: DeliveryKind
  first_name: string | null
  last_name: string | null
  display_name: string
  email: string | null
  phone: string | null
  language: string | null
  tags: string[]
  /** Only for a scenario's message. */
  variables: RecipientVariables | null
  /** It was put off, or tried, before. */
  waited: boolean
  /** When it may have left for the first time, in real time; kept only where trying again is safe, until it is known that it did not. */
  first_tried_at: Date | null
  /** With whom it is handed over, under this key; see `Composer.fixesBatches`. */
  batch_id: string | null
  /** The language in which this person gets a message that has several; null: the one everyone else gets. */
  variant: string | null
  /** Only for a message that writes any. */
  metafields?: MailMetafields | undefined
  /** Only for a message with blocks for the members of segments: whether they are in each. */
  memberships?: Readonly<Record<string, boolean | null>> | undefined
  /** Only for a message with products of each recipient's own. */
  own_products?: ProductLists | undefined
}

export interface ResultRow {
  id: string
  status: 'sent' | 'failed' | 'uncertain' | 'pending' | 'skipped'
  reason: FailureClass | SkipReason | null
  detail: string | null
  /** For `pending`: not before this. */
  nextAttemptAt: Date | null
  /** A quota answer burns no attempt. */
  countsAttempt: boolean
  sentAt: Date | null
  /** The subject this recipient got, where it is not the same for all. */
  filledSubject: string | null
  /** With whom it is tried again; a batch that was surely refused may be parted into new ones. */
  batchId: string | null
}
