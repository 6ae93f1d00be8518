import type { Locale } from '@okaeri/contract/locale'
import { BYTE_ORDER_MARK, CSV_TYPE, csvLines, localTimes } from '../../kernel/csv.ts'
import { type Download, inFileName } from '../../kernel/http/download.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { customerColumns, otherCurrenciesColumn } from '../customers/index.ts'
import { selectMembersToWrite } from './membership/members-queries.ts'
import { readMerchantCalendar, type SegmentRow } from './queries.ts'

const entered = (timezone: string) => ({
  ja: `セグメントに入った日時（${timezone}）`,
  en: `In the segment since (${timezone})`,
})

const ROWS_A_PAGE = 1000

/** The members as a file, streamed page by page. */
export async function downloadMembers(scope: MerchantScope, segment: SegmentRow, language: Locale): Promise<Download> {
  const { timezone, currency } = await readMerchantCalendar(scope)
  const time = localTimes(timezone)
  const { header, cells } = customerColumns({ timezone, currency }, language)
  const last = otherCurrenciesColumn(currency, language)
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLines([[...header, entered(timezone)[language], last.heading]])
    for (let after = NIL_ID, more = true; more; ) {
      const rows = await selectMembersToWrite(scope, segment.id, { after, limit: ROWS_A_PAGE })
      if (rows.length > 0) yield csvLines(rows.map((row) => [...cells(row), time(row.entered_at), last.cell(row)]))
      after = rows.at(-1)?.id ?? after
      more = rows.length === ROWS_A_PAGE
    }
  }
  return { fileName: `${inFileName(segment.name)}.csv`, mediaType: CSV_TYPE, content: content() }
}
