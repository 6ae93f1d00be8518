import { complaintLimits, complaintRate } from '@okaeri/contract/deliverability/complaints'
import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { systemMessage } from '../../integrations/mail/system-message.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getOwner } from '../merchants/index.ts'
import { recentComplaints } from './deliverability.ts'
import { findWarning, noteWarning, type WarningRow } from './queries.ts'

/** Said again where it is no worse, but has not become better for so long. */
const AGAIN_AFTER_MS = 30 * 86_400_000

/** Whether the owner hears of it: once for each limit that is passed. Pure. */
export function isNews(level: WarningRow['level'], before: WarningRow | null, now: Date): boolean {
  if (!before) return true
  const age = now.getTime() - before.warned_at.getTime()
  if (level === 'over' && before.level === 'high') return true
  if (age >= AGAIN_AFTER_MS) return true
  return false
}

/** A person reported a mail as spam. */
export const requestComplaintCheck = (scope: MerchantScope): Promise<void> =>
  scope.context.jobs.later(scope, checkComplaints, {})

export const checkComplaints = job<Record<string, never>>(
  'deliverability.look_at_complaints',
  () => 'all',
  async (scope) => {
    const { level } = await recentComplaints(scope)
    if (level !== 'high' && level !== 'over') return
    await scope.transaction(async (scope) => {
      const before = await findWarning(scope)
      if (!isNews(level, before, scope.now) || !(await noteWarning(scope, level, before))) return
      await scope.context.jobs.later(scope, mailComplaintWarning, { at: scope.now.toISOString() })
    })
  },
)

/** A mail to the owner, in their language. After a failure between sending and recording it, it comes twice. */
export const mailComplaintWarning = job<{ at: string }>(
  'deliverability.mail_complaint_warning',
  ({ at }) => at,
  async (scope) => {
    const { level, delivered, complained } = await recentComplaints(scope)
    if (level !== 'high' && level !== 'over') return
    const owner = await getOwner(scope)
    if (!owner.email_confirmed_at) return
    const link = `${scope.context.settings.publicUrl}/_app/reports/deliverability`
    await scope.context.integrations.systemMail.send({
      to: owner.email,
      ...warningMail(owner.language, { level, delivered, complained, link }),
    })
  },
)

interface About {
  level: WarningRow['level']
  delivered: number
  complained: number
  link: string
}
export function warningMail(language: Locale, about: About): ReturnType<typeof systemMessage> {
  const number = new Intl.NumberFormat(language)
  const percent = (value: number): string =>
    `${new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value)}%`
  const said = wordsIn(
    mailWords({
      delivered: number.format(about.delivered),
      complained: number.format(about.complained),
      rate: percent(complaintRate(about.complained, about.delivered)),
      limit: percent(complaintLimits[about.level]),
    }),
    language,
  )
  return systemMessage({
    language,
    subject: said.subject[about.level],
    paragraphs: [[said.found], [said.meaning[about.level]], [said.advice]],
    button: { text: said.button, link: about.link },
  })
}

const mailWords = (of: { delivered: string; complained: string; rate: string; limit: string }) => ({
  subject: {
    high: { ja: '【Okaeri】迷惑メール報告が増えています', en: '[Okaeri] Spam complaints are rising' },
    over: {
      ja: '【Okaeri】至急：迷惑メール報告が上限を超えました',
      en: '[Okaeri] Urgent: spam complaints are over the limit',
    },
  },
  found: {
    ja: `この7日間に届いたメール${of.delivered}通のうち${of.complained}通（${of.rate}）が、迷惑メールとして報告されました。目安の${of.limit}を超えています。`,
    en: `Of ${of.delivered} emails delivered in the last 7 days, ${of.complained} (${of.rate}) were reported as spam. That is over ${of.limit}.`,
  },
  meaning: {
    high: {
      ja: 'GmailやYahooは、0.1%未満に保つよう送信者に求めています。このまま増えると、メールが迷惑メールに入りやすくなります。',
      en: 'Gmail and Yahoo ask senders to stay below 0.1%. If the rate keeps rising, more of your emails will go to the spam folder.',
    },
    over: {
      ja: 'GmailやYahooの上限は0.3%です。超えたまま配信を続けると、メールの多くが迷惑メールに入り、受信を拒否されることもあります。原因がわかるまで、多くの人への配信は控えてください。',
      en: 'The limit of Gmail and Yahoo is 0.3%. While you are over it, most of your emails may go to the spam folder or be refused. Hold large campaigns until you know the reason.',
    },
  },
  advice: {
    ja: '最近開封した人だけに配信する、配信の頻度を下げる、配信停止の方法を見つけやすくする、などをお試しください。',
    en: 'What helps: send only to people who opened something lately, send less often, and make it easy to unsubscribe.',
  },
  button: { ja: '到達状況を見る', en: 'View deliverability' },
})
