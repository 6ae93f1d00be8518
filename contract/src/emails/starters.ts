import type { Localized } from '../locale.ts'
import type { Look } from './design.ts'
import type { StarterBlock } from './starter-design.ts'

/** What a new email may start from: plain news, or the mail of a scenario's template, by its class name. */
export const starterKeys = [
  'newsletter',
  'BirthdayAction',
  'PurchaseFollowUpAction',
  'CartAbandonmentAction',
  'CheckoutAbandonmentAction',
  'WelcomeAction',
  'FirstPurchaseAction',
  'NthPurchaseAction',
  'ReviewRequestAction',
  'ReplenishmentAction',
  'WinBackAction',
  'CustomerRankAction',
  'FavoriteReminderAction',
  'FavoritePriceAction',
  'FavoriteStockAction',
  'RestockAction',
] as const
export type StarterKey = (typeof starterKeys)[number]

/** Texts a shop can send as they are. The law's footer is not among them: every email gets it. */
export interface Starter {
  /** For the merchant. */
  name: Localized
  subject: Localized
  preheader: Localized
  paragraphs: readonly Localized[]
  button: Localized
  /** A tag that is its address; null: the store's. */
  buttonUrl: string | null
  /** How it looks where it is made of blocks; a plain letter without. */
  design?: {
    look?: Partial<Look>
    headline?: Localized
    above?: readonly StarterBlock[]
    between?: readonly StarterBlock[]
    /** Like a letter. */
    plain?: boolean
  }
}

