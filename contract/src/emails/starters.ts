import type { Localized } from '../locale.ts'
import type { Look } from './design.ts'
import type { ProductRule } from './product-rule.ts'

/** What a new email may start from: a campaign's mail, or the mail of a scenario's template, by its class name. */
export const starterKeys = [
  'newsletter',
  'new_arrivals',
  'sale',
  'coupon',
  'notice',
  'letter',
  'BirthdayAction',
  'PurchaseFollowUpAction',
  'CartAbandonmentAction',
  'CheckoutAbandonmentAction',
  'BrowseAbandonmentAction',
  'ViewedPriceAction',
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
  'FavoriteLowStockAction',
  'RestockAction',
] as const
export type StarterKey = (typeof starterKeys)[number]

/** What only some starters have, beside their texts. */
export type StarterBlock =
  /** The product that the scenario's event is about. */
  | { kind: 'event_product' | 'products' | 'event_items' }
  | { kind: 'product_rule'; rule: ProductRule }
  | { kind: 'coupon'; title: Localized; note: Localized }

/** Texts a shop can send as they are. The law's footer is not among them: every email gets it. */
export interface Starter {
  /** What it is for: sent by a person, or by a scenario. */
  use: 'campaign' | 'scenario'
  /** For the merchant. */
  name: Localized
  subject: Localized
  preheader: Localized
  /** HTML of a line: a link may stand in it. */
  paragraphs: readonly Localized[]
  button: Localized
  /** A tag that is its address; null: the store's. */
  buttonUrl: string | null
  /** Below the button: what is less important than it. HTML of a line. */
  aside?: Localized
  /** How it looks where it is made of blocks. */
  design: {
    look?: Partial<Look>
    headline?: Localized
    /** Small, above the headline. */
    label?: Localized
    /** Behind the headline; absent: the accent, and white letters on it. */
    tint?: string
    between?: readonly StarterBlock[]
    /** Like a letter. */
    plain?: boolean
  }
}

/** The product, and its variant where it has several. */
const NAMED = '{{ event.product_title }}{% if event.variant_title != "" %} / {{ event.variant_title }}{% endif %}'

const visitsStore = { button: { ja: 'ストアを見る', en: 'Visit the store' }, buttonUrl: null }
const showsProduct = { button: { ja: '商品を見る', en: 'See the product' }, buttonUrl: '{{ event.product_url }}' }

