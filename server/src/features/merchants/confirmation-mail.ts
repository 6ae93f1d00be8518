import type { ConfirmationPurpose } from '@okaeri/contract/merchants/confirmation'
import type { Locale } from '@okaeri/contract/locale'

interface Asked {
  language: Locale
  link: string
  siteName: string
  member: { email: string }
}

/** A name is what its owner typed, and whoever reads this may be a stranger: it leads nowhere and is not long. */
export const harmless = (name: string): string => [...name.replace(/[.:/@\\<>&"']+/g, ' ').trim()].slice(0, 40).join('')

/**
 * To whoever has the address. The mail of an account that is not confirmed yet says nothing the account has typed, so that nobody can
 * send a message by signing up with somebody's address.
 */
export function confirmationMail(
  purpose: ConfirmationPurpose,
  { language, link, siteName, member }: Asked,
): { subject: string; text: string; html: string } {
  const { button, ignore, ...asked } = mailWords[language](harmless(siteName), member.email)
  const words = asked[purpose]
  const style = 'font-family:sans-serif;font-size:16px;line-height:1.7;color:#1f2328;max-width:560px;margin:24px auto'
  return {
    subject: words.subject,
    text: [...words.lines, '', link, '', ignore, '', 'Okaeri', ''].join('\n'),
    html: `<!doctype html><html lang="${language}"><body><div style="${style}"><p>${words.lines.map(escapeHtml).join('<br>')}</p>
<p><a href="${link}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f6f5c;color:#fff;text-decoration:none">${button}</a></p>
<p style="font-size:13px;word-break:break-all">${link}</p><p>${ignore}</p><p>Okaeri</p></div></body></html>`,
  }
}

const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

const mailWords = {
  ja: (site: string, member: string) => ({
    account: {
      subject: '【Okaeri】メールアドレスの確認',
      lines: [
        'このメールアドレスでOkaeriのアカウントが作成されました。',
        '次のリンクを開き、「確認する」を押してください。確認が済むまで、メールは配信されません。リンクは4日間有効です。',
      ],
    },
    sign_in: {
      subject: '【Okaeri】ログイン用メールアドレスの変更',
      lines: [
        'Okaeriのログイン用メールアドレスを、このアドレスに変更するご依頼を受け付けました。',
        '次のリンクを開き、「確認する」を押すと変更されます。それまでは現在のアドレスでログインできます。リンクは1時間有効です。',
      ],
    },
    test: {
      subject: '【Okaeri】テストメールの受信の確認',
      lines: [
        `「${site}」の担当者（${member}）が、Okaeriから送るテストメールの宛先として、このアドレスを登録しました。`,
        '受け取ってもよい場合は、次のリンクを開き、「確認する」を押してください。確認されるまで、テストメールは届きません。リンクは4日間有効です。',
      ],
    },
    sender: {
      subject: '【Okaeri】差出人アドレスの確認',
      lines: [
        `「${site}」の担当者（${member}）が、Okaeriから配信するメールの差出人として、このアドレスを登録しました。`,
        'このアドレスからの配信を認める場合は、次のリンクを開き、「確認する」を押してください。確認されるまで、このアドレスからは配信されません。リンクは4日間有効です。',
      ],
    },
    button: '内容を見て確認する',
    ignore: 'お心当たりのない場合は、このメールを破棄してください。何も変わりません。',
  }),
  en: (site: string, member: string) => ({
    account: {
      subject: '[Okaeri] Confirm your email address',
      lines: [
        'An Okaeri account was created with this email address.',
        'Open this link and press “Confirm”. No emails are sent from the account until you do. The link works for four days.',
      ],
    },
    sign_in: {
      subject: '[Okaeri] Confirm your new login email',
      lines: [
        'We received a request to change an Okaeri login email to this address.',
        'Open this link and press “Confirm” to change it. Until then, the current address works. The link works for one hour.',
      ],
    },
    test: {
      subject: '[Okaeri] Confirm that you want test emails',
      lines: [
        `${member} at “${site}” added this address to receive test emails from Okaeri.`,
        'To receive them, open this link and press “Confirm”. No test emails are sent to you until you do. The link works for four days.',
      ],
    },
    sender: {
      subject: '[Okaeri] Confirm this sender address',
      lines: [
        `${member} at “${site}” wants to send emails through Okaeri from this address.`,
        'To allow it, open this link and press “Confirm”. Nothing is sent from this address until you do. The link works for four days.',
      ],
    },
    button: 'Review and confirm',
    ignore: 'If you did not expect this email, ignore it. Nothing will change.',
  }),
} satisfies Record<Locale, unknown>
