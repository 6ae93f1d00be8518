import type { Locale } from '@okaeri/contract/locale'

/** The mail that shows whether the account works. */
export const testTexts: Record<Locale, { subject: string; text: string }> = {
  ja: {
    subject: 'Okaeri：配信サーバーのテスト',
    text: 'このメールは、設定した配信サーバーから送られました。届いていれば、顧客へのメールもこのサーバーから送ることができます。\r\n\r\n設定の「メール」から使用を開始できます。\r\n',
  },
  en: {
    subject: 'Okaeri: test of your email server',
    text: 'This email was sent by the email server you set up. If it arrived well, emails to your customers can be sent by it too.\r\n\r\nStart using it in Settings.\r\n',
  },
}
