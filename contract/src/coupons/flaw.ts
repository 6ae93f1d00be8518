import type { Locale } from '../locale.ts'

/** What we found wrong with codes ourselves. Other errors of coupons are the store's words. */
const words = {
  discount_gone: {
    ja: 'ストアでこのディスカウントが削除されているか、別のストアに接続されています。',
    en: 'The discount was deleted in the store, or another store is connected.',
  },
  code_gone: {
    ja: 'ストアでこのコードが削除されました。',
    en: 'The code was deleted in the store.',
  },
  discount_ends_early: {
    ja: 'ストアでこのディスカウントの終了日時が、メッセージに書かれる有効期限より前になっています。',
    en: 'In the store the discount ends before the date the message states.',
  },
  discount_begins_late: {
    ja: 'ストアでこのディスカウントがまだ始まっていません。',
    en: 'In the store the discount has not begun yet.',
  },
  discount_worth_other: {
    ja: 'ストアでこのディスカウントの割引率が変更されています。',
    en: 'In the store the discount is worth something else.',
  },
  codes_forgotten: {
    ja: 'コードの作成を依頼しましたが、ストアから結果が返りません。',
    en: 'The store was asked for the codes, and does not say what became of them.',
  },
  currency_differs: {
    ja: 'ストアの通貨がOkaeriの通貨と異なるため、最低購入金額のあるクーポンは作成できません。設定の「ストア接続」を確認してください。',
    en: 'The store sells in another currency than Okaeri counts in, so a coupon with a minimum amount cannot be created. See Settings → Store.',
  },
} as const
export type CouponFlaw = keyof typeof words

const isFlaw = (error: string): error is CouponFlaw => Object.hasOwn(words, error)

/** In words; null for what the store said. */
export const flawText = (error: string, language: Locale): string | null =>
  isFlaw(error) ? words[error][language] : null