export const starters: Record<StarterKey, Starter> = {
  newsletter: {
    name: { ja: 'お知らせ', en: 'Newsletter' },
    subject: { ja: '{{ store.name }}からのお知らせ', en: 'News from {{ store.name }}' },
    preheader: { ja: 'いつもご利用いただき、ありがとうございます。', en: 'Thank you for shopping with us.' },
    paragraphs: [
      { ja: 'いつもご利用いただき、ありがとうございます。', en: 'Thank you for shopping with us.' },
      {
        ja: '季節に合わせた商品を、ストアでご紹介しています。お時間のあるときに、ぜひご覧ください。',
        en: 'We have put together this season’s picks in our store. Have a look when you have a moment.',
      },
    ],
    button: { ja: 'ストアを見る', en: 'Visit the store' },
    buttonUrl: null,
  },
  BirthdayAction: {
    name: { ja: '誕生日メール', en: 'Birthday' },
    subject: { ja: 'お誕生日おめでとうございます', en: 'Happy birthday!' },
    preheader: { ja: '{{ store.name }}より、お祝いを申し上げます。', en: 'Warm wishes from {{ store.name }}.' },
    paragraphs: [
      { ja: 'お誕生日おめでとうございます。', en: 'Happy birthday!' },
      {
        ja: '日頃のご愛顧に感謝し、心よりお祝いを申し上げます。素敵な一年になりますように。',
        en: 'Thank you for being our customer. We wish you a wonderful year ahead.',
      },
    ],
    button: { ja: 'ストアを見る', en: 'Visit the store' },
    buttonUrl: null,
  },
  PurchaseFollowUpAction: {
    name: { ja: '購入後のフォロー', en: 'Purchase follow-up' },
    subject: { ja: 'お買い上げいただいた商品はいかがですか', en: 'How are you enjoying your purchase?' },
    preheader: { ja: '気になる点があれば、お気軽にご連絡ください。', en: 'Questions? We are happy to help.' },
    paragraphs: [
      { ja: '先日はお買い上げいただき、ありがとうございました。', en: 'Thank you for your recent purchase.' },
      {
        ja: '商品の使い心地はいかがでしょうか。お困りのことやご不明な点がございましたら、下記の連絡先までお気軽にお問い合わせください。',
        en: 'We hope you are enjoying it. If you have any questions, contact us using the details below.',
      },
    ],
    button: { ja: 'ストアを見る', en: 'Visit the store' },
    buttonUrl: null,
  },
  CartAbandonmentAction: {
    name: { ja: 'カゴ落ちメール', en: 'Cart abandonment' },
    subject: { ja: 'カートに商品が残っています', en: 'You left something in your cart' },
    preheader: { ja: 'お忘れではありませんか。', en: 'Your items are still here.' },
    paragraphs: [
      { ja: 'カートに次の商品が残っています。', en: 'You left these items in your cart:' },
      { ja: '{{ event.items }}', en: '{{ event.items }}' },
      {
        ja: '在庫には限りがございます。ご検討中でしたら、お早めにご確認ください。ご購入がお済みの場合は、行き違いをご容赦ください。',
        en: 'Stock is limited, so take another look while they are available. If you have already ordered, please ignore this email.',
      },
    ],
    button: { ja: 'ストアに戻る', en: 'Return to the store' },
    buttonUrl: null,
  },
  CheckoutAbandonmentAction: {
    name: { ja: 'チェックアウト離脱メール', en: 'Checkout abandonment' },
    subject: { ja: 'ご購入手続きがまだ完了していません', en: 'Your order is not complete yet' },
    preheader: { ja: '続きからお手続きいただけます。', en: 'Pick up where you left off.' },
    paragraphs: [
      { ja: '次の商品のご購入手続きが完了していないようです。', en: 'You were about to order:' },
      { ja: '{{ event.items }}', en: '{{ event.items }}' },
      {
        ja: '下のボタンから、続きのお手続きができます。ご購入がお済みの場合は、行き違いをご容赦ください。',
        en: 'Use the button below to pick up where you left off. If you have already ordered, please ignore this email.',
      },
    ],
    button: { ja: '手続きに戻る', en: 'Complete your order' },
    buttonUrl: '{{ event.recovery_url }}',
  },
  WelcomeAction: {
    name: { ja: 'ようこそメール', en: 'Welcome' },
    subject: { ja: '{{ store.name }}へようこそ', en: 'Welcome to {{ store.name }}' },
    preheader: { ja: 'ご登録ありがとうございます。', en: 'Thank you for joining us.' },
    paragraphs: [
      { ja: 'ご登録いただき、ありがとうございます。', en: 'Thank you for joining us.' },
      {
        ja: '新商品やお得な情報を、メールでお届けします。まずはストアをご覧になってみてください。',
        en: 'We will email you about new products and offers. Have a look around our store to get started.',
      },
    ],
    button: { ja: 'ストアを見る', en: 'Visit the store' },
    buttonUrl: null,
  },
  FirstPurchaseAction: {
    name: { ja: '初めての購入', en: 'First purchase' },
    subject: { ja: '初めてのお買い物、ありがとうございます', en: 'Thank you for your first order' },
    preheader: { ja: 'またのご利用をお待ちしております。', en: 'We hope to see you again.' },
    paragraphs: [
      {
        ja: 'この度は初めてのお買い物をいただき、誠にありがとうございます。',
        en: 'Thank you for your first order with us.',
      },
      {
        ja: 'ご不明な点がございましたら、いつでもお気軽にお問い合わせください。今後とも{{ store.name }}をよろしくお願いいたします。',
        en: 'If you have any questions, we are always happy to help. We hope to see you again soon.',
      },
    ],
    button: { ja: 'ストアを見る', en: 'Visit the store' },
    buttonUrl: null,
  },
  NthPurchaseAction: {
    name: { ja: 'N回目の購入', en: 'Nth purchase' },
    subject: { ja: 'いつもお買い上げありがとうございます', en: 'Thank you for coming back' },
    preheader: { ja: '感謝の気持ちを込めて。', en: 'We appreciate your support.' },
    paragraphs: [
      { ja: 'いつもお買い上げいただき、誠にありがとうございます。', en: 'Thank you for shopping with us again.' },
      {
        ja: '何度もご利用いただき、スタッフ一同、大変うれしく思っております。これからも{{ store.name }}をよろしくお願いいたします。',
        en: 'Your continued support means a lot to all of us. We look forward to your next visit.',
      },
    ],
    button: { ja: 'ストアを見る', en: 'Visit the store' },
    buttonUrl: null,
  },
  ReviewRequestAction: {
    name: { ja: 'レビューのお願い', en: 'Review request' },
    subject: { ja: '商品のご感想をお聞かせください', en: 'How was your purchase?' },
    preheader: { ja: 'お客様の声を参考にさせていただきます。', en: 'Share what you think with us.' },
    paragraphs: [
      { ja: '先日はお買い上げいただき、ありがとうございました。', en: 'Thank you for your recent purchase.' },
      {
        ja: '商品はいかがでしたか。よろしければ、商品ページでご感想をお聞かせください。今後の品ぞろえやサービスの参考にさせていただきます。',
        en: 'If you have a moment, please share what you think on the product page. Your feedback helps us improve.',
      },
    ],
    button: { ja: '商品ページを見る', en: 'Go to the product page' },
    buttonUrl: '{{ event.product_url }}',
  },
  ReplenishmentAction: {
    name: { ja: '買い足しのご案内', en: 'Replenishment' },
    subject: { ja: 'そろそろ買い足しの時期ではありませんか', en: 'Time to restock?' },
    preheader: { ja: '以前お買い上げの商品についてのご案内です。', en: 'A reminder about your earlier purchase.' },
    paragraphs: [
      {
        ja: '以前お買い上げいただいた商品は、そろそろなくなる頃ではないでしょうか。',
        en: 'You may be running low on something you bought from us.',
      },
      {
        ja: '引き続きご入用でしたら、ストアからご注文いただけます。',
        en: 'If you need more, you can order again from our store.',
      },
    ],
    button: { ja: 'ストアを見る', en: 'Visit the store' },
    buttonUrl: null,
  },
  WinBackAction: {
    name: { ja: '休眠のお客様へ', en: 'Win-back' },
    subject: { ja: 'お変わりありませんか', en: 'It has been a while' },
    preheader: { ja: '久しぶりに、ストアをご覧になりませんか。', en: 'Come and see us again.' },
    paragraphs: [
      {
        ja: 'ご無沙汰しております。その後、お変わりなくお過ごしでしょうか。',
        en: 'It has been a while since your last order, and we hope you are well.',
      },
      {
        ja: 'お客様に楽しんでいただける商品をご用意して、またのお越しをお待ちしております。',
        en: 'We would love to welcome you back to our store.',
      },
    ],
    button: { ja: 'ストアを見る', en: 'Visit the store' },
    buttonUrl: null,
  },
  CustomerRankAction: {
    name: { ja: '顧客ランクの変化', en: 'Customer rank' },
    subject: { ja: 'いつものご愛顧に感謝いたします', en: 'Thank you for your loyalty' },
    preheader: { ja: '{{ store.name }}より、お礼を申し上げます。', en: 'A note of thanks from {{ store.name }}.' },
    paragraphs: [
      {
        ja: '日頃より{{ store.name }}をご愛顧いただき、誠にありがとうございます。',
        en: 'Thank you for choosing {{ store.name }} again and again.',
      },
      {
        ja: 'これからもご満足いただけるよう努めてまいります。今後ともどうぞよろしくお願いいたします。',
        en: 'We will keep working to give you a great experience.',
      },
    ],
    button: { ja: 'ストアを見る', en: 'Visit the store' },
    buttonUrl: null,
  },
  FavoriteReminderAction: {
    name: { ja: 'お気に入りのリマインド', en: 'Favorite reminder' },
    subject: { ja: 'お気に入りの商品はご覧になりましたか', en: 'Still thinking about your favorite?' },
    preheader: { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
    paragraphs: [
      { ja: 'お気に入りに登録された商品のご案内です。', en: 'Here is a reminder about one of your favorites:' },
      { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
      { ja: 'ご検討の際は、下のボタンから商品ページをご覧ください。', en: 'Use the button below to see it again.' },
    ],
    button: { ja: '商品を見る', en: 'See the product' },
    buttonUrl: '{{ event.product_url }}',
  },
  FavoritePriceAction: {
    name: { ja: 'お気に入りの値下げ', en: 'Favorite price drop' },
    subject: { ja: 'お気に入りの商品がお求めやすくなりました', en: 'The price of your favorite has dropped' },
    preheader: { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
    paragraphs: [
      { ja: 'お気に入りに登録された商品の価格が下がりました。', en: 'One of your favorites now costs less:' },
      { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
      { ja: '最新の価格は、商品ページでご確認ください。', en: 'See the product page for the current price.' },
    ],
    button: { ja: '商品を見る', en: 'See the product' },
    buttonUrl: '{{ event.product_url }}',
  },
  FavoriteStockAction: {
    name: { ja: 'お気に入りの在庫復活', en: 'Favorite back in stock' },
    subject: { ja: 'お気に入りの商品が再入荷しました', en: 'Your favorite is back in stock' },
    preheader: { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
    paragraphs: [
      { ja: 'お気に入りに登録された商品が再入荷しました。', en: 'One of your favorites is back in stock:' },
      { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
      { ja: '数に限りがございますので、お早めにご覧ください。', en: 'Quantities are limited, so take a look soon.' },
    ],
    button: { ja: '商品を見る', en: 'See the product' },
    buttonUrl: '{{ event.product_url }}',
  },
  RestockAction: {
    name: { ja: '再入荷のお知らせ', en: 'Back in stock' },
    subject: { ja: 'ご希望の商品が再入荷しました', en: 'It is back in stock' },
    preheader: { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
    paragraphs: [
      {
        ja: '再入荷のお知らせをご希望いただいた商品が入荷しました。',
        en: 'The product you asked about is back in stock:',
      },
      { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
      { ja: '数に限りがございますので、お早めにご覧ください。', en: 'Quantities are limited, so take a look soon.' },
    ],
    button: { ja: '商品を見る', en: 'See the product' },
    buttonUrl: '{{ event.product_url }}',
  },
}