export const starters: Record<StarterKey, Starter> = {
  newsletter: {
    use: 'campaign',
    design: {
      look: { accent: '#7a4a26', background: '#f3efe7', surface: '#fffdf9', text: '#2d2a26' },
      headline: { ja: '{{ store.name }}だより', en: 'Notes from {{ store.name }}' },
      tint: '#ece3d4',
    },
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
    ...visitsStore,
  },
  new_arrivals: {
    use: 'campaign',
    design: {
      look: { accent: '#3d5a66', background: '#eef0f0', radius: 2 },
      headline: { ja: '新しい季節に、新しい品を。', en: 'Fresh for the season' },
      label: { ja: 'NEW ARRIVALS', en: 'JUST IN' },
      tint: '#e7ecee',
      between: [{ kind: 'product_rule', rule: 'new' }],
    },
    name: { ja: '新着商品', en: 'New arrivals' },
    subject: { ja: '新着商品のご紹介', en: 'New in our store' },
    preheader: { ja: '入荷したばかりの商品をご紹介します。', en: 'Here is what has just arrived.' },
    paragraphs: [
      { ja: '新しい商品が入荷しました。', en: 'New items have just arrived.' },
      {
        ja: 'お気に召すものがありましたら、ぜひ商品ページをご覧ください。',
        en: 'Have a look at what caught your eye.',
      },
    ],
    button: { ja: '新着商品を見る', en: 'See what is new' },
    buttonUrl: null,
  },
  sale: {
    use: 'campaign',
    design: {
      look: { accent: '#b3261e', background: '#f7efed', text: '#2b2322' },
      headline: { ja: 'セールのお知らせ', en: 'Our sale is on' },
      label: { ja: 'SALE', en: 'SALE' },
      between: [{ kind: 'products' }],
    },
    name: { ja: 'セール', en: 'Sale' },
    subject: { ja: 'セールのお知らせ', en: 'Our sale is on' },
    preheader: { ja: '人気の商品が、お求めやすい価格になりました。', en: 'Favorites at friendlier prices.' },
    paragraphs: [
      { ja: '日頃の感謝を込めて、セールを開催しています。', en: 'To thank our customers, we are having a sale.' },
      { ja: '数に限りがございますので、お早めにご覧ください。', en: 'Quantities are limited, so take a look soon.' },
    ],
    button: { ja: 'セール商品を見る', en: 'Shop the sale' },
    buttonUrl: null,
  },
  coupon: {
    use: 'campaign',
    design: {
      look: { accent: '#1d5c4d', background: '#eff3f0' },
      headline: { ja: '感謝を込めて、クーポンを。', en: 'A little something for you' },
      label: { ja: 'SPECIAL COUPON', en: 'COUPON' },
      tint: '#e3eee8',
      between: [
        {
          kind: 'coupon',
          title: { ja: 'クーポンコード', en: 'Your code' },
          note: { ja: 'ご購入手続きの画面で入力してください。', en: 'Enter it at the checkout.' },
        },
      ],
    },
    name: { ja: 'クーポン', en: 'Coupon' },
    subject: { ja: 'クーポンをお届けします', en: 'A coupon for you' },
    preheader: { ja: '{{ store.name }}で使えるクーポンです。', en: 'For your next order at {{ store.name }}.' },
    paragraphs: [
      {
        ja: 'いつもご利用いただき、ありがとうございます。感謝の気持ちを込めて、クーポンをお届けします。',
        en: 'Thank you for shopping with us. Here is a coupon for your next order.',
      },
      { ja: 'ぜひこの機会にご利用ください。', en: 'We hope you find something you like.' },
    ],
    ...visitsStore,
  },
  notice: {
    use: 'campaign',
    design: { plain: true, look: { accent: '#3d5a66', background: '#f1f3f3', radius: 4 } },
    name: { ja: '営業のご案内', en: 'Notice' },
    subject: { ja: '{{ store.name }}からのご案内', en: 'A notice from {{ store.name }}' },
    preheader: { ja: '営業に関するご案内です。', en: 'About our opening times.' },
    paragraphs: [
      { ja: 'いつもご利用いただき、ありがとうございます。', en: 'Thank you for shopping with us.' },
      {
        ja: '営業日や発送についての最新のご案内は、ストアに掲載しています。ご不便をおかけすることもあるかと存じますが、何卒よろしくお願いいたします。',
        en: 'You find the latest about opening days and shipping in our store. Thank you for your understanding.',
      },
    ],
    button: { ja: '詳しくはこちら', en: 'Read more' },
    buttonUrl: null,
  },
  letter: {
    use: 'campaign',
    design: { plain: true, look: { accent: '#5a4632', background: '#f7f4ee', font: 'serif', radius: 0 } },
    name: { ja: 'お手紙', en: 'Letter' },
    subject: { ja: '{{ store.name }}より', en: 'A letter from {{ store.name }}' },
    preheader: { ja: '日頃のご愛顧に、心より感謝いたします。', en: 'With our thanks.' },
    paragraphs: [
      {
        ja: '日頃より格別のご愛顧を賜り、心より御礼申し上げます。',
        en: 'We would like to thank you for being our customer.',
      },
      {
        ja: '季節の変わり目ですので、どうぞご自愛くださいませ。またのお越しを、店主一同お待ちしております。',
        en: 'We wish you well, and look forward to seeing you again.',
      },
    ],
    ...visitsStore,
  },
  BirthdayAction: {
    use: 'scenario',
    design: {
      look: { accent: '#a83f5f', background: '#f8eff1', surface: '#fffdfd', text: '#3a2a2f', font: 'serif' },
      headline: { ja: 'お誕生日\nおめでとうございます', en: 'Happy birthday!' },
      label: { ja: 'HAPPY BIRTHDAY', en: 'FOR YOUR DAY' },
      tint: '#f9e4ea',
    },
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
    ...visitsStore,
  },
  PurchaseFollowUpAction: {
    use: 'scenario',
    design: {
      look: { accent: '#6b5730', background: '#f5f1e8', surface: '#fffefb', text: '#33302a', font: 'serif' },
      headline: { ja: 'その後、いかがですか', en: 'How is everything?' },
      label: { ja: 'THANK YOU', en: 'AFTER YOUR ORDER' },
      tint: '#efe8d8',
      between: [{ kind: 'product_rule', rule: 'bought_together' }],
    },
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
    ...visitsStore,
  },
  CartAbandonmentAction: {
    use: 'scenario',
    design: {
      look: { accent: '#24508c', background: '#eef2f7', text: '#1f2937' },
      headline: { ja: 'カートに商品が残っています', en: 'Still in your cart' },
      label: { ja: 'CART', en: 'YOUR CART' },
      tint: '#e2eaf5',
      between: [{ kind: 'event_items' }],
    },
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
    use: 'scenario',
    design: {
      look: { accent: '#24508c', background: '#eef2f7', text: '#1f2937' },
      headline: { ja: 'ご注文のお手続きが途中です', en: 'Your checkout is waiting' },
      label: { ja: 'CHECKOUT', en: 'CHECKOUT' },
      tint: '#e2eaf5',
      between: [{ kind: 'event_items' }],
    },
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
    use: 'scenario',
    design: {
      look: { accent: '#1d5c4d', background: '#eff3f0' },
      headline: { ja: 'はじめまして', en: 'Nice to meet you' },
      label: { ja: 'WELCOME', en: 'WELCOME' },
    },
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
    ...visitsStore,
  },
  FirstPurchaseAction: {
    use: 'scenario',
    design: {
      look: { accent: '#6b5730', background: '#f5f1e8', surface: '#fffefb', text: '#33302a', font: 'serif' },
      headline: { ja: 'はじめてのお買い上げ\nありがとうございます', en: 'Thank you' },
      label: { ja: 'THANK YOU', en: 'YOUR FIRST ORDER' },
      tint: '#efe8d8',
    },
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
    ...visitsStore,
  },
  NthPurchaseAction: {
    use: 'scenario',
    design: {
      look: { accent: '#a83f5f', background: '#f8eff1', surface: '#fffdfd', text: '#3a2a2f', font: 'serif' },
      headline: { ja: 'いつもありがとうございます', en: 'Thank you, again' },
      label: { ja: 'THANK YOU', en: 'ONCE MORE' },
      tint: '#f9e4ea',
    },
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
    ...visitsStore,
  },
  ReviewRequestAction: {
    use: 'scenario',
    design: {
      look: { accent: '#7d5a12', background: '#f6f1e4', surface: '#fffdf9', text: '#2d2a26' },
      headline: { ja: 'ご感想をお聞かせください', en: 'Tell us what you think' },
      label: { ja: '★★★★★', en: '★★★★★' },
      tint: '#f5e9c9',
    },
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
    use: 'scenario',
    design: {
      look: { accent: '#1d5c4d', background: '#eff3f0' },
      headline: { ja: 'そろそろ、次の分を。', en: 'Running low?' },
      label: { ja: 'REFILL', en: 'REFILL' },
      tint: '#e3eee8',
    },
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
    ...visitsStore,
  },
  WinBackAction: {
    use: 'scenario',
    design: {
      look: { accent: '#5b4488', background: '#f2eff6', text: '#2b2733' },
      headline: { ja: 'お久しぶりです', en: 'It has been a while' },
      label: { ja: 'LONG TIME NO SEE', en: 'LONG TIME NO SEE' },
      tint: '#e9e3f3',
      between: [{ kind: 'product_rule', rule: 'bought_together' }],
    },
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
    ...visitsStore,
  },
  CustomerRankAction: {
    use: 'scenario',
    design: {
      look: { accent: '#6b5730', background: '#f5f1e8', surface: '#fffefb', text: '#33302a', font: 'serif' },
      headline: { ja: 'いつものご愛顧に感謝を込めて', en: 'With our thanks' },
      label: { ja: 'SPECIAL THANKS', en: 'SPECIAL THANKS' },
    },
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
    ...visitsStore,
  },
  FavoriteReminderAction: {
    use: 'scenario',
    design: {
      look: { accent: '#a83f5f', background: '#f8eff1', surface: '#fffdfd', text: '#3a2a2f', font: 'serif' },
      headline: { ja: 'お気に入りの商品', en: 'One of your favorites' },
      label: { ja: 'FAVORITE', en: 'YOUR FAVORITE' },
      tint: '#f9e4ea',
      between: [{ kind: 'event_product' }],
    },
    name: { ja: 'お気に入りのリマインド', en: 'Favorite reminder' },
    subject: { ja: 'お気に入りの商品はご覧になりましたか', en: 'Still thinking about your favorite?' },
    preheader: { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
    paragraphs: [
      { ja: 'お気に入りに登録された商品のご案内です。', en: 'Here is a reminder about one of your favorites:' },
      { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
      { ja: 'ご検討の際は、下のボタンから商品ページをご覧ください。', en: 'Use the button below to see it again.' },
    ],
    ...showsProduct,
  },
  BrowseAbandonmentAction: {
    use: 'scenario',
    design: {
      look: { accent: '#2b4c7e', background: '#f0f3f8', text: '#232a35' },
      headline: { ja: 'ご覧いただいた商品', en: 'What you looked at' },
      label: { ja: 'RECENTLY VIEWED', en: 'RECENTLY VIEWED' },
      between: [{ kind: 'product_rule', rule: 'viewed' }],
    },
    name: { ja: '閲覧後のフォロー', en: 'Browse abandonment' },
    subject: { ja: 'ご覧いただいた商品はいかがですか', en: 'Still interested?' },
    preheader: { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
    paragraphs: [
      { ja: '先日はストアをご覧いただき、ありがとうございました。', en: 'Thank you for visiting our store.' },
      { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
      {
        ja: 'ご不明な点がございましたら、お気軽にお問い合わせください。',
        en: 'If you have any questions, please feel free to ask us.',
      },
    ],
    ...showsProduct,
  },
  ViewedPriceAction: {
    use: 'scenario',
    design: {
      look: { accent: '#b3261e', background: '#f7efed', text: '#2b2322' },
      headline: { ja: 'お求めやすくなりました', en: 'Now for less' },
      label: { ja: 'PRICE DOWN', en: 'PRICE DROP' },
      between: [{ kind: 'event_product' }],
    },
    name: { ja: '閲覧した商品の値下げ', en: 'Viewed product price drop' },
    subject: { ja: 'ご覧いただいた商品がお求めやすくなりました', en: 'A product you viewed now costs less' },
    preheader: { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
    paragraphs: [
      { ja: 'ご覧いただいた商品の価格が下がりました。', en: 'A product you looked at now costs less:' },
      { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
      { ja: '最新の価格は、商品ページでご確認ください。', en: 'See the product page for the current price.' },
    ],
    ...showsProduct,
  },
  FavoritePriceAction: {
    use: 'scenario',
    design: {
      look: { accent: '#b3261e', background: '#f7efed', text: '#2b2322' },
      headline: { ja: 'お求めやすくなりました', en: 'Now for less' },
      label: { ja: 'PRICE DOWN', en: 'PRICE DROP' },
      between: [{ kind: 'event_product' }],
    },
    name: { ja: 'お気に入りの値下げ', en: 'Favorite price drop' },
    subject: { ja: 'お気に入りの商品がお求めやすくなりました', en: 'The price of your favorite has dropped' },
    preheader: { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
    paragraphs: [
      { ja: 'お気に入りに登録された商品の価格が下がりました。', en: 'One of your favorites now costs less:' },
      { ja: '{{ event.product_title }}', en: '{{ event.product_title }}' },
      { ja: '最新の価格は、商品ページでご確認ください。', en: 'See the product page for the current price.' },
    ],
    ...showsProduct,
  },
  FavoriteStockAction: {
    use: 'scenario',
    design: {
      look: { accent: '#1d5c4d', background: '#eff3f0' },
      headline: { ja: '再入荷しました', en: 'Back in stock' },
      label: { ja: 'BACK IN STOCK', en: 'YOUR FAVORITE' },
      between: [{ kind: 'event_product' }],
    },
    name: { ja: 'お気に入りの在庫復活', en: 'Favorite back in stock' },
    subject: { ja: 'お気に入りの商品が再入荷しました', en: 'Your favorite is back in stock' },
    preheader: { ja: NAMED, en: NAMED },
    paragraphs: [
      { ja: 'お気に入りに登録された商品が再入荷しました。', en: 'One of your favorites is back in stock:' },
      { ja: NAMED, en: NAMED },
      { ja: '数に限りがございますので、お早めにご覧ください。', en: 'Quantities are limited, so take a look soon.' },
    ],
    ...showsProduct,
  },
  FavoriteLowStockAction: {
    use: 'scenario',
    design: {
      look: { accent: '#8a5a00', background: '#f6f2ea', text: '#2b2723' },
      headline: { ja: '残りわずかです', en: 'Only a few left' },
      label: { ja: 'LOW STOCK', en: 'YOUR FAVORITE' },
      between: [{ kind: 'event_product' }],
    },
    name: { ja: 'お気に入りの残りわずか', en: 'Favorite low in stock' },
    subject: { ja: 'お気に入りの商品が残りわずかです', en: 'Your favorite is nearly sold out' },
    preheader: { ja: NAMED, en: NAMED },
    paragraphs: [
      { ja: 'お気に入りに登録された商品の在庫が少なくなりました。', en: 'Only a few of your favorite are left:' },
      { ja: NAMED, en: NAMED },
      { ja: '売り切れの際はご容赦ください。', en: 'It may sell out soon.' },
    ],
    ...showsProduct,
  },
  RestockAction: {
    use: 'scenario',
    design: {
      look: { accent: '#1d5c4d', background: '#eff3f0' },
      headline: { ja: 'お待たせいたしました', en: 'It is back' },
      label: { ja: 'BACK IN STOCK', en: 'BACK IN STOCK' },
      between: [{ kind: 'event_product' }],
    },
    name: { ja: '再入荷のお知らせ', en: 'Back in stock' },
    subject: { ja: 'ご希望の商品が再入荷しました', en: 'It is back in stock' },
    preheader: { ja: NAMED, en: NAMED },
    paragraphs: [
      {
        ja: '再入荷のお知らせをご希望いただいた商品が入荷しました。',
        en: 'The product you asked about is back in stock:',
      },
      { ja: NAMED, en: NAMED },
      { ja: '数に限りがございますので、お早めにご覧ください。', en: 'Quantities are limited, so take a look soon.' },
    ],
    ...showsProduct,
    aside: {
      ja: 'この商品のお知らせが不要になった場合は、<a href="{{ event.cancel_url }}">登録を取り消せます</a>。',
      en: 'No longer interested? <a href="{{ event.cancel_url }}">Cancel this notification</a>.',
    },
  },
}
