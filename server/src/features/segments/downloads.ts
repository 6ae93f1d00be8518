import type { Locale } from '@okaeri/contract/locale'
import { currencyDigits } from '@okaeri/contract/money'
import { BYTE_ORDER_MARK, CSV_TYPE, csvLines, localTimes } from '../../kernel/csv.ts'
import { type Download, inFileName } from '../../kernel/download.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { selectMembersToWrite } from './members-queries.ts'
import { readMerchantCalendar, type SegmentRow } from './queries.ts'

const columns: Record<Locale, (timezone: string, currency: string) => string[]> = {
  ja: (timezone, currency) => [
    '顧客ID',
    'ストアの顧客ID',
    '表示名',
    '姓',
    '名',
    'メールアドレス',
    '電話番号',
    'マーケティング許可',
    'メール通知許可',
    'タグ',
    'メール配信数',
    '注文回数',
    `累計購入金額（${currency}）`,
    `最終注文日時（${timezone}）`,
    `登録日時（${timezone}）`,
    `セグメントに入った日時（${timezone}）`,
  ],
  en: (timezone, currency) => [
    'Customer ID',
    'Store customer ID',
    'Display name',
    'Last name',
    'First name',
    'Email',
    'Phone',
    'Marketing permission',
    'Email notification permission',
    'Tags',
    'Emails sent',
    'Number of orders',
    `Total spent (${currency})`,
    `Last order (${timezone})`,
    `Created (${timezone})`,
    `In the segment since (${timezone})`,
  ],
}
const states: Record<Locale, Record<string, string>> = {
  ja: { granted: '許可', withdrawn: '配信停止', pending: '確認待ち', unknown: '未確認' },
  en: { granted: 'Subscribed', withdrawn: 'Unsubscribed', pending: 'Pending', unknown: 'Never subscribed' },
}

const ROWS_A_PAGE = 1000

/** The members as a file, page by page as it is read. */
export async function downloadMembers(scope: MerchantScope, segment: SegmentRow, language: Locale): Promise<Download> {
  const { timezone, currency } = await readMerchantCalendar(scope)
  const digits = currencyDigits(currency)
  const time = localTimes(timezone)
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLines([columns[language](timezone, currency)])
    for (let after = NIL_ID, more = true; more; ) {
      const rows = await selectMembersToWrite(scope, segment.id, { after, limit: ROWS_A_PAGE })
      if (rows.length > 0)
        yield csvLines(
          rows.map((row) => [
            row.customer_id,
            row.store_customer_id === null ? null : String(row.store_customer_id),
            row.display_name,
            row.last_name,
            row.first_name,
            row.email,
            row.phone,
            states[language][row.marketing_state] ?? row.marketing_state,
            states[language][row.notification_state] ?? row.notification_state,
            row.tags.join(', '),
            row.email_sent_count,
            row.orders_count,
            (row.orders_amount / 10 ** digits).toFixed(digits),
            time(row.last_order_at),
            time(row.created_at),
            time(row.entered_at),
          ]),
        )
      after = rows.at(-1)?.customer_id ?? after
      more = rows.length === ROWS_A_PAGE
    }
  }
  return { fileName: `${inFileName(segment.name)}.csv`, mediaType: CSV_TYPE, content: content() }
}
