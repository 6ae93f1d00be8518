import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { systemMessage } from '../../../integrations/mail/system-message.ts'
import { job } from '../../../kernel/work/jobs.ts'
import { getOwner } from '../../merchants/index.ts'
import { getCampaignRow } from '../queries.ts'

/** A mail to the owner, in their language: a person decides what the rest gets. After a failure between sending and recording it, it comes twice. */
export const mailTestQuestion = job<{ campaignId: string }>(
  'campaigns.mail_test_question',
  ({ campaignId }) => campaignId,
  async (scope, { campaignId }) => {
    const { name, status, ab_result, wait_reason } = await getCampaignRow(scope, campaignId)
    const isLate = wait_reason === 'found_late'
    // A member decided already, or stopped it.
    if ((status !== 'waiting' && status !== 'sending') || (ab_result && !isLate)) return
    const owner = await getOwner(scope)
    if (!owner.email_confirmed_at) return
    const link = `${scope.context.settings.publicUrl}/_app/campaigns/${campaignId}`
    await scope.context.integrations.systemMail.send({
      to: owner.email,
      ...questionMail(owner.language, { name, isLate, link }),
    })
  },
)

function questionMail(
  language: Locale,
  { name, isLate, link }: { name: string; isLate: boolean; link: string },
): ReturnType<typeof systemMessage> {
  const { subject, over, late, choose, button } = wordsIn(mailWords(name), language)
  return systemMessage({
    language,
    subject,
    paragraphs: [[isLate ? late : over], [choose]],
    button: { text: button, link },
  })
}

const mailWords = (name: string) => ({
  subject: {
    ja: `【Okaeri】キャンペーン「${name}」の残りの配信をお選びください`,
    en: `[Okaeri] Choose what the rest of “${name}” gets`,
  },
  over: {
    ja: `キャンペーン「${name}」のA/Bテストの時間が終わりました。残りの顧客には、まだ配信していません。`,
    en: `The time of the A/B test of “${name}” is over. The remaining customers have not been sent anything yet.`,
  },
  late: {
    ja: `システムの停止などのため、キャンペーン「${name}」の残りの顧客に、予定の時刻に配信できませんでした。まだ配信していません。`,
    en: `The remaining customers of “${name}” could not be sent it on time, for example because of an outage. They have not been sent anything yet.`,
  },
  choose: {
    ja: '結果をご確認のうえ、AとBのどちらを残りの顧客に配信するか、または配信を停止するかを、キャンペーンのページでお選びください。',
    en: 'On the campaign’s page you see the results, and choose whether the rest gets A or B, or nothing.',
  },
  button: { ja: 'キャンペーンを開く', en: 'Open the campaign' },
})
