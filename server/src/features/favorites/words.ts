import type { Localized } from '@okaeri/contract/locale'

/** What the downloaded files say. */
export const fileWords = {
  products: { ja: 'お気に入り', en: 'Favorites' },
  people: { ja: 'お気に入りの登録者', en: 'Favorites by customer' },
  active: { ja: '登録中', en: 'Active' },
  removed: { ja: '解除', en: 'Removed' },
  guest: { ja: 'ゲスト', en: 'Guest' },
  yes: { ja: 'はい', en: 'Yes' },
  no: { ja: 'いいえ', en: 'No' },
  ofProducts: (timezone: string): Localized[] => [
    { ja: 'ストアの商品ID', en: 'Store product ID' },
    { ja: '商品名', en: 'Product' },
    { ja: '登録中', en: 'Active' },
    { ja: '解除', en: 'Removed' },
    { ja: '平均登録日数', en: 'Average days kept' },
    { ja: `最初の登録日時（${timezone}）`, en: `First added (${timezone})` },
    { ja: `最新の登録日時（${timezone}）`, en: `Latest added (${timezone})` },
  ],
  ofPeople: (timezone: string): Localized[] => [
    { ja: 'ステータス', en: 'Status' },
    { ja: 'ストアの商品ID', en: 'Store product ID' },
    { ja: '商品名', en: 'Product' },
    { ja: 'バリエーション', en: 'Variant' },
    { ja: 'SKU', en: 'SKU' },
    { ja: '顧客ID', en: 'Customer ID' },
    { ja: 'ゲストID', en: 'Guest ID' },
    { ja: '顧客名', en: 'Customer' },
    { ja: 'メールアドレス', en: 'Email' },
    { ja: '再入荷通知の登録', en: 'Restock notification' },
    { ja: '登録回数', en: 'Times added' },
    { ja: `最初の登録日時（${timezone}）`, en: `First added (${timezone})` },
    { ja: `最新の登録日時（${timezone}）`, en: `Latest added (${timezone})` },
    { ja: `解除日時（${timezone}）`, en: `Removed (${timezone})` },
  ],
}
