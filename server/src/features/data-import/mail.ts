import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { systemMessage } from '../../integrations/mail/system-message.ts'
import type { ImportRow } from './queries.ts'
import { importWords } from './words.ts'

/** How an import ended, for the member who began it. */
export function endMail(language: Locale, row: ImportRow, link: string): ReturnType<typeof systemMessage> {
  const outcome = row.status === 'failed' || row.status === 'cancelled' ? row.status : 'done'
  const { subject, mark, counts, errors, button } = wordsIn(mailWords(row, language), language)
  const title = subject[outcome === 'done' && row.error_count > 0 ? 'doneWithErrors' : outcome]
  const lines = [
    ...counts,
    ...(row.failure ? [importWords.failures[row.failure][language]] : []),
    ...(row.error_count > 0 ? [errors] : []),
  ]
  const message = systemMessage({
    language,
    subject: title,
    paragraphs: [[title], lines],
    button: { text: button, link },
  })
  return { ...message, subject: `${mark}${title}` }
}

function mailWords(row: ImportRow, language: Locale) {
  const number = (count: number): string => count.toLocaleString(language)
  const [read, made, changed] = [number(row.rows_count), number(row.created_count), number(row.changed_count)]
  const [unchanged, wrong] = [number(row.unchanged_count), number(row.error_count)]
  const { ja, en } = importWords.apps[row.app]
  return {
    mark: { ja: '【Okaeri】', en: '[Okaeri] ' },
    subject: {
      done: { ja: '取り込みが完了しました', en: 'Your import is complete' },
      doneWithErrors: { ja: '取り込みが完了しました（エラー行あり）', en: 'Your import is complete, with errors' },
      failed: { ja: '取り込みを完了できませんでした', en: 'Your import failed' },
      cancelled: { ja: '取り込みを中止しました', en: 'Your import was cancelled' },
    },
    counts: [
      { ja: `ファイル：${row.file_name}（${ja}）`, en: `File: ${row.file_name} (${en})` },
      { ja: `読み取った行：${read}`, en: `Rows read: ${read}` },
      {
        ja: `新規：${made}　更新：${changed}　変更なし：${unchanged}`,
        en: `New: ${made} / Changed: ${changed} / Unchanged: ${unchanged}`,
      },
      { ja: `エラー：${wrong}`, en: `Errors: ${wrong}` },
    ],
    errors: {
      ja: 'エラー行は、理由を付けたCSVとして次のページからダウンロードできます。',
      en: 'You can download the error rows as a CSV file with reasons.',
    },
    button: { ja: '取り込みの結果を開く', en: 'View import results' },
  }
}
