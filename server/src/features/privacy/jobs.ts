import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { systemMessage } from '../../integrations/mail/system-message.ts'
import { job } from '../../kernel/work/jobs.ts'
import { getMerchant, getOwner, unconfirmedOf } from '../merchants/index.ts'
import { findFile } from './queries.ts'
import { mailWords } from './words.ts'

/** Mails the merchant's members that a file is ready. The mail names no customer. In the worst case a second run mails again. */
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

function fileReadyMail(language: Locale, link: string): ReturnType<typeof systemMessage> {
  const { subject, lines, button } = wordsIn(mailWords, language)
  return systemMessage({ language, subject, paragraphs: [lines], button: { text: button, link } })
}
