import type { Locale } from '@okaeri/contract/locale'
import { job } from '../../kernel/jobs.ts'
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
 * Tells a member, at the address they have at this moment, what somebody did to their account; an address nobody has confirmed may be a
 * stranger's and is told nothing.
 */
export async function tellMember(scope: MerchantScope, member: MemberRow, what: What): Promise<void> {
  const { email, language, email_confirmed_at } = member
  if (email_confirmed_at) await scope.context.jobs.later(scope, mailNotice, { email, language, what })
}

function noticeMail(language: Locale, what: What): { subject: string; text: string; html: string } {
  const { subject, line } = mailWords[language][what]
  const { otherwise } = mailWords[language]
  const style = 'font-family:sans-serif;font-size:16px;line-height:1.7;color:#1f2328;max-width:560px;margin:24px auto'
  return {
    subject,
    text: [line, '', otherwise, '', 'Okaeri', ''].join('\n'),
    html: `<!doctype html><html lang="${language}"><body><div style="${style}"><p>${line}</p><p>${otherwise}</p><p>Okaeri</p></div></body></html>`,
  }
}

const mailWords = {
  ja: {
    address_asked: {
      subject: '【Okaeri】ログイン用メールアドレスの変更の依頼',
      line: 'ログイン用メールアドレスを別のアドレスに変更する依頼を受け付けました。新しいアドレスで確認されると変更されます。',
    },
    address_changed: {
      subject: '【Okaeri】ログイン用メールアドレスを変更しました',
      line: 'ログイン用メールアドレスが変更されました。このアドレスではもうログインできません。',
    },
    password_changed: {
      subject: '【Okaeri】パスワードを変更しました',
      line: 'パスワードが変更されました。',
    },
    otherwise:
      'お心当たりのない場合は、すぐにパスワードを再設定してください。再設定できない場合は、Okaeriの運用担当者にご連絡ください。',
  },
  en: {
    address_asked: {
      subject: '[Okaeri] Request to change your login email',
      line: 'We received a request to change your login email to another address. It changes once the new address is confirmed.',
    },
    address_changed: {
      subject: '[Okaeri] Your login email was changed',
      line: 'Your login email was changed. You can no longer log in with this address.',
    },
    password_changed: { subject: '[Okaeri] Your password was changed', line: 'Your password was changed.' },
    otherwise: 'If this was not you, reset your password immediately. If you cannot, contact the Okaeri operator.',
  },
} satisfies Record<Locale, Record<What, { subject: string; line: string }> & { otherwise: string }>
