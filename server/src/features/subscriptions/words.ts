import type { Locale } from '@okaeri/contract/locale'
import { html } from '../../kernel/public-page.ts'

interface PageWords {
  confirm: {
    title: string
    ask: (merchant: string) => string
    stop: string
    keep: string
    notYours: string
    stillComing: string
  }
  stopped: {
    title: string
    body: (merchant: string) => string
    general: string
    onTheWay: string
    mistake: string
    again: string
  }
  kept: { title: string; body: (merchant: string) => string; general: string }
  subscribe: { title: string; ask: (merchant: string) => string; button: string; notYours: string }
  subscribed: { title: string; body: (merchant: string) => string }
  test: string
  broken: { title: string; body: string }
}

/** Of what the subscribe page says: raise it when a word of it changes. Kept with each consent. */
export const WORDING_VERSION = 1

/** What the pages say. The wording of a button is kept with the change it makes. */
export const pageWords: Record<Locale, PageWords> = {
  ja: {
    confirm: {
      title: 'メールの配信を停止しますか？',
      ask: (merchant) => `「${merchant}」から次のアドレスに届くお知らせメールを停止します。`,
      stop: '配信を停止する',
      keep: '停止しない',
      notYours:
        '上のアドレスにお心当たりがない場合は、転送されたメールのリンクを開いた可能性があります。何もせずにこのページを閉じてください。',
      stillComing: 'ご注文や発送に関するメールは、これまでどおり届きます。',
    },
    stopped: {
      title: 'メールの配信を停止しました',
      body: (merchant) => `「${merchant}」からのお知らせメールは、次のアドレスに届かなくなります。`,
      general: 'お知らせメールは、今後届かなくなります。',
      onTheWay: '行き違いで、すでに配信されたメールが届くことがあります。ご了承ください。',
      mistake: '間違えて停止した場合は、こちらから元に戻せます。',
      again: 'もう一度メールを受け取る',
    },
    kept: {
      title: '変更はありません',
      body: (merchant) => `「${merchant}」からのお知らせメールを、これからもお届けします。`,
      general: 'お知らせメールを、これからもお届けします。',
    },
    subscribe: {
      title: 'メールを受け取りますか？',
      ask: (merchant) => `「${merchant}」からのお知らせメールを次のアドレスにお届けします。いつでも停止できます。`,
      button: 'メールを受け取る',
      notYours: '上のアドレスにお心当たりがない場合は、何もせずにこのページを閉じてください。',
    },
    subscribed: {
      title: 'メールをお届けします',
      body: (merchant) => `「${merchant}」からのお知らせメールは、次のアドレスに届きます。`,
    },
    test: 'これはテスト配信のメールのリンクです。ボタンを押しても、お客様の配信設定は変わりません。',
    broken: {
      title: 'このリンクは使えません',
      body: 'リンクが途中で切れているか、期限が過ぎています。メールのリンクをもう一度開いてください。それでも開けない場合は、メールに記載された連絡先へご連絡ください。',
    },
  },
  en: {
    confirm: {
      title: 'Unsubscribe from these emails?',
      ask: (merchant) => `You will stop receiving news and offers from ${merchant} at this address:`,
      stop: 'Unsubscribe',
      keep: 'Stay subscribed',
      notYours: 'Not your address? This email was probably forwarded to you. Close this page, and nothing will change.',
      stillComing: 'You will still receive emails about your orders and deliveries.',
    },
    stopped: {
      title: 'You are unsubscribed',
      body: (merchant) => `${merchant} will no longer send news and offers to this address:`,
      general: 'You will no longer receive news and offers.',
      onTheWay: 'An email that was already on its way may still arrive.',
      mistake: 'Unsubscribed by mistake? You can undo it here.',
      again: 'Resubscribe',
    },
    kept: {
      title: 'Nothing has changed',
      body: (merchant) => `You will keep getting news and offers from ${merchant}.`,
      general: 'You will keep getting news and offers.',
    },
    subscribe: {
      title: 'Get these emails?',
      ask: (merchant) => `${merchant} will send news and offers to this address. You can stop them at any time.`,
      button: 'Get the emails',
      notYours: 'Not your address? Just close this page, and nothing will change.',
    },
    subscribed: {
      title: 'The emails will reach you',
      body: (merchant) => `${merchant} sends news and offers to this address:`,
    },
    test: 'This link is from a test email. The buttons do not change any customer’s settings.',
    broken: {
      title: 'This link does not work',
      body: 'The link may be incomplete or expired. Open the link in the email again. If that does not help, contact the address given in the email.',
    },
  },
}

/** The mail that confirms what somebody asked for on the storefront. */
export function confirmationMail(
  what: 'subscribe' | 'unsubscribe',
  { language, merchantName, link }: { language: Locale; merchantName: string; link: string },
): { subject: string; text: string; html: string } {
  const words = {
    ja: {
      subscribe: {
        subject: `【${merchantName}】メール配信のお申し込みの確認`,
        lead: `「${merchantName}」のお知らせメールのお申し込みがありました。受け取る場合は、次のページでボタンを押してください。`,
      },
      unsubscribe: {
        subject: `【${merchantName}】メール配信停止の確認`,
        lead: `「${merchantName}」のお知らせメールの配信停止のお申し込みがありました。停止する場合は、次のページでボタンを押してください。`,
      },
      end: 'お心当たりがない場合は、このメールを破棄してください。何も変更されません。リンクの有効期限は7日間です。',
    },
    en: {
      subscribe: {
        subject: `${merchantName}: please confirm your subscription`,
        lead: `We received a request to subscribe this address to news and offers from ${merchantName}. To confirm, open this page and press the button:`,
      },
      unsubscribe: {
        subject: `${merchantName}: please confirm that you want to unsubscribe`,
        lead: `We received a request to unsubscribe this address from news and offers from ${merchantName}. To confirm, open this page and press the button:`,
      },
      end: 'If this was not you, ignore this email and nothing will change. The link works for 7 days.',
    },
  }[language]
  const { subject, lead } = words[what]
  return {
    // A shop's name may hold anything a header may not.
    subject: subject.replace(/\p{Cc}+/gu, ' '),
    text: `${lead}\n\n${link}\n\n${words.end}\n`,
    html: html`<!doctype html><html lang="${language}"><body><p>${lead}</p><p><a href="${link}">${link}</a></p><p>${words.end}</p></body></html>`
      .markup,
  }
}
