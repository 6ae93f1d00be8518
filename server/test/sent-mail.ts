import { sql } from 'kysely'
import { makeLinkToken } from '../src/features/deliveries/link-token.ts'
import { linkMarker } from '../src/features/email-rendering/parts.ts'
import { newId } from '../src/kernel/ids.ts'
import { addMail } from './fixtures.ts'
import type { TestMerchant, TestOkaeri } from './harness.ts'

export interface SentMail {
  campaignId: string | null
  emailId: string
  messageId: string
  deliveryId: string
  customerId: string
  /** What stands in the links of this mail. */
  token: string
}

/** Further rows beside a mail already made: another recipient of the same message. */
type Beside = Partial<Pick<SentMail, 'campaignId' | 'emailId' | 'messageId' | 'customerId'>>

/** Rows as if a mail with two links had been sent to a customer, without the sending. */
export async function sentMail(
  okaeri: TestOkaeri,
  merchant: TestMerchant,
  options: {
    beside?: Beside
    sentAt?: Date
    testMode?: boolean
    address?: string
    links?: string[]
    marketing?: 'granted' | 'withdrawn' | 'unknown'
    language?: string
    name?: string
  } = {},
): Promise<SentMail> {
  const { db, keyring } = okaeri.context
  const at = options.sentAt ?? okaeri.clock.now()
  const merchant_id = merchant.id
  const beside = options.beside ?? {}
  const testMode = options.testMode ?? false
  const address = options.address ?? `${newId()}@example.jp`
  const links = options.links ?? ['https://shop.test/products/tea', 'https://shop.test/products/cup']
  const html = `<p>{{ customer.greeting }} <a href="${linkMarker(0)}">新茶</a></p>`
  const emailId = beside.emailId ?? newId()
  if (!beside.emailId)
    await sql`insert into emails (merchant_id, id, name, subject, content, size_bytes, created_at, updated_at)
      values (${merchant_id}, ${emailId}, '春のお知らせ', '春の新茶', '<p>新茶</p>', 20, ${at}, ${at})`.execute(db)
  const campaignId = beside.campaignId === undefined ? newId() : beside.campaignId
  const messageId = beside.messageId ?? newId()
  if (beside.campaignId === undefined)
    await sql`insert into campaigns (merchant_id, id, name, status, email_id, message_id, test_mode, started_at, sent_at, created_at, updated_at)
      values (${merchant_id}, ${campaignId}, ${options.name ?? '春のキャンペーン'}, 'sent', ${emailId}, ${messageId}, ${testMode}, ${at}, ${at}, ${at}, ${at})`.execute(
      db,
    )
  if (!beside.messageId) {
    await sql`insert into messages (merchant_id, id, campaign_id, email_id, links, tracking_enabled, created_at)
      values (${merchant_id}, ${messageId}, ${campaignId}, ${emailId}, ${links}, true, ${at})`.execute(db)
    await addMail(merchant.scope(), { messageId, subject: '春の新茶', html })
  }
  const customerId = beside.customerId ?? newId()
  if (!beside.customerId)
    await sql`insert into customers (merchant_id, id, email, email_key, display_name, language, marketing_state, created_at, updated_at)
      values (${merchant_id}, ${customerId}, ${address}, ${address.toLowerCase()}, '山田 花子', ${options.language ?? null},
        ${options.marketing ?? 'granted'}, ${at}, ${at})`.execute(db)
  const deliveryId = newId()
  await sql`insert into deliveries (merchant_id, id, kind, campaign_id, customer_id, message_id, status, address, test_mode, created_at, sent_at)
    values (${merchant_id}, ${deliveryId}, 'campaign', ${campaignId}, ${customerId}, ${messageId}, 'sent', ${address}, ${testMode}, ${at}, ${at})`.execute(
    db,
  )
  const token = makeLinkToken(keyring, { merchantId: merchant_id, deliveryId })
  return { campaignId, emailId, messageId, deliveryId, customerId, token }
}

/** As a person's browser calls itself. */
export const BROWSER =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
