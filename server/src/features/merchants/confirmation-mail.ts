import type { ConfirmationPurpose } from '@okaeri/contract/merchants/confirmation'
import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { systemMessage } from '../../integrations/mail/system-message.ts'

interface Asked {
  language: Locale
  link: string
  siteName: string
  member: { email: string }
}

/** A name is what its owner typed, and the reader may be a stranger: it must not contain a link and must be short. */
export const harmless = (name: string): string => [...name.replace(/[.:/@\\<>&"']+/g, ' ').trim()].slice(0, 40).join('')

/**
 * The mail of an account that is not confirmed yet repeats nothing the account typed, so that signing up with a stranger's address cannot
 * send them a message.
 */
export function confirmationMail(
  purpose: ConfirmationPurpose,
  { language, link, siteName, member }: Asked,
): ReturnType<typeof systemMessage> {
  const { button, ignore, ...asked } = wordsIn(mailWords(harmless(siteName), member.email), language)
  const { subject, lines } = asked[purpose]
  return systemMessage({ language, subject, paragraphs: [lines], button: { text: button, link }, end: ignore })
}

const mailWords = (site: string, member: string) => ({
  account: {
    subject: { ja: '【Okaeri】メールアドレスの確認', en: '[Okaeri] Confirm your email address' },
    lines: [
      {
        ja: 'このメールアドレスでOkaeriのアカウントが作成されました。',
        en: 'An Okaeri account was created with this email address.',
      },
      {
        ja: '次のリンクを開き、「確認する」を押してください。確認が済むまで、メールは配信されません。リンクは4日間有効です。',
        en: 'Open this link and press “Confirm”. No emails are sent from the account until you do. The link works for four days.',
      },
    ],
  },
  sign_in: {
    subject: { ja: '【Okaeri】ログイン用メールアドレスの変更', en: '[Okaeri] Confirm your new login email' },
    lines: [
      {
        ja: 'Okaeriのログイン用メールアドレスを、このアドレスに変更するご依頼を受け付けました。',
        en: 'We received a request to change an Okaeri login email to this address.',
      },
      {
        ja: '次のリンクを開き、「確認する」を押すと変更されます。それまでは現在のアドレスでログインできます。リンクは1時間有効です。',
        en: 'Open this link and press “Confirm” to change it. Until then, the current address works. The link works for one hour.',
      },
    ],
  },
  test: {
    subject: { ja: '【Okaeri】テストメールの受信の確認', en: '[Okaeri] Confirm that you want test emails' },
    lines: [
      {
        ja: `「${site}」の担当者（${member}）が、Okaeriから送るテストメールの宛先として、このアドレスを登録しました。`,
        en: `${member} at “${site}” added this address to receive test emails from Okaeri.`,
      },
      {
        ja: '受け取ってもよい場合は、次のリンクを開き、「確認する」を押してください。確認されるまで、テストメールは届きません。リンクは4日間有効です。',
        en: 'To receive them, open this link and press “Confirm”. No test emails are sent to you until you do. The link works for four days.',
      },
    ],
  },
  sender: {
    subject: { ja: '【Okaeri】差出人アドレスの確認', en: '[Okaeri] Confirm this sender address' },
    lines: [
      {
        ja: `「${site}」の担当者（${member}）が、Okaeriから配信するメールの差出人として、このアドレスを登録しました。`,
        en: `${member} at “${site}” wants to send emails through Okaeri from this address.`,
      },
      {
        ja: 'このアドレスからの配信を認める場合は、次のリンクを開き、「確認する」を押してください。確認されるまで、このアドレスからは配信されません。リンクは4日間有効です。',
        en: 'To allow it, open this link and press “Confirm”. Nothing is sent from this address until you do. The link works for four days.',
      },
    ],
  },
  button: { ja: '内容を見て確認する', en: 'Review and confirm' },
  ignore: {
    ja: 'お心当たりのない場合は、このメールを破棄してください。何も変わりません。',
    en: 'If you did not expect this email, ignore it. Nothing will change.',
  },
})
