import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { html } from '../../kernel/http/public-page.ts'

/** The version of the subscribe page's wording: raise it when a word changes. Kept with each consent. */
export const WORDING_VERSION = 1

/** What the pages say. The wording of a button is kept with the change it makes. */
export const pageWords = {
  confirm: {
    title: { ja: 'メールの配信を停止しますか？', en: 'Unsubscribe from these emails?' },
    ask: (merchant: string) => ({
      ja: `「${merchant}」から次のアドレスに届くお知らせメールを停止します。`,
      en: `You will stop receiving news and offers from ${merchant} at this address:`,
    }),
    stop: { ja: '配信を停止する', en: 'Unsubscribe' },
    keep: { ja: '停止しない', en: 'Stay subscribed' },
    notYours: {
      ja: '上のアドレスにお心当たりがない場合は、転送されたメールのリンクを開いた可能性があります。何もせずにこのページを閉じてください。',
      en: 'Not your address? This email was probably forwarded to you. Close this page, and nothing will change.',
    },
    stillComing: {
      ja: 'ご注文や発送に関するメールは、これまでどおり届きます。',
      en: 'You will still receive emails about your orders and deliveries.',
    },
  },
  stopped: {
    title: { ja: 'メールの配信を停止しました', en: 'You are unsubscribed' },
    body: (merchant: string) => ({
      ja: `「${merchant}」からのお知らせメールは、次のアドレスに届かなくなります。`,
      en: `${merchant} will no longer send news and offers to this address:`,
    }),
    onTheWay: {
      ja: '行き違いで、すでに配信されたメールが届くことがあります。ご了承ください。',
      en: 'An email that was already on its way may still arrive.',
    },
    mistake: {
      ja: '間違えて停止した場合は、こちらから元に戻せます。',
      en: 'Unsubscribed by mistake? You can undo it here.',
    },
    again: { ja: 'もう一度メールを受け取る', en: 'Resubscribe' },
  },
  kept: {
    title: { ja: '変更はありません', en: 'Nothing has changed' },
    body: (merchant: string) => ({
      ja: `「${merchant}」からのお知らせメールを、これからもお届けします。`,
      en: `You will keep getting news and offers from ${merchant}.`,
    }),
  },
  /** Asked for without a link of a mail: no one is known of whom anything could be said. */
  unknown: {
    titles: {
      ok: { ja: 'メールの配信停止', en: 'Unsubscribing from emails' },
      cancel: { ja: '変更はありません', en: 'Nothing has changed' },
    },
    body: {
      ja: 'このページだけでは、どのメールの配信設定かが分かりません。何も変更されていません。',
      en: 'This page cannot tell which emails it is about. Nothing was changed.',
    },
    wayOn: {
      ja: '配信を停止する、または今の設定を確認するには、届いたメールにある配信停止のリンクを開いてください。',
      en: 'To stop emails, or to see whether they are stopped, open the unsubscribe link in one of the emails.',
    },
  },
  subscribe: {
    title: { ja: 'メールを受け取りますか？', en: 'Get these emails?' },
    ask: (merchant: string) => ({
      ja: `「${merchant}」からのお知らせメールを次のアドレスにお届けします。いつでも停止できます。`,
      en: `${merchant} will send news and offers to this address. You can stop them at any time.`,
    }),
    button: { ja: 'メールを受け取る', en: 'Get the emails' },
    notYours: {
      ja: '上のアドレスにお心当たりがない場合は、何もせずにこのページを閉じてください。',
      en: 'Not your address? Just close this page, and nothing will change.',
    },
  },
  subscribed: {
    title: { ja: 'メールをお届けします', en: 'The emails will reach you' },
    body: (merchant: string) => ({
      ja: `「${merchant}」からのお知らせメールは、次のアドレスに届きます。`,
      en: `${merchant} sends news and offers to this address:`,
    }),
  },
  preferences: {
    title: { ja: 'メールの配信設定', en: 'Email preferences' },
    ask: (merchant: string) => ({
      ja: `「${merchant}」から次のアドレスに届くメールの設定です。`,
      en: `Choose which emails ${merchant} sends to this address:`,
    }),
    kinds: { ja: '受け取るメール', en: 'Emails you get' },
    news: { ja: 'お知らせメール', en: 'News and offers' },
    newsText: { ja: '新商品やキャンペーンなどのご案内', en: 'New products, special offers and other news' },
    notices: { ja: 'お気に入り・再入荷のお知らせ', en: 'Favorites and restock alerts' },
    noticesText: {
      ja: 'お気に入りやリクエストした商品の再入荷など',
      en: 'Products you saved or asked about, such as when they are back in stock',
    },
    pauses: { ja: '一時休止', en: 'Take a break' },
    pause: { ja: 'お知らせメールを1か月休止する', en: 'Pause news and offers for one month' },
    pauseText: (until: string) => ({
      ja: `${until}まで届きません。その後は自動的に再開します。`,
      en: `Nothing until ${until}. Then they start again automatically.`,
    }),
    paused: (until: string) => ({ ja: `${until}まで休止しています`, en: `Paused until ${until}` }),
    pausedText: { ja: 'チェックを外して保存すると、再開します。', en: 'Uncheck and save to get them again.' },
    language: { ja: 'メールの言語', en: 'Language of the emails' },
    save: { ja: '設定を保存する', en: 'Save preferences' },
    saved: { ja: '設定を保存しました。', en: 'Your preferences are saved.' },
    stopAll: { ja: 'お知らせメールの配信を停止する', en: 'Unsubscribe from news and offers' },
  },
  test: {
    ja: 'これはテスト配信のメールのリンクです。ボタンを押しても、お客様の配信設定は変わりません。',
    en: 'This link is from a test email. The buttons do not change any customer’s settings.',
  },
  broken: {
    title: { ja: 'このリンクは使えません', en: 'This link does not work' },
    body: {
      ja: 'リンクが途中で切れているか、期限が過ぎています。メールのリンクをもう一度開いてください。それでも開けない場合は、メールに記載された連絡先へご連絡ください。',
      en: 'The link may be incomplete or expired. Open the link in the email again. If that does not help, contact the address given in the email.',
    },
  },
}

