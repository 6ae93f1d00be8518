import { canaryLimit, type CanaryProblem, problemsOf } from '@okaeri/contract/campaigns/canary'
import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { systemMessage } from '../../integrations/mail/system-message.ts'
import { job } from '../../kernel/jobs.ts'
import { getOwner } from '../merchants/index.ts'
import { getCampaignRow } from './queries.ts'

/** A mail to the owner, in their language: the rest of a campaign is held back. After a failure between sending and recording it, it comes twice. */
export const mailCanaryWarning = job<{ campaignId: string }>(
  'campaigns.mail_canary_warning',
  ({ campaignId }) => campaignId,
  async (scope, { campaignId }) => {
    const { name, wait_reason, canary_result } = await getCampaignRow(scope, campaignId)
    // Somebody said already how it goes on.
    if (wait_reason !== 'canary_stopped' || !canary_result) return
    const owner = await getOwner(scope)
    if (!owner.email_confirmed_at) return
    const problems = problemsOf(canary_result).map((problem) => ({ problem, count: canary_result[problem] }))
    const link = `${scope.context.settings.publicUrl}/_app/campaigns/${campaignId}`
    await scope.context.integrations.systemMail.send({
      to: owner.email,
      ...warningMail(owner.language, { name, tried: canary_result.tried, problems, link }),
    })
  },
)

interface About {
  name: string
  tried: number
  problems: readonly { problem: CanaryProblem; count: number }[]
  link: string
}
function warningMail(language: Locale, { name, tried, problems, link }: About): ReturnType<typeof systemMessage> {
  const { subject, found, advice, button, problem } = wordsIn(mailWords(name, tried), language)
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  return systemMessage({
    language,
    subject,
    paragraphs: [
      [found],
      problems.map((one) => `${problem[one.problem]}: ${one.count} (${percent.format(canaryLimit(one.problem))})`),
      [advice],
    ],
    button: { text: button, link },
  })
}

const mailWords = (name: string, tried: number) => ({
  subject: {
    ja: `【Okaeri】キャンペーン「${name}」の配信を止めています`,
    en: `[Okaeri] The campaign “${name}” is held back`,
  },
  found: {
    ja: `キャンペーン「${name}」を先行配信した${tried}件で、次の数が目安（かっこ内）を超えました。残りの配信を止めています。`,
    en: `Of the first ${tried} emails of the campaign “${name}”, more than usual (in brackets) went wrong. The rest is held back.`,
  },
  problem: {
    hard: { ja: '宛先不明', en: 'Address does not exist' },
    blocked: { ja: '受信側による拒否', en: 'Refused by the receiver' },
    complaints: { ja: '迷惑メールの報告', en: 'Complaints' },
    failed: { ja: '配信エラー', en: 'Failed' },
  },
  advice: {
    ja: '宛先の選び方や本文をご確認のうえ、このまま配信するか、停止するかを、キャンペーンのページでお選びください。',
    en: 'Please check whom it goes to and what it says. On the campaign’s page you choose whether to send the rest or stop.',
  },
  button: { ja: 'キャンペーンを開く', en: 'Open the campaign' },
})
