import type { Locale } from '@okaeri/contract/locale'
import type { ImportRow } from './queries.ts'
import { importWords } from './words.ts'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** How an import ended, for the member who began it. */
export function endMail(
  language: Locale,
  row: ImportRow,
  link: string,
): { subject: string; text: string; html: string } {
  const { apps, failures } = importWords[language]
  const number = (count: number): string => count.toLocaleString(language)
  const outcome = row.status === 'failed' || row.status === 'cancelled' ? row.status : 'done'
  const words =
    language === 'ja'
      ? {
          subject: {
            done: row.error_count > 0 ? '取り込みが完了しました（エラー行あり）' : '取り込みが完了しました',
            failed: '取り込みを完了できませんでした',
            cancelled: '取り込みを中止しました',
          }[outcome],
          counts: [
            `ファイル：${row.file_name}（${apps[row.app]}）`,
            `読み取った行：${number(row.rows_count)}`,
            `新規：${number(row.created_count)}　更新：${number(row.changed_count)}　変更なし：${number(row.unchanged_count)}`,
            `エラー：${number(row.error_count)}`,
          ],
          errors: 'エラー行は、理由を付けたCSVとして次のページからダウンロードできます。',
          button: '取り込みの結果を開く',
        }
      : {
          subject: {
            done: row.error_count > 0 ? 'Your import is complete, with errors' : 'Your import is complete',
            failed: 'Your import failed',
            cancelled: 'Your import was cancelled',
          }[outcome],
          counts: [
            `File: ${row.file_name} (${apps[row.app]})`,
            `Rows read: ${number(row.rows_count)}`,
            `New: ${number(row.created_count)} / Changed: ${number(row.changed_count)} / Unchanged: ${number(row.unchanged_count)}`,
            `Errors: ${number(row.error_count)}`,
          ],
          errors: 'You can download the error rows as a CSV file with reasons.',
          button: 'View import results',
        }
  const lines = [
    ...words.counts,
    ...(row.failure ? [failures[row.failure]] : []),
    ...(row.error_count > 0 ? [words.errors] : []),
  ]
  const style = 'font-family:sans-serif;font-size:16px;line-height:1.7;color:#1f2328;max-width:560px;margin:24px auto'
  return {
    subject: language === 'ja' ? `【Okaeri】${words.subject}` : `[Okaeri] ${words.subject}`,
    text: [words.subject, '', ...lines, '', link, '', 'Okaeri', ''].join('\n'),
    html: `<!doctype html><html lang="${language}"><body><div style="${style}"><p>${escaped(words.subject)}</p>
<p>${lines.map(escaped).join('<br>')}</p>
<p><a href="${escaped(link)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f6f5c;color:#fff;text-decoration:none">${words.button}</a></p>
<p style="font-size:13px;word-break:break-all">${escaped(link)}</p><p>Okaeri</p></div></body></html>`,
  }
}
