import { type Locale, type Localized, wordsIn } from '@okaeri/contract/locale'
import { systemMessage } from '../../integrations/mail/system-message.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { MemberRow } from '../merchants/index.ts'

type What = 'address_asked' | 'address_changed' | 'password_changed'
export interface Notice {
  email: string
  language: Locale
  what: What
}

/** A second run mails a second time, at worst. */
export const mailNotice = job<Notice>(
  'sessions.mail_notice',
  ({ email, what }) => `${what} ${email}`,
  (scope, { email, language, what }) =>
    scope.context.integrations.systemMail.send({ to: email, ...noticeMail(language, what) }),
)

/**
 * Mails a member, at their address of this moment, what was done to their account. An address that was never confirmed may be a stranger's
 * and gets no mail.
 */
export async function notifyMember(scope: MerchantScope, member: MemberRow, what: What): Promise<void> {
  const { email, language, email_confirmed_at } = member
  if (email_confirmed_at) await scope.context.jobs.later(scope, mailNotice, { email, language, what })
}

function noticeMail(language: Locale, what: What): ReturnType<typeof systemMessage> {
  const { subject, line } = wordsIn(mailWords[what], language)
  return systemMessage({ language, subject, paragraphs: [[line], [mailWords.otherwise[language]]] })
}

const mailWords = {
  address_asked: {
    subject: {
      ja: '【Okaeri】ログイン用メールアドレスの変更の依頼',
      en: '[Okaeri] Request to change your login email',
    },
    line: {
      ja: 'ログイン用メールアドレスを別のアドレスに変更する依頼を受け付けました。新しいアドレスで確認されると変更されます。',
      en: 'We received a request to change your login email to another address. It changes once the new address is confirmed.',
    },
  },
  address_changed: {
    subject: { ja: '【Okaeri】ログイン用メールアドレスを変更しました', en: '[Okaeri] Your login email was changed' },
    line: {
      ja: 'ログイン用メールアドレスが変更されました。このアドレスではもうログインできません。',
      en: 'Your login email was changed. You can no longer log in with this address.',
    },
  },
  password_changed: {
    subject: { ja: '【Okaeri】パスワードを変更しました', en: '[Okaeri] Your password was changed' },
    line: { ja: 'パスワードが変更されました。', en: 'Your password was changed.' },
  },
  otherwise: {
    ja: 'お心当たりのない場合は、すぐにパスワードを再設定してください。再設定できない場合は、Okaeriの運用担当者にご連絡ください。',
    en: 'If this was not you, reset your password immediately. If you cannot, contact the Okaeri operator.',
  },
} satisfies Record<What, { subject: Localized; line: Localized }> & { otherwise: Localized }
