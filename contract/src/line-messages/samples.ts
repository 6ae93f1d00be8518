import type { Localized } from '../locale.ts'
import type { LineAction, LineMessageContent } from './message.ts'

export const sampleKeys = [
  'greeting',
  'link_account',
  'new_product',
  'restock',
  'coupon',
  'survey',
  'products',
  'gallery',
  'campaign',
] as const
export type SampleKey = (typeof sampleKeys)[number]

interface Sample {
  name: string
  about: string
  content: LineMessageContent
}

/** Where the merchant's own picture and page go; nothing is there. */
const SHOP = 'https://example.com/'
export const SAMPLE_PICTURE = `${SHOP}picture.jpg`
/** Whether something of a template still has to be replaced. */
export const hasSampleLeft = (content: LineMessageContent): boolean => JSON.stringify(content).includes(SHOP)

const open = (label: string): LineAction => ({ type: 'uri', label, uri: SHOP })
const say = (label: string, text = label): LineAction => ({ type: 'message', label, text })

/** A picture, words and one button, as most shops write. */
const bubble = ({ title, text, price, button }: Record<'title' | 'text' | 'price' | 'button', string>): string =>
  JSON.stringify(
    {
      type: 'bubble',
      hero: {
        type: 'image',
        url: SAMPLE_PICTURE,
        size: 'full',
        aspectRatio: '20:13',
        aspectMode: 'cover',
        action: { type: 'uri', uri: SHOP },
      },
      body: {
        type: 'box',
        layout: 'vertical',
        spacing: 'md',
        contents: [
          { type: 'text', text: title, weight: 'bold', size: 'xl', wrap: true },
          { type: 'text', text, size: 'sm', color: '#666666', wrap: true },
          { type: 'text', text: price, weight: 'bold', size: 'lg', align: 'end' },
        ],
      },
      footer: {
        type: 'box',
        layout: 'vertical',
        contents: [
          { type: 'button', style: 'primary', color: '#047a35', action: { type: 'uri', label: button, uri: SHOP } },
        ],
      },
    },
    null,
    2,
  )

/** The product and its variant. LINE refuses a text that is too long for it, so long names are cut. */
const NAMED =
  '{{ event.product_title | truncate: 60 }}{% if event.variant_title != "" %} / {{ event.variant_title | truncate: 30 }}{% endif %}'

