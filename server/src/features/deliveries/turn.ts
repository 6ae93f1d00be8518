import type { Mailer } from '../../integrations/mail/mailer.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { MailToFill } from '../email-rendering/index.ts'
import type { MerchantRow } from '../merchants/index.ts'
import type { MetafieldPath } from '../metafields/index.ts'
import type { Compose } from './composing.ts'
import type { Lease } from './lease.ts'
import type { MessageRow } from './queries.ts'

/** A worker's turn at one message: what its claims and its connections know in common. */
export interface Turn {
  scope: MerchantScope
  /** As looked at for the last batch. */
  merchant: MerchantRow
  message: MessageRow
  mailer: Mailer
  lease: Lease
  compose: Compose
  language: 'ja' | 'en'
  /** The content, with what is the same for every recipient. */
  mail: MailToFill
  /** More than values stand in it: a thread fills it in. */
  needsFilling: boolean
  /** The metafields the message writes; read with each batch that is claimed. */
  metafieldPaths: readonly MetafieldPath[]
}
