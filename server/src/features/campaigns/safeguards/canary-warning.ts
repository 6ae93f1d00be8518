import { canaryLimit, type CanaryProblem, type CanaryResult, problemsOf } from '@okaeri/contract/campaigns/canary'
import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { systemMessage } from '../../../integrations/mail/system-message.ts'
import { job } from '../../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { getOwner } from '../../merchants/index.ts'
import { getCampaignRow } from '../queries.ts'

/** A mail to the owner, in their language: the rest of a campaign is held back. After a failure between sending and recording it, it comes twice. */
export const mailCanaryWarning = job<{ campaignId: string }>(
  'campaigns.mail_canary_warning',
  ({ campaignId }) => campaignId,
  async (scope, { campaignId }) => {
    const { name, wait_reason, canary_result } = await getCampaignRow(scope, campaignId)
    // A member decided already how it continues.
    if (wait_reason !== 'canary_stopped' || !canary_result) return
    await mailOwner(scope, { campaignId, name, result: canary_result, isBrake: false })
  },
)

/** As {@link mailCanaryWarning}, of a campaign that was being sent to all. */
export const mailCircuitBreakerWarning = job<{ campaignId: string }>(
  'campaigns.mail_brake_warning',
  ({ campaignId }) => campaignId,
  async (scope, { campaignId }) => {
    const { name, wait_reason, brake_result } = await getCampaignRow(scope, campaignId)
    if (wait_reason !== 'braked' || !brake_result) return
    await mailOwner(scope, { campaignId, name, result: brake_result, isBrake: true })
  },
)

async function mailOwner(
  scope: MerchantScope,
  about: { campaignId: string; name: string; result: CanaryResult; isBrake: boolean },
): Promise<void> {
  const owner = await getOwner(scope)
  if (!owner.email_confirmed_at) return
  const { name, result, isBrake } = about
  const problems = problemsOf(result).map((problem) => ({ problem, count: result[problem] }))
  const link = `${scope.context.settings.publicUrl}/_app/campaigns/${about.campaignId}`
  await scope.context.integrations.systemMail.send({
    to: owner.email,
    ...warningMail(owner.language, { name, tried: result.tried, isBrake, problems, link }),
  })
}

interface About {
  name: string
  tried: number
  isBrake: boolean
  problems: readonly { problem: CanaryProblem; count: number }[]
  link: string
}
function warningMail(language: Locale, about: About): ReturnType<typeof systemMessage> {
  const { name, tried, isBrake, problems, link } = about
  const { subject, found, braked, advice, button, problem } = wordsIn(mailWords(name, tried), language)
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  return systemMessage({
    language,
    subject,
    paragraphs: [
      [isBrake ? braked : found],
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
  braked: {
    ja: `キャンペーン「${name}」を配信した直近の${tried}件で、次の数が目安（かっこ内）を超えました。残りの配信を止めています。`,
    en: `Of the last ${tried} emails of the campaign “${name}”, more than usual (in brackets) went wrong. The rest is held back.`,
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