/** The mail that confirms what a person asked for on the storefront. */
export function confirmationMail(
  what: 'subscribe' | 'unsubscribe',
  { language, merchantName, link }: { language: Locale; merchantName: string; link: string },
): { subject: string; text: string; html: string } {
  const words = {
    subscribe: {
      subject: {
        ja: `【${merchantName}】メール配信のお申し込みの確認`,
        en: `${merchantName}: please confirm your subscription`,
      },
      lead: {
        ja: `「${merchantName}」のお知らせメールのお申し込みがありました。受け取る場合は、次のページでボタンを押してください。`,
        en: `We received a request to subscribe this address to news and offers from ${merchantName}. To confirm, open this page and press the button:`,
      },
    },
    unsubscribe: {
      subject: {
        ja: `【${merchantName}】メール配信停止の確認`,
        en: `${merchantName}: please confirm that you want to unsubscribe`,
      },
      lead: {
        ja: `「${merchantName}」のお知らせメールの配信停止のお申し込みがありました。停止する場合は、次のページでボタンを押してください。`,
        en: `We received a request to unsubscribe this address from news and offers from ${merchantName}. To confirm, open this page and press the button:`,
      },
    },
    end: {
      ja: 'お心当たりがない場合は、このメールを破棄してください。何も変更されません。リンクの有効期限は7日間です。',
      en: 'If this was not you, ignore this email and nothing will change. The link works for 7 days.',
    },
    open: { ja: 'ページを開く', en: 'Open the page' },
  }
  const { subject, lead } = wordsIn(words[what], language)
  const { end, open } = wordsIn({ end: words.end, open: words.open }, language)
  return {
    // A shop's name may hold anything a header may not.
    subject: subject.replace(/\p{Cc}+/gu, ' '),
    text: `${lead}\n\n${link}\n\n${end}\n`,
    html: html`<!doctype html><html lang="${language}"><body><p>${lead}</p><p><a href="${link}">${open}</a></p><p>${end}</p></body></html>`
      .markup,
  }
}
