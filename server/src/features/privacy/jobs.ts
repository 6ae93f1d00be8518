import type { Locale } from '@okaeri/contract/locale'
import { job } from '../../kernel/jobs.ts'
import { getMerchant, getOwner, unconfirmedOf } from '../merchants/index.ts'
import { findFile } from './queries.ts'
import { mailWords } from './words.ts'

/** Tells the merchant's staff that a file is there. It names nobody. A second run mails a second time, at worst. */
export const mailFileReady = job<{ requestId: string }>(
  'privacy.mail_file_ready',
  ({ requestId }) => requestId,
  async (scope, { requestId }) => {
    if ((await findFile(scope, requestId)) === null) return
    const { staff_email: staff, language, account_confirmed } = await getMerchant(scope)
    if (!account_confirmed) return
    const isKnown = staff !== null && (await unconfirmedOf(scope, 'test', [staff])).length === 0
    const to = isKnown ? staff : (await getOwner(scope)).email
    const link = `${scope.context.settings.publicUrl}/_app/privacy`
    await scope.context.integrations.systemMail.send({ to, ...fileReadyMail(language, link) })
  },
)

function fileReadyMail(language: Locale, link: string): { subject: string; text: string; html: string } {
  const { subject, lines, button } = mailWords[language]
  const style = 'font-family:sans-serif;font-size:16px;line-height:1.7;color:#1f2328;max-width:560px;margin:24px auto'
  return {
    subject,
    text: [...lines, '', link, '', 'Okaeri', ''].join('\n'),
    html: `<!doctype html><html lang="${language}"><body><div style="${style}"><p>${lines.join('<br>')}</p>
<p><a href="${link}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f6f5c;color:#fff;text-decoration:none">${button}</a></p>
<p style="font-size:13px;word-break:break-all">${link}</p><p>Okaeri</p></div></body></html>`,
  }
}
