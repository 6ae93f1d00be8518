import { OTHERS } from '@okaeri/contract/deliverability/routes'
import { isReceiverKey } from '@okaeri/contract/emails/receivers'
import { receiverNames } from '@okaeri/contract/emails/receiver-names'
import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { BYTE_ORDER_MARK, CSV_TYPE, type CsvCell, csvLines, localTimes } from '../../kernel/csv.ts'
import { type Download, inFileName } from '../../kernel/http/download.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { countCampaignReceivers, spanOf } from './deliverability.ts'
import { deliveredOf, ranked, ratesOf, type ReceiverSum } from './figures.ts'
import { listFigures } from './queries.ts'
import { fileWords } from './words.ts'

const nameOf = (receiver: string, language: Locale, others: string): string =>
  receiver === OTHERS ? others : isReceiverKey(receiver) ? receiverNames[receiver][language] : receiver

const figuresOf = (row: ReceiverSum, time: (at: Date | null) => string | null): CsvCell[] => {
  const rates = ratesOf(row)
  return [
    row.sent,
    row.refused,
    row.refused_hard,
    row.failed,
    row.uncertain,
    row.bounced_hard,
    row.bounced_soft,
    row.bounced_blocked,
    deliveredOf(row),
    row.complained,
    row.opened,
    row.clicked,
    rates.refused_rate,
    rates.hard_rate,
    rates.complaint_rate,
    rates.open_rate,
    rates.click_rate,
    time(row.first_sent_at),
    time(row.last_sent_at),
    row.peak_per_minute,
    row.answers.map(({ words, count }) => `${words} (${count})`).join(' / '),
  ]
}

/** All receivers of a campaign, also those that the page shows among the others. */
export async function downloadCampaignReceivers(scope: MerchantScope, id: string, language: Locale): Promise<Download> {
  const { timezone } = await getMerchant(scope)
  const { name, rows } = await countCampaignReceivers(scope, id)
  const words = wordsIn(fileWords, language)
  const time = localTimes(timezone)
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK +
      csvLines([
        [words.receiver, words.waiting, ...words.columns(timezone)],
        ...ranked(rows, rows.length).map((row) => [
          nameOf(row.receiver, language, words.others),
          row.waiting,
          ...figuresOf(row, time),
        ]),
      ])
  }
  return { fileName: `${inFileName(name)}_${words.file}.csv`, mediaType: CSV_TYPE, content: content() }
}

/** Each day and receiver, the days in order. */
export async function downloadDeliverability(scope: MerchantScope, days: number, language: Locale): Promise<Download> {
  const { timezone, today, first } = await spanOf(scope, days)
  const span = { from: first.toISODate() ?? '', to: today.toISODate() ?? '' }
  const rows = await listFigures(scope, span)
  const words = wordsIn(fileWords, language)
  const time = localTimes(timezone)
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLines([[words.day, words.receiver, ...words.columns(timezone)]])
    const byDay = [...Map.groupBy(rows, ({ day }) => day)].toSorted(([a], [b]) => a.localeCompare(b))
    for (const [day, theirs] of byDay)
      yield csvLines(
        ranked(
          theirs.map((row) => ({ ...row, waiting: 0 })),
          theirs.length,
        ).map((row) => [day, nameOf(row.receiver, language, words.others), ...figuresOf(row, time)]),
      )
  }
  return { fileName: `${words.file}_${span.from}_${span.to}.csv`, mediaType: CSV_TYPE, content: content() }
}
