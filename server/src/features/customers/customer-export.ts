import type { CustomerSelection } from '@okaeri/contract/customers/selection'
import type { Locale, Localized } from '@okaeri/contract/locale'
import { currencyDigits } from '@okaeri/contract/money'
import { prefectures } from '@okaeri/contract/segments/condition-places'
import { BYTE_ORDER_MARK, CSV_TYPE, type CsvCell, csvLines, localTimes } from '../../kernel/csv.ts'
import type { Download } from '../../kernel/http/download.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { type CustomerRow, selectCustomers } from './queries.ts'
import { selectionPages } from './list/selection.ts'

const headings = (timezone: string, currency: string) => [
  { ja: '顧客ID', en: 'Customer ID' },
  { ja: 'ストアの顧客ID', en: 'Store customer ID' },
  { ja: '表示名', en: 'Display name' },
  { ja: '姓', en: 'Last name' },
  { ja: '名', en: 'First name' },
  { ja: 'メールアドレス', en: 'Email' },
  { ja: '電話番号', en: 'Phone' },
  { ja: '国', en: 'Country' },
  { ja: '郵便番号', en: 'Postal code' },
  { ja: '都道府県', en: 'Prefecture / State' },
  { ja: '市区町村', en: 'City' },
  { ja: '住所（番地）', en: 'Address' },
  { ja: '住所（建物名・部屋番号）', en: 'Apartment, suite, etc.' },
  { ja: '会社名', en: 'Company' },
  { ja: '住所の電話番号', en: 'Phone of the address' },
  { ja: 'マーケティング許可', en: 'Marketing permission' },
  { ja: 'メール通知許可', en: 'Email notification permission' },
  { ja: 'タグ', en: 'Tags' },
  { ja: 'メール配信数', en: 'Emails sent' },
  { ja: '注文回数', en: 'Number of orders' },
  { ja: `累計購入金額（${currency}）`, en: `Total sales amount (${currency})` },
  { ja: `最終注文日時（${timezone}）`, en: `Last order (${timezone})` },
  { ja: `登録日時（${timezone}）`, en: `Created (${timezone})` },
]
const states: Record<string, Localized> = {
  granted: { ja: '許可', en: 'Subscribed' },
  withdrawn: { ja: '配信停止', en: 'Unsubscribed' },
  pending: { ja: '確認待ち', en: 'Pending' },
  unknown: { ja: '未確認', en: 'Never subscribed' },
}
const prefectureNames = new Map(prefectures.map(({ value, name_ja }) => [value, name_ja]))

/** The fields of a customer in a file. */
export type CustomerInFile = Pick<
  CustomerRow,
  | 'id'
  | 'store_customer_id'
  | 'display_name'
  | 'last_name'
  | 'first_name'
  | 'email'
  | 'phone'
  | 'address'
  | 'province_code'
  | 'marketing_state'
  | 'notification_state'
  | 'tags'
  | 'email_sent_count'
  | 'orders_count'
  | 'orders_amount'
  | 'orders_other_currency'
  | 'last_order_at'
  | 'created_at'
>

/** Columns of customers in CSV files: the header row, and a customer's cells. Addresses begin with the largest part, as in Japan. */
export function customerColumns(
  { timezone, currency }: { timezone: string; currency: string },
  language: Locale,
): { header: string[]; cells: (row: CustomerInFile) => CsvCell[] } {
  const digits = currencyDigits(currency)
  const time = localTimes(timezone)
  return {
    header: headings(timezone, currency).map((heading) => heading[language]),
    cells: (row) => {
      const at = (part: string): string | null => row.address?.[part] ?? null
      const inJapanese = language === 'ja' ? prefectureNames.get(row.province_code ?? '') : undefined
      return [
        row.id,
        row.store_customer_id === null ? null : String(row.store_customer_id),
        row.display_name,
        row.last_name,
        row.first_name,
        row.email,
        row.phone,
        at('country'),
        at('zip'),
        inJapanese ?? at('province'),
        at('city'),
        at('address1'),
        at('address2'),
        at('company'),
        at('phone'),
        states[row.marketing_state]?.[language] ?? row.marketing_state,
        states[row.notification_state]?.[language] ?? row.notification_state,
        row.tags.join(', '),
        row.email_sent_count,
        row.orders_count,
        (row.orders_amount / 10 ** digits).toFixed(digits),
        time(row.last_order_at),
        time(row.created_at),
      ]
    },
  }
}

/** Stands last in each file of customers, where columns that came first keep their places. */
export const otherCurrenciesColumn = (currency: string, language: Locale) => ({
  heading: {
    ja: `他の通貨の注文回数（${currency}の金額に含まず）`,
    en: `Orders in other currencies (not in the ${currency} amount)`,
  }[language],
  cell: (row: Pick<CustomerInFile, 'orders_other_currency'>): CsvCell => row.orders_other_currency,
})

const ROWS_A_PAGE = 1000
const fileNames: Localized = { ja: '顧客', en: 'Customers' }

/** Customers as a file, streamed page by page. */
export async function exportCustomers(
  scope: MerchantScope,
  selection: CustomerSelection,
  language: Locale,
): Promise<Download> {
  const merchant = await getMerchant(scope)
  const { header, cells } = customerColumns(merchant, language)
  const last = otherCurrenciesColumn(merchant.currency, language)
  const pages = await selectionPages(scope, selection, ROWS_A_PAGE)
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLines([[...header, last.heading]])
    for await (const ids of pages) {
      const rows = new Map((await selectCustomers(scope, ids)).map((row) => [row.id, row]))
      yield csvLines(ids.flatMap((id) => rows.get(id) ?? []).map((row) => [...cells(row), last.cell(row)]))
    }
  }
  const day = localTimes(merchant.timezone)(scope.now)?.slice(0, 10) ?? ''
  return { fileName: `${fileNames[language]}_${day}.csv`, mediaType: CSV_TYPE, content: content() }
}
