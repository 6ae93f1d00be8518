import type { Locale } from '../locale.ts'

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
  name: string
  subject: string
  preheader: string
  paragraphs: readonly string[]
  button: string
  /** A tag that is its address; null: the store's. */
  buttonUrl: string | null
}

export const starters: Record<StarterKey, Record<Locale, Starter>> = {
  newsletter: {
    ja: {
      name: 'お知らせ',
      subject: '{{ store.name }}からのお知らせ',
      preheader: 'いつもご利用いただき、ありがとうございます。',
      paragraphs: [
        'いつもご利用いただき、ありがとうございます。',
        '季節に合わせた商品を、ストアでご紹介しています。お時間のあるときに、ぜひご覧ください。',
      ],
      button: 'ストアを見る',
      buttonUrl: null,
    },
    en: {
      name: 'Newsletter',
      subject: 'News from {{ store.name }}',
      preheader: 'Thank you for shopping with us.',
      paragraphs: [
        'Thank you for shopping with us.',
        'We have put together this season’s picks in our store. Have a look when you have a moment.',
      ],
      button: 'Visit the store',
      buttonUrl: null,
    },
  },
  BirthdayAction: {
    ja: {
      name: '誕生日メール',
      subject: 'お誕生日おめでとうございます',
      preheader: '{{ store.name }}より、お祝いを申し上げます。',
      paragraphs: [
        'お誕生日おめでとうございます。',
        '日頃のご愛顧に感謝し、心よりお祝いを申し上げます。素敵な一年になりますように。',
      ],
      button: 'ストアを見る',
      buttonUrl: null,
    },
    en: {
      name: 'Birthday',
      subject: 'Happy birthday!',
      preheader: 'Warm wishes from {{ store.name }}.',
      paragraphs: ['Happy birthday!', 'Thank you for being our customer. We wish you a wonderful year ahead.'],
      button: 'Visit the store',
      buttonUrl: null,
    },
  },
  PurchaseFollowUpAction: {
    ja: {
      name: '購入後のフォロー',
      subject: 'お買い上げいただいた商品はいかがですか',
      preheader: '気になる点があれば、お気軽にご連絡ください。',
      paragraphs: [
        '先日はお買い上げいただき、ありがとうございました。',
        '商品の使い心地はいかがでしょうか。お困りのことやご不明な点がございましたら、下記の連絡先までお気軽にお問い合わせください。',
      ],
      button: 'ストアを見る',
      buttonUrl: null,
    },
    en: {
      name: 'Purchase follow-up',
      subject: 'How are you enjoying your purchase?',
      preheader: 'Questions? We are happy to help.',
      paragraphs: [
        'Thank you for your recent purchase.',
        'We hope you are enjoying it. If you have any questions, contact us using the details below.',
      ],
      button: 'Visit the store',
      buttonUrl: null,
    },
  },
  CartAbandonmentAction: {
    ja: {
      name: 'カゴ落ちメール',
      subject: 'カートに商品が残っています',
      preheader: 'お忘れではありませんか。',
      paragraphs: [
        'カートに次の商品が残っています。',
        '{{ event.items }}',
        '在庫には限りがございます。ご検討中でしたら、お早めにご確認ください。ご購入がお済みの場合は、行き違いをご容赦ください。',
      ],
      button: 'ストアに戻る',
      buttonUrl: null,
    },
    en: {
      name: 'Cart abandonment',
      subject: 'You left something in your cart',
      preheader: 'Your items are still here.',
      paragraphs: [
        'You left these items in your cart:',
        '{{ event.items }}',
        'Stock is limited, so take another look while they are available. If you have already ordered, please ignore this email.',
      ],
      button: 'Return to the store',
      buttonUrl: null,
    },
  },
  CheckoutAbandonmentAction: {
    ja: {
      name: 'チェックアウト離脱メール',
      subject: 'ご購入手続きがまだ完了していません',
      preheader: '続きからお手続きいただけます。',
      paragraphs: [
        '次の商品のご購入手続きが完了していないようです。',
        '{{ event.items }}',
        '下のボタンから、続きのお手続きができます。ご購入がお済みの場合は、行き違いをご容赦ください。',
      ],
      button: '手続きに戻る',
      buttonUrl: '{{ event.recovery_url }}',
    },
    en: {
      name: 'Checkout abandonment',
      subject: 'Your order is not complete yet',
      preheader: 'Pick up where you left off.',
      paragraphs: [
        'You were about to order:',
        '{{ event.items }}',
        'Use the button below to pick up where you left off. If you have already ordered, please ignore this email.',
      ],
      button: 'Complete your order',
      buttonUrl: '{{ event.recovery_url }}',
    },
  },
  WelcomeAction: {
    ja: {
      name: 'ようこそメール',
      subject: '{{ store.name }}へようこそ',
      preheader: 'ご登録ありがとうございます。',
      paragraphs: [
        'ご登録いただき、ありがとうございます。',
        '新商品やお得な情報を、メールでお届けします。まずはストアをご覧になってみてください。',
      ],
      button: 'ストアを見る',
      buttonUrl: null,
    },
    en: {
      name: 'Welcome',
      subject: 'Welcome to {{ store.name }}',
      preheader: 'Thank you for joining us.',
      paragraphs: [
        'Thank you for joining us.',
        'We will email you about new products and offers. Have a look around our store to get started.',
      ],
      button: 'Visit the store',
      buttonUrl: null,
    },
  },
  FirstPurchaseAction: {
    ja: {
      name: '初めての購入',
      subject: '初めてのお買い物、ありがとうございます',
      preheader: 'またのご利用をお待ちしております。',
      paragraphs: [
        'この度は初めてのお買い物をいただき、誠にありがとうございます。',
        'ご不明な点がございましたら、いつでもお気軽にお問い合わせください。今後とも{{ store.name }}をよろしくお願いいたします。',
      ],
      button: 'ストアを見る',
      buttonUrl: null,
    },
    en: {
      name: 'First purchase',
      subject: 'Thank you for your first order',
      preheader: 'We hope to see you again.',
      paragraphs: [
        'Thank you for your first order with us.',
        'If you have any questions, we are always happy to help. We hope to see you again soon.',
      ],
      button: 'Visit the store',
      buttonUrl: null,
    },
  },
  NthPurchaseAction: {
    ja: {
      name: 'N回目の購入',
      subject: 'いつもお買い上げありがとうございます',
      preheader: '感謝の気持ちを込めて。',
      paragraphs: [
        'いつもお買い上げいただき、誠にありがとうございます。',
        '何度もご利用いただき、スタッフ一同、大変うれしく思っております。これからも{{ store.name }}をよろしくお願いいたします。',
      ],
      button: 'ストアを見る',
      buttonUrl: null,
    },
    en: {
      name: 'Nth purchase',
      subject: 'Thank you for coming back',
      preheader: 'We appreciate your support.',
      paragraphs: [
        'Thank you for shopping with us again.',
        'Your continued support means a lot to all of us. We look forward to your next visit.',
      ],
      button: 'Visit the store',
      buttonUrl: null,
    },
  },
  ReviewRequestAction: {
    ja: {
      name: 'レビューのお願い',
      subject: '商品のご感想をお聞かせください',
      preheader: 'お客様の声を参考にさせていただきます。',
      paragraphs: [
        '先日はお買い上げいただき、ありがとうございました。',
        '商品はいかがでしたか。よろしければ、商品ページでご感想をお聞かせください。今後の品ぞろえやサービスの参考にさせていただきます。',
      ],
      button: '商品ページを見る',
      buttonUrl: '{{ event.product_url }}',
    },
    en: {
      name: 'Review request',
      subject: 'How was your purchase?',
      preheader: 'Share what you think with us.',
      paragraphs: [
        'Thank you for your recent purchase.',
        'If you have a moment, please share what you think on the product page. Your feedback helps us improve.',
      ],
      button: 'Go to the product page',
      buttonUrl: '{{ event.product_url }}',
    },
  },
  ReplenishmentAction: {
    ja: {
      name: '買い足しのご案内',
      subject: 'そろそろ買い足しの時期ではありませんか',
      preheader: '以前お買い上げの商品についてのご案内です。',
      paragraphs: [
        '以前お買い上げいただいた商品は、そろそろなくなる頃ではないでしょうか。',
        '引き続きご入用でしたら、ストアからご注文いただけます。',
      ],
      button: 'ストアを見る',
      buttonUrl: null,
    },
    en: {
      name: 'Replenishment',
      subject: 'Time to restock?',
      preheader: 'A reminder about your earlier purchase.',
      paragraphs: [
        'You may be running low on something you bought from us.',
        'If you need more, you can order again from our store.',
      ],
      button: 'Visit the store',
      buttonUrl: null,
    },
  },
  WinBackAction: {
    ja: {
      name: '休眠のお客様へ',
      subject: 'お変わりありませんか',
      preheader: '久しぶりに、ストアをご覧になりませんか。',
      paragraphs: [
        'ご無沙汰しております。その後、お変わりなくお過ごしでしょうか。',
        'お客様に楽しんでいただける商品をご用意して、またのお越しをお待ちしております。',
      ],
      button: 'ストアを見る',
      buttonUrl: null,
    },
    en: {
      name: 'Win-back',
      subject: 'It has been a while',
      preheader: 'Come and see us again.',
      paragraphs: [
        'It has been a while since your last order, and we hope you are well.',
        'We would love to welcome you back to our store.',
      ],
      button: 'Visit the store',
      buttonUrl: null,
    },
  },
  CustomerRankAction: {
    ja: {
      name: '顧客ランクの変化',
      subject: 'いつものご愛顧に感謝いたします',
      preheader: '{{ store.name }}より、お礼を申し上げます。',
      paragraphs: [
        '日頃より{{ store.name }}をご愛顧いただき、誠にありがとうございます。',
        'これからもご満足いただけるよう努めてまいります。今後ともどうぞよろしくお願いいたします。',
      ],
      button: 'ストアを見る',
      buttonUrl: null,
    },
    en: {
      name: 'Customer rank',
      subject: 'Thank you for your loyalty',
      preheader: 'A note of thanks from {{ store.name }}.',
      paragraphs: [
        'Thank you for choosing {{ store.name }} again and again.',
        'We will keep working to give you a great experience.',
      ],
      button: 'Visit the store',
      buttonUrl: null,
    },
  },
  FavoriteReminderAction: {
    ja: {
      name: 'お気に入りのリマインド',
      subject: 'お気に入りの商品はご覧になりましたか',
      preheader: '{{ event.product_title }}',
      paragraphs: [
        'お気に入りに登録された商品のご案内です。',
        '{{ event.product_title }}',
        'ご検討の際は、下のボタンから商品ページをご覧ください。',
      ],
      button: '商品を見る',
      buttonUrl: '{{ event.product_url }}',
    },
    en: {
      name: 'Favorite reminder',
      subject: 'Still thinking about your favorite?',
      preheader: '{{ event.product_title }}',
      paragraphs: [
        'Here is a reminder about one of your favorites:',
        '{{ event.product_title }}',
        'Use the button below to see it again.',
      ],
      button: 'See the product',
      buttonUrl: '{{ event.product_url }}',
    },
  },
  FavoritePriceAction: {
    ja: {
      name: 'お気に入りの値下げ',
      subject: 'お気に入りの商品がお求めやすくなりました',
      preheader: '{{ event.product_title }}',
      paragraphs: [
        'お気に入りに登録された商品の価格が下がりました。',
        '{{ event.product_title }}',
        '最新の価格は、商品ページでご確認ください。',
      ],
      button: '商品を見る',
      buttonUrl: '{{ event.product_url }}',
    },
    en: {
      name: 'Favorite price drop',
      subject: 'The price of your favorite has dropped',
      preheader: '{{ event.product_title }}',
      paragraphs: [
        'One of your favorites now costs less:',
        '{{ event.product_title }}',
        'See the product page for the current price.',
      ],
      button: 'See the product',
      buttonUrl: '{{ event.product_url }}',
    },
  },
  FavoriteStockAction: {
    ja: {
      name: 'お気に入りの在庫復活',
      subject: 'お気に入りの商品が再入荷しました',
      preheader: '{{ event.product_title }}',
      paragraphs: [
        'お気に入りに登録された商品が再入荷しました。',
        '{{ event.product_title }}',
        '数に限りがございますので、お早めにご覧ください。',
      ],
      button: '商品を見る',
      buttonUrl: '{{ event.product_url }}',
    },
    en: {
      name: 'Favorite back in stock',
      subject: 'Your favorite is back in stock',
      preheader: '{{ event.product_title }}',
      paragraphs: [
        'One of your favorites is back in stock:',
        '{{ event.product_title }}',
        'Quantities are limited, so take a look soon.',
      ],
      button: 'See the product',
      buttonUrl: '{{ event.product_url }}',
    },
  },
  RestockAction: {
    ja: {
      name: '再入荷のお知らせ',
      subject: 'ご希望の商品が再入荷しました',
      preheader: '{{ event.product_title }}',
      paragraphs: [
        '再入荷のお知らせをご希望いただいた商品が入荷しました。',
        '{{ event.product_title }}',
        '数に限りがございますので、お早めにご覧ください。',
      ],
      button: '商品を見る',
      buttonUrl: '{{ event.product_url }}',
    },
    en: {
      name: 'Back in stock',
      subject: 'It is back in stock',
      preheader: '{{ event.product_title }}',
      paragraphs: [
        'The product you asked about is back in stock:',
        '{{ event.product_title }}',
        'Quantities are limited, so take a look soon.',
      ],
      button: 'See the product',
      buttonUrl: '{{ event.product_url }}',
    },
  },
}
