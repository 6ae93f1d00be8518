import { DELIVERIES_COUNTED_TO, type DeliveryView } from '@okaeri/contract/deliveries/delivery'
import type { LineDelivery, LineHistoryFilter } from '@okaeri/contract/line-messages/routes'
import { type Locale, wordsIn } from '@okaeri/contract/locale'
import type { Page } from '@okaeri/contract/paging'
import { BYTE_ORDER_MARK, CSV_TYPE, csvLines, localTimes } from '../../kernel/csv.ts'
import type { Download } from '../../kernel/http/download.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { countHistories, type HistoryFilter, type HistoryRow, selectHistories } from './history-queries.ts'
import { localDays } from './local-span.ts'
import { fileWords } from './words.ts'

interface Part {
  limit: number
  offset: number
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null
const present = (row: HistoryRow): DeliveryView => ({
  ...row,
  created_at: row.created_at.toISOString(),
  sent_at: iso(row.sent_at),
  opened_at: iso(row.opened_at),
  clicked_at: iso(row.clicked_at),
  bounced_at: iso(row.bounced_at),
})

export async function listEmailHistories(
  scope: MerchantScope,
  query: Part & {
    email_id?: string | undefined
    customer_id?: string | undefined
    kind?: DeliveryView['kind'] | undefined
  },
): Promise<Page<DeliveryView>> {
  const { limit, offset, email_id: contentId, customer_id: customerId, kind } = query
  const filter: HistoryFilter = { channel: 'email', contentId, customerId, kind }
  const [rows, total] = await Promise.all([
    selectHistories(scope, filter, { limit, offset }),
    countHistories(scope, filter, null),
  ])
  return { data: rows.map(present), limit, offset, total }
}

export async function listLineHistories(
  scope: MerchantScope,
  { limit, offset, ...asked }: LineHistoryFilter & Part,
): Promise<Page<LineDelivery>> {
  const filter = await filterOf(scope, asked)
  const [rows, total] = await Promise.all([
    selectHistories(scope, filter, { limit, offset }),
    countHistories(scope, filter, DELIVERIES_COUNTED_TO),
  ])
  const data = rows.map((row) => ({
    ...present(row),
    line_message_name: row.content_name,
    line_message_deleted: row.content_deleted,
  }))
  return { data, limit, offset, total }
}

async function filterOf(scope: MerchantScope, asked: LineHistoryFilter): Promise<HistoryFilter> {
  const { line_message_id: contentId, customer_id: customerId, q, from, to, ...same } = asked
  const { timezone } = await getMerchant(scope)
  return { ...same, channel: 'line', contentId, customerId, name: q?.trim(), ...localDays({ from, to }, timezone) }
}

const ROWS_A_PAGE = 1000

/** The history of LINE messages as a file, page by page as it is read. */
export async function downloadLineHistories(
  scope: MerchantScope,
  asked: LineHistoryFilter,
  language: Locale,
): Promise<Download> {
  const filter = await filterOf(scope, asked)
  const { timezone } = await getMerchant(scope)
  const words = wordsIn(fileWords, language)
  const time = localTimes(timezone)
  const cells = (row: HistoryRow) => [
    row.customer_name,
    row.recipient,
    row.content_name,
    row.subject,
    words.kind[row.kind],
    row.campaign_name ?? row.scenario_name,
    words.status[row.status],
    row.reason ? (words.reason[row.reason] ?? row.reason) : null,
    row.detail,
    row.test_mode || row.kind === 'test' ? words.yes : null,
    time(row.sent_at),
    time(row.clicked_at),
  ]
  const page = (after?: string) => selectHistories(scope, filter, { limit: ROWS_A_PAGE, after })
  // Before the answer begins: what cannot be searched for is refused.
  const first = await page()
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLines([words.lineHistoryColumns(timezone)])
    for (let rows = first; rows.length > 0; rows = rows.length < ROWS_A_PAGE ? [] : await page(rows.at(-1)?.id))
      yield csvLines(rows.map(cells))
  }
  const day = time(scope.now)?.slice(0, 10) ?? ''
  return { fileName: `${words.lineHistory}_${day}.csv`, mediaType: CSV_TYPE, content: content() }
}
