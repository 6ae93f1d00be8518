import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { systemMessage } from '../../integrations/mail/system-message.ts'

/** The page that the links of these mails lead to. */
export const pageWords = {
  confirm: {
    title: { ja: '再入荷のお知らせを受け取りますか？', en: 'Do you want to be notified?' },
    ask: {
      ja: (product: string) => `「${product}」が再入荷したら、次のアドレスにメールでお知らせします。`,
      en: (product: string) => `We’ll email this address when “${product}” is back in stock.`,
    },
    button: { ja: '再入荷のお知らせを受け取る', en: 'Notify me' },
    notYours: {
      ja: 'お心当たりがない場合は、このページを閉じてください。登録されません。',
      en: 'If this was not you, close this page. Nothing is registered.',
    },
  },
  registered: {
    title: { ja: '再入荷をお知らせします', en: 'You are registered' },
    body: {
      ja: (product: string) => `「${product}」が再入荷したら、登録した順にメールでお知らせします。`,
      en: (product: string) => `We’ll email you when “${product}” is back in stock, in the order of registration.`,
    },
    cancel: { ja: '登録を取り消す', en: 'Cancel registration' },
  },
  /** They came from the message itself. */
  answered: {
    title: { ja: '再入荷のお知らせを取り消しますか？', en: 'Cancel this notification?' },
    body: {
      ja: (product: string) => `取り消すと、「${product}」が次に再入荷しても、お知らせしません。`,
      en: (product: string) => `If you cancel, we won’t notify you when “${product}” comes back in stock again.`,
    },
    cancel: { ja: '登録を取り消す', en: 'Cancel registration' },
    test: {
      ja: 'これはテスト配信のリンクです。何も変更されません。',
      en: 'This link is from a test. It changes nothing.',
    },
  },
  cancelled: {
    title: { ja: '登録されていません', en: 'You are not registered' },
    body: {
      ja: (product: string) => `「${product}」の再入荷はお知らせしません。`,
      en: (product: string) => `We won’t notify you about “${product}”.`,
    },
    /** The button was pressed a moment ago. */
    doneTitle: { ja: '登録を取り消しました', en: 'Registration cancelled' },
    /** Other registrations for the product remain. */
    oneTitle: { ja: 'この登録は取り消されています', en: 'This registration is cancelled' },
    /** What they had asked for is not known any more. */
    nothing: {
      ja: 'このリンクで取り消せる登録は、もうありません。',
      en: 'There is no registration left to cancel with this link.',
    },
  },
  /** The same person waits for other variants of the product too. */
  others: {
    stay: {
      ja: (variants: readonly string[]) => `次の登録は残ります：${variants.join('、')}`,
      en: (variants: readonly string[]) => `You stay registered for: ${variants.join(', ')}`,
    },
    still: {
      ja: (variants: readonly string[]) => `次の再入荷は、引き続きお知らせします：${variants.join('、')}`,
      en: (variants: readonly string[]) => `We’ll still notify you about: ${variants.join(', ')}`,
    },
    whole: {
      ja: 'この商品の、種類を指定しない登録も取り消されます。',
      en: 'Your registration for any variant of this product ends too.',
    },
    end: { ja: 'この商品の登録をすべて取り消す', en: 'Cancel everything for this product' },
    deleted: { ja: '販売を終了した種類', en: 'a variant no longer sold' },
  },
  broken: {
    title: { ja: 'このリンクは使えません', en: 'This link does not work' },
    body: {
      ja: 'リンクが途中で切れている可能性があります。メールのリンクをもう一度開くか、全体をコピーしてください。',
      en: 'The link may be incomplete. Open it again from the message, or copy all of it.',
    },
  },
}

const product = '{{ event.product_title }}{% if event.variant_title != "" %} / {{ event.variant_title }}{% endif %}'
/** For people who registered by LINE; its tags are filled in as those of other messages. */
export const lineReceipt = {
  ja: `「${product}」が再入荷したら、登録した順にLINEでお知らせします。\n\n登録の取り消し：\n{{ event.cancel_url }}`,
  en: `We’ll send you a LINE message when “${product}” is back in stock, in the order of registration.\n\nTo cancel:\n{{ event.cancel_url }}`,
}

/** `confirm`: asks the owner of a typed address; `receipt`: confirms the registration. */
export function registrationMail(
  what: 'confirm' | 'receipt',
  { language, merchantName, product, link }: { language: Locale; merchantName: string; product: string; link: string },
): { subject: string; text: string; html: string } {
  const words = {
    confirm: {
      subject: {
        ja: `【${merchantName}】再入荷のお知らせの確認`,
        en: `${merchantName}: please confirm your restock notification`,
      },
      lead: {
        ja: `「${merchantName}」で「${product}」の再入荷のお知らせの申し込みがありました。受け取る場合は、次のページで登録してください。`,
        en: `We received a request to notify this address when “${product}” is back in stock at ${merchantName}. To get the notification, confirm it on this page:`,
      },
      button: { ja: '登録を確認する', en: 'Confirm my request' },
      end: {
        ja: 'お心当たりがない場合は、このメールを破棄してください。登録されません。リンクの有効期限は7日間です。',
        en: 'If this was not you, ignore this email and nothing is registered. The link works for 7 days.',
      },
    },
    receipt: {
      subject: {
        ja: `【${merchantName}】再入荷のお知らせを受け付けました`,
        en: `${merchantName}: your restock notification`,
      },
      lead: {
        ja: `「${product}」が再入荷したら、登録した順にメールでお知らせします。取り消す場合は、次のページをご利用ください。`,
        en: `We’ll email you when “${product}” is back in stock, in the order of registration. To cancel, use this page:`,
      },
      button: { ja: '登録の内容を見る', en: 'See my registration' },
      end: {
        ja: 'お心当たりがない場合も、上のページから取り消せます。',
        en: 'If this was not you, you can cancel on the page above.',
      },
    },
  }
  const { subject, lead, end, button } = wordsIn(words[what], language)
  return systemMessage({
    language,
    // Names may hold anything that a header may not.
    subject: subject.replace(/\p{Cc}+/gu, ' '),
    paragraphs: [[lead]],
    button: { text: button, link },
    end,
    shop: merchantName,
  })
}
