import type { WordTree } from '../../app/word-tree.ts'

/** Codes of their own for the recipients of a campaign. */
export const couponWords = {
  title: { ja: '1人ずつのクーポン', en: 'A coupon for each recipient' },
  form: {
    text: {
      ja: '配信する顧客ごとに、1回だけ使える別々のコードをストアに作成します。',
      en: 'Creates a separate single-use code in the store for each recipient.',
    },
    on: { ja: '1人ずつ別のコードを発行する', en: 'Give each recipient a code of their own' },
    place: {
      ja: '有効期間は配信日から数えます。メールのクーポンブロックで「1人ずつ発行」を選ぶか、コードを表示したい場所に差し込みタグの「クーポンコード」を入れてください（リンクの中では [coupon]）。',
      en: 'The days count from the send date. In the email’s coupon block choose “One each”, or insert the tag “Coupon code” where the code should stand ([coupon] in links).',
    },
  },
  review: {
    codes: {
      ja: '{{n}}個のコードを作成します',
      en: { one: '{{n}} code is created', other: '{{n}} codes are created' },
    },
    none: { ja: 'テストモードではコードを作成しません', en: 'No codes are created in test mode' },
    noneText: {
      ja: 'テストのメールには見本のコード {{sample}} が入ります。',
      en: 'Test messages show the sample code {{sample}}.',
    },
    until: { ja: '{{time}}まで使えます。', en: 'Valid until {{time}}.' },
    time: {
      ja: '確定後、ストアでの作成に{{time}}ほどかかります。全員分ができてから配信が始まります。',
      en: 'After you confirm, the store needs about {{time}} to create them. Sending starts once all are there.',
    },
    sample: {
      ja: 'プレビューの {{sample}} は見本です。実際には顧客ごとに違うコードが入ります。',
      en: '{{sample}} in the preview is a sample. Each recipient gets a different code.',
    },
    sampleOfLine: {
      ja: '実際には顧客ごとに違うコードが入ります。',
      en: 'Each recipient gets a different code.',
    },
    fewSeconds: { ja: '数秒', en: 'a few seconds' },
    minutes: { ja: '{{n}}分', en: { one: '{{n}} minute', other: '{{n}} minutes' } },
    fact: { ja: '{{terms}}（{{codes}}）', en: '{{terms}} ({{codes}})' },
  },
  made: { ja: '作成済み', en: 'Created' },
  madeOf: { ja: '{{made}} / {{total}}', en: '{{made}} of {{total}}' },
  used: { ja: '使用数', en: 'Used' },
  rate: { ja: '使用率', en: 'Usage rate' },
  revenue: { ja: 'クーポンによる売上', en: 'Revenue from coupons' },
  terms: { ja: '内容', en: 'Terms' },
  until: { ja: '有効期限', en: 'Valid until' },
  making: {
    ja: 'ストアでコードを作成しています。全員分ができると配信できます。',
    en: 'The store is creating the codes. Sending can start once all are there.',
  },
  slow: {
    ja: '{{since}}に依頼したコードを、ストアがまだ作成しています。次は{{next}}に確認し、できしだい自動で続けます。長く続くときは、Shopifyで障害が起きていないか確認してください。',
    en: 'The store is still creating the codes requested at {{since}}. Okaeri checks again at {{next}} and continues automatically. If this lasts, check whether Shopify reports a problem.',
  },
  tryingAgain: {
    ja: 'ストアからエラーが返りました。{{time}}にもう一度作成します。',
    en: 'The store returned an error. It is tried again at {{time}}.',
  },
  failed: {
    ja: '{{n}}個のコードは、ストアで作成できなかったか、使えなくなっています。',
    en: {
      one: 'The store did not create {{n}} code, or no longer takes it.',
      other: 'The store did not create {{n}} codes, or no longer takes them.',
    },
  },
  storeSays: { ja: 'ストアの返答：', en: 'The store says: ' },
  remain: {
    ja: '配信しなかった顧客のコードはストアに残りますが、誰にも知らされず、有効期限に使えなくなります。',
    en: 'Codes of customers who were not sent the campaign stay in the store. No one knows them, and they expire on their last day.',
  },
  list: { ja: 'コードの一覧を見る', en: 'View the codes' },
  how: {
    ja: 'クーポンを使った注文の金額です（返金後。キャンセルされた注文は除く）。',
    en: 'The total of orders that used a coupon, after refunds and excluding cancelled orders.',
  },
  retry: { ja: 'もう一度作成', en: 'Try again' },
  retried: { ja: 'もう一度ストアに作成を依頼しました', en: 'The store is asked again' },
} satisfies WordTree