/** Ready messages: each a whole that can be sent once its pictures and links are the merchant's own. */
export const lineSamples: Record<SampleKey, Localized<Sample>> = {
  greeting: {
    ja: {
      name: '友だち追加のごあいさつ',
      about: 'テキストと、タップで返信できるクイックリプライ',
      content: {
        messages: [
          {
            type: 'text',
            text: '{{ customer.greeting }}\n友だち追加ありがとうございます。\n新着商品やお得な情報をお届けします。',
          },
        ],
        quick_replies: [open('商品を見る'), say('営業時間'), say('お問い合わせ')],
      },
    },
    en: {
      name: 'Welcome',
      about: 'Text with quick replies to tap',
      content: {
        messages: [
          {
            type: 'text',
            text: 'Hello {{ customer.greeting }},\nthank you for adding us.\nNew arrivals and offers will reach you here.',
          },
        ],
        quick_replies: [open('See products'), say('Opening hours'), say('Contact')],
      },
    },
  },
  link_account: {
    ja: {
      name: '連携のご案内',
      about: '顧客のアカウントとLINEを連携するボタン',
      content: {
        messages: [
          {
            type: 'buttons',
            alt_text: 'ストアとLINEの連携のご案内',
            image_url: '',
            image_ratio: 'rectangle',
            image_fit: 'cover',
            title: '',
            text: 'ストアのアカウントとLINEを連携すると、ご注文やお気に入りに合わせたお知らせをLINEでお届けできます。',
            link_url: '',
            actions: [{ type: 'uri', label: '連携する', uri: '{{ line.link_url }}' }],
          },
        ],
        quick_replies: [],
      },
    },
    en: {
      name: 'Link your account',
      about: 'A button that links the customer’s account with LINE',
      content: {
        messages: [
          {
            type: 'buttons',
            alt_text: 'Link your account with LINE',
            image_url: '',
            image_ratio: 'rectangle',
            image_fit: 'cover',
            title: '',
            text: 'Link your account at our store with LINE to get news here that fits your orders and favorites.',
            link_url: '',
            actions: [{ type: 'uri', label: 'Link', uri: '{{ line.link_url }}' }],
          },
        ],
        quick_replies: [],
      },
    },
  },
  new_product: {
    ja: {
      name: '新商品のお知らせ',
      about: 'Flex Messageで、写真・説明・価格・ボタン',
      content: {
        messages: [
          {
            type: 'flex',
            alt_text: '新商品のお知らせ',
            json: bubble({
              title: 'リネンのシャツ',
              text: '風を通す、やわらかな麻のシャツができました。',
              price: '¥12,800',
              button: '商品を見る',
            }),
          },
        ],
        quick_replies: [],
      },
    },
    en: {
      name: 'New product',
      about: 'A Flex Message with photo, text, price and button',
      content: {
        messages: [
          {
            type: 'flex',
            alt_text: 'New in our shop',
            json: bubble({
              title: 'Linen shirt',
              text: 'A soft linen shirt that lets the breeze through.',
              price: '¥12,800',
              button: 'See the product',
            }),
          },
        ],
        quick_replies: [],
      },
    },
  },
  restock: {
    ja: {
      name: '再入荷のお知らせ',
      about: 'シナリオ「再入荷のお知らせ」用の、商品と取り消しのボタン',
      content: {
        messages: [
          {
            type: 'buttons',
            alt_text: 'ご希望の商品が再入荷しました',
            image_url: '',
            image_ratio: 'rectangle',
            image_fit: 'cover',
            title: '',
            text: `お待ちいただいていた「${NAMED}」が入荷しました。数に限りがございます。`,
            link_url: '',
            actions: [
              { type: 'uri', label: '商品を見る', uri: '{{ event.product_url }}' },
              { type: 'uri', label: '登録を取り消す', uri: '{{ event.cancel_url }}' },
            ],
          },
        ],
        quick_replies: [],
      },
    },
    en: {
      name: 'Back in stock',
      about: 'For the restock scenario: a link to the product, and one to cancel',
      content: {
        messages: [
          {
            type: 'buttons',
            alt_text: 'It is back in stock',
            image_url: '',
            image_ratio: 'rectangle',
            image_fit: 'cover',
            title: '',
            text: `“${NAMED}” is back in stock. Quantities are limited.`,
            link_url: '',
            actions: [
              { type: 'uri', label: 'See the product', uri: '{{ event.product_url }}' },
              { type: 'uri', label: 'Cancel notification', uri: '{{ event.cancel_url }}' },
            ],
          },
        ],
        quick_replies: [],
      },
    },
  },
  coupon: {
    ja: {
      name: '期間限定クーポン',
      about: '写真付きのボタン。コードはキャンペーンやシナリオが1人ずつ発行します。',
      content: {
        messages: [
          {
            type: 'buttons',
            alt_text: '期間限定クーポンのお知らせ',
            image_url: SAMPLE_PICTURE,
            image_ratio: 'rectangle',
            image_fit: 'cover',
            title: '友だち限定クーポン',
            text: 'コード：{{ coupon.code }}\n{{ coupon.expires_at }}までお使いいただけます。',
            link_url: '',
            actions: [open('クーポンを使う')],
          },
        ],
        quick_replies: [],
      },
    },
    en: {
      name: 'Coupon for a few days',
      about: 'Buttons with a photo. The campaign or scenario issues a code for each person.',
      content: {
        messages: [
          {
            type: 'buttons',
            alt_text: 'A coupon for a few days',
            image_url: SAMPLE_PICTURE,
            image_ratio: 'rectangle',
            image_fit: 'cover',
            title: 'For our LINE friends',
            text: 'Code {{ coupon.code }}\nUntil {{ coupon.expires_at }}.',
            link_url: '',
            actions: [open('Use the coupon')],
          },
        ],
        quick_replies: [],
      },
    },
  },
  survey: {
    ja: {
      name: 'かんたんアンケート',
      about: '「はい」と「いいえ」で答える確認テンプレート',
      content: {
        messages: [
          {
            type: 'confirm',
            alt_text: 'アンケートにご協力ください',
            text: '新商品の先行案内を受け取りますか？',
            actions: [say('はい', '先行案内を希望します'), say('いいえ', '先行案内は希望しません')],
          },
        ],
        quick_replies: [],
      },
    },
    en: {
      name: 'A short question',
      about: 'Confirmation answered with yes or no',
      content: {
        messages: [
          {
            type: 'confirm',
            alt_text: 'A short question for you',
            text: 'Would you like to hear about new products first?',
            actions: [say('Yes', 'Yes, please tell me first'), say('No', 'No, thank you')],
          },
        ],
        quick_replies: [],
      },
    },
  },
  products: {
    ja: {
      name: '商品をならべて紹介',
      about: '横にめくるカルーセル',
      content: {
        messages: [
          {
            type: 'carousel',
            alt_text: '今週のおすすめ',
            image_ratio: 'square',
            image_fit: 'cover',
            columns: ['春のブレンド', '深煎りブレンド', 'カフェインレス'].map((title) => ({
              image_url: SAMPLE_PICTURE,
              title,
              text: '焙煎したてをお届けします。',
              link_url: SHOP,
              actions: [open('詳しく見る')],
            })),
          },
        ],
        quick_replies: [],
      },
    },
    en: {
      name: 'Several products',
      about: 'A carousel to swipe through',
      content: {
        messages: [
          {
            type: 'carousel',
            alt_text: 'Our picks of the week',
            image_ratio: 'square',
            image_fit: 'cover',
            columns: ['Spring blend', 'Dark roast', 'Decaf'].map((title) => ({
              image_url: SAMPLE_PICTURE,
              title,
              text: 'Freshly roasted for you.',
              link_url: SHOP,
              actions: [open('See more')],
            })),
          },
        ],
        quick_replies: [],
      },
    },
  },
  gallery: {
    ja: {
      name: '写真でめくるギャラリー',
      about: '写真だけの画像カルーセル',
      content: {
        messages: [
          {
            type: 'image_carousel',
            alt_text: '新作コレクション',
            columns: ['ワンピース', 'シャツ', 'バッグ'].map((label) => ({
              image_url: SAMPLE_PICTURE,
              action: open(label),
            })),
          },
        ],
        quick_replies: [],
      },
    },
    en: {
      name: 'Photo gallery',
      about: 'An image carousel of photos alone',
      content: {
        messages: [
          {
            type: 'image_carousel',
            alt_text: 'Our new collection',
            columns: ['Dresses', 'Shirts', 'Bags'].map((label) => ({ image_url: SAMPLE_PICTURE, action: open(label) })),
          },
        ],
        quick_replies: [],
      },
    },
  },
  campaign: {
    ja: {
      name: 'キャンペーンの画像とひとこと',
      about: 'タップでページが開く画像とテキスト',
      content: {
        messages: [
          {
            type: 'image',
            image_url: SAMPLE_PICTURE,
            preview_url: '',
            link_url: SHOP,
            ratio: '1040:680',
            alt_text: 'キャンペーンのお知らせ',
          },
          { type: 'text', text: '{{ customer.greeting }}\nキャンペーンは日曜日までです。ぜひご覧ください。' },
        ],
        quick_replies: [],
      },
    },
    en: {
      name: 'Campaign picture and a line of text',
      about: 'A picture that opens a page, and text',
      content: {
        messages: [
          {
            type: 'image',
            image_url: SAMPLE_PICTURE,
            preview_url: '',
            link_url: SHOP,
            ratio: '1040:680',
            alt_text: 'Our campaign',
          },
          { type: 'text', text: 'Hello {{ customer.greeting }},\nour campaign runs until Sunday. Have a look!' },
        ],
        quick_replies: [],
      },
    },
  },
}
