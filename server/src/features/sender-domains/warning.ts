import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { type DomainRecordKind, FAILING_DAYS } from '@okaeri/contract/sender-domains/domain'
import { systemMessage } from '../../integrations/mail/system-message.ts'
import { job } from '../../kernel/work/jobs.ts'
import { getOwner } from '../merchants/index.ts'
import { findDomain } from './queries.ts'
import { isGone, isWatched } from './record-judgment.ts'

/** A mail to the owner, in their language: a record that no longer exists. After a failure between sending and recording it, it comes twice. */
export const mailDomainWarning = job<{ domainId: string; at: string }>(
  'sender_domains.mail_warning',
  ({ domainId, at }) => `${domainId} ${at}`,
  async (scope, { domainId }) => {
    const domain = await findDomain(scope, domainId)
    // It came back, or was deleted, before the mail left.
    if (!domain?.warned_at) return
    const owner = await getOwner(scope)
    if (!owner.email_confirmed_at) return
    const gone = domain.records.filter((record) => isWatched(record) && isGone(record))
    const link = `${scope.context.settings.publicUrl}/_app/settings?tab=mail`
    const isFailing = domain.status === 'failing'
    await scope.context.integrations.systemMail.send({
      to: owner.email,
      ...warningMail(owner.language, { name: domain.name, gone, isFailing, link }),
    })
  },
)

export function warningMail(
  language: Locale,
  about: { name: string; gone: readonly { kind: DomainRecordKind; name: string }[]; isFailing: boolean; link: string },
): ReturnType<typeof systemMessage> {
  const { subject, found, failing, others, advice, button, record } = wordsIn(mailWords(about.name), language)
  return systemMessage({
    language,
    subject,
    paragraphs: [
      [found],
      about.gone.map(({ kind, name }) => `${record[kind]}: ${name}`),
      [about.isFailing ? failing : others, advice],
    ],
    button: { text: button, link: about.link },
  })
}

const mailWords = (name: string) => ({
  subject: { ja: `【Okaeri】${name} のDNSレコードが見つかりません`, en: `[Okaeri] DNS records of ${name} are missing` },
  found: {
    ja: `差出人ドメイン ${name} に設定されていた、次のDNSレコードが見つからなくなりました。`,
    en: `These DNS records of your sender domain ${name} were there before and can no longer be found.`,
  },
  record: {
    ownership: { ja: '所有の確認', en: 'Ownership' },
    dkim: { ja: 'DKIM', en: 'DKIM' },
    dkim_next: { ja: 'DKIM（次の鍵）', en: 'DKIM (next key)' },
    spf: { ja: 'SPF', en: 'SPF' },
    dmarc: { ja: 'DMARC', en: 'DMARC' },
    mx: { ja: 'MX', en: 'MX' },
    tracking: { ja: 'リンクのドメイン', en: 'Link domain' },
  },
  failing: {
    ja: `このまま${FAILING_DAYS}日が過ぎると、このドメインのアドレスからは、確認済みのアドレスを除いて配信できなくなります。`,
    en: `If they are still missing after ${FAILING_DAYS} days, emails can only be sent from addresses of this domain that are confirmed on their own.`,
  },
  others: {
    ja: '配信は続きますが、メールが迷惑メールに入りやすくなるおそれがあります。',
    en: 'Sending continues, but your emails are more likely to be treated as spam.',
  },
  advice: {
    ja: 'DNSを変更した場合は、設定のページで必要なレコードをご確認のうえ、もう一度設定してください。',
    en: 'If you changed your DNS, check the records on the settings page and publish them again.',
  },
  button: { ja: 'レコードを確認する', en: 'View the records' },
})
