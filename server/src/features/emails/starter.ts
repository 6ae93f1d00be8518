import { wordsIn } from '@okaeri/contract/locale'
import { starters } from '@okaeri/contract/emails/starters'
import type { NewEmail } from '@okaeri/contract/emails/starter-design'
import { escapeHtml } from '../email-rendering/index.ts'

const words = {
  hello: { ja: '{{ customer.greeting }}', en: 'Hello {{ customer.greeting }},' },
  why: {
    ja: 'このメールは、{{ store.name }}からのお知らせを希望された方にお送りしています。',
    en: 'You receive this email because you asked for news from {{ store.name }}.',
  },
  address: { ja: '住所：', en: 'Address: ' },
  contact: { ja: 'お問い合わせ：', en: 'Contact: ' },
  stop: { ja: '配信を希望されない方は、', en: 'If you no longer want these emails, ' },
  stopLink: { ja: 'こちらから配信を停止できます', en: 'unsubscribe here' },
  end: { ja: '。', en: '.' },
  prefer: { ja: '受け取るメールの種類や一時休止は、', en: ' To choose what you get or take a break, change your ' },
  preferLink: { ja: '配信設定', en: 'email preferences' },
  preferEnd: { ja: 'から変更できます。', en: '.' },
}

const FONT = `font-family:-apple-system,BlinkMacSystemFont,'Hiragino Sans','Hiragino Kaku Gothic ProN','Noto Sans JP','Yu Gothic',Meiryo,Arial,sans-serif`

/**
 * What a new email starts from: one column in tables and inline styles, as all mail programs read it, with the footer the law asks
 * for. The store's address is written out in the button: one made of tags could not be measured, but for those of an event.
 */
export function starterContent({ language, storeUrl, starter }: NewEmail): string {
  const { hello, why, stop, stopLink, end, prefer, preferLink, preferEnd, address, contact } = wordsIn(words, language)
  const { paragraphs, button, buttonUrl, aside } = starters[starter]
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>{{ store.name }}</title>
</head>
<body style="margin:0;padding:0;background-color:#f4f4f2;-webkit-text-size-adjust:100%">
  <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f4f4f2">
    <tr>
      <td align="center" style="padding:24px 12px">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;background-color:#ffffff;border-radius:8px">
          <tr>
            <td style="padding:28px 32px 0;${FONT};font-size:18px;line-height:1.5;font-weight:bold;color:#1f2a2e">
              {{ store.name }}
            </td>
          </tr>
          <tr>
            <td style="padding:20px 32px 0;${FONT};font-size:16px;line-height:1.8;color:#1f2a2e">
              <p style="margin:0 0 16px">${hello}</p>
              ${paragraphs.map((text) => `<p style="margin:0 0 16px">${text[language]}</p>`).join('\n              ')}
            </td>
          </tr>
          <tr>
            <td align="left" style="padding:0 32px 32px">
              <table role="presentation" cellpadding="0" cellspacing="0" border="0">
                <tr>
                  <td align="center" bgcolor="#1d5c4d" style="border-radius:6px;background-color:#1d5c4d">
                    <a href="${buttonUrl ?? escapeHtml(storeUrl)}" target="_blank" style="display:inline-block;padding:13px 28px;${FONT};font-size:16px;line-height:1.2;font-weight:bold;color:#ffffff;text-decoration:none">${button[language]}</a>
                  </td>
                </tr>
              </table>
            </td>
          </tr>${
            aside
              ? `
          <tr>
            <td style="padding:0 32px 32px;${FONT};font-size:14px;line-height:1.8;color:#5c666a">
              ${aside[language]}
            </td>
          </tr>`
              : ''
          }
        </table>
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">
          <tr>
            <td style="padding:20px 32px;${FONT};font-size:12px;line-height:1.7;color:#5c666a">
              ${why}<br>
              ${stop}<a href="{{ unsubscribe_url }}" style="color:#5c666a;text-decoration:underline">${stopLink}</a>${end}${prefer}<a href="{{ preferences_url }}" style="color:#5c666a;text-decoration:underline">${preferLink}</a>${preferEnd}<br>
              <br>
              {{ store.name }}<br>
              ${address}{{ store.postal_address }}<br>
              ${contact}<a href="mailto:{{ store.contact_email }}" style="color:#5c666a">{{ store.contact_email }}</a>{% if store.contact_phone != "" %} / {{ store.contact_phone }}{% endif %}
            </td>
          </tr>
        </table>
      </td>
    </tr>
  </table>
</body>
</html>
`
}
