import { asked, homePage } from './goods-pages.ts'
import { show } from './theme.ts'
import type { Visit } from './visit.ts'

/** Pages of words. A theme has many more: those that mails made for real stores lead to show the shop window. */
export function textPage(visit: Visit, handle: string): Promise<string> {
  const { t } = visit
  const texts: Record<string, { title: string; lines: string[] }> = {
    shipping: {
      title: t('送料・お届け', 'Shipping'),
      lines: [
        t(
          '送料は全国一律660円です。5,500円（税込）以上のお買い上げで無料になります。',
          'Shipping in Japan is ¥660, and free from ¥5,500.',
        ),
        t('ご注文から2〜3営業日で発送します。', 'Orders are sent within 2–3 working days.'),
      ],
    },
    about: {
      title: t('店について', 'About us'),
      lines: [
        t('おかえり雑貨店は、京都の路地にある小さな店です。', 'We are a small shop in a side street of Kyoto.'),
        t('長く使える道具を、つくり手とともに選んでいます。', 'With their makers we choose things that last.'),
      ],
    },
    newsletter: {
      title: t('お便り', 'Newsletter'),
      lines: [
        asked(visit, 'problem') === ''
          ? t('ご登録ありがとうございます。', 'Thank you for subscribing.')
          : t('メールアドレスを確認して、もう一度お試しください。', 'Check the email address and try again.'),
      ],
    },
  }
  const found = Object.hasOwn(texts, handle) ? texts[handle] : undefined
  if (!found) return homePage(visit)
  const body = `<section class="narrow"><h1>${found.title}</h1>${found.lines.map((line) => `<p>${line}</p>`).join('')}</section>`
  return show(visit, { type: 'page', title: found.title, body })
}
