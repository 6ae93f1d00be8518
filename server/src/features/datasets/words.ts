import type { DatasetId } from '@okaeri/contract/datasets/dataset'
import type { Locale, Localized } from '@okaeri/contract/locale'
import { isMetafieldType, metafieldTypeName } from '@okaeri/contract/metafields/value-type'
import type { CodedWord } from './download-queries.ts'

export const datasetNames: Record<DatasetId, Localized> = {
  customers: { ja: '顧客', en: 'Customers' },
  orders: { ja: '注文', en: 'Orders' },
  products: { ja: '商品', en: 'Products' },
  collections: { ja: 'コレクション', en: 'Collections' },
  checkouts: { ja: 'チェックアウト', en: 'Checkouts' },
  segments: { ja: 'Shopifyセグメント', en: 'Shopify segments' },
  metafields: { ja: 'メタフィールド', en: 'Metafields' },
}

/** The header row of each file; `zone` and `currency` are those of its instants and amounts. */
export const fileColumns: Record<DatasetId, (zone: string, currency: string) => Localized[]> = {
  customers: (zone, currency) => [
    { ja: 'ストアの顧客ID', en: 'Store customer ID' },
    { ja: '姓', en: 'Last name' },
    { ja: '名', en: 'First name' },
    { ja: 'メールアドレス', en: 'Email' },
    { ja: '電話番号', en: 'Phone' },
    { ja: '言語', en: 'Language' },
    { ja: '郵便番号', en: 'Postal code' },
    { ja: '国', en: 'Country' },
    { ja: '都道府県', en: 'Province' },
    { ja: '市区町村', en: 'City' },
    { ja: '住所1', en: 'Address 1' },
    { ja: '住所2', en: 'Address 2' },
    { ja: '会社', en: 'Company' },
    { ja: 'タグ', en: 'Tags' },
    { ja: 'マーケティング許可', en: 'Marketing permission' },
    { ja: 'メール通知許可', en: 'Email notification permission' },
    { ja: '誕生日', en: 'Birthday' },
    { ja: '注文数', en: 'Orders' },
    { ja: `累計購入金額 (${currency})`, en: `Total amount spent (${currency})` },
    { ja: `初回注文日時 (${zone})`, en: `First order (${zone})` },
    { ja: `最終注文日時 (${zone})`, en: `Last order (${zone})` },
    { ja: 'メール配信数', en: 'Emails sent' },
    { ja: `登録日時 (${zone})`, en: `Created (${zone})` },
  ],
  orders: (zone) => [
    { ja: 'ストアの注文ID', en: 'Store order ID' },
    { ja: '注文番号', en: 'Order number' },
    { ja: 'ストアの顧客ID', en: 'Store customer ID' },
    { ja: 'メールアドレス', en: 'Email' },
    { ja: `注文日時 (${zone})`, en: `Placed (${zone})` },
    { ja: '合計', en: 'Total' },
    { ja: '返金後の合計', en: 'Total after refunds' },
    { ja: '通貨', en: 'Currency' },
    { ja: '支払いのステータス', en: 'Payment status' },
    { ja: '発送のステータス', en: 'Fulfillment status' },
    { ja: `キャンセル日時 (${zone})`, en: `Cancelled (${zone})` },
    { ja: 'タグ', en: 'Tags' },
    { ja: '割引コード', en: 'Discount codes' },
    { ja: '商品', en: 'Products' },
    { ja: '点数', en: 'Items' },
    { ja: '流入元', en: 'Landing page' },
  ],
  products: (zone) => [
    { ja: 'ストアの商品ID', en: 'Store product ID' },
    { ja: '商品名', en: 'Title' },
    { ja: 'ハンドル', en: 'Handle' },
    { ja: 'ステータス', en: 'Status' },
    { ja: '販売元', en: 'Vendor' },
    { ja: '商品タイプ', en: 'Product type' },
    { ja: 'タグ', en: 'Tags' },
    { ja: '在庫', en: 'Stock' },
    { ja: 'バリエーション', en: 'Variants' },
    { ja: 'SKU', en: 'SKUs' },
    { ja: `ストアでの更新日時 (${zone})`, en: `Updated in the store (${zone})` },
  ],
  collections: (zone) => [
    { ja: 'ストアのコレクションID', en: 'Store collection ID' },
    { ja: 'コレクション名', en: 'Title' },
    { ja: 'ハンドル', en: 'Handle' },
    { ja: '商品数', en: 'Products' },
    { ja: '商品ID', en: 'Product IDs' },
    { ja: `ストアでの更新日時 (${zone})`, en: `Updated in the store (${zone})` },
  ],
  checkouts: (zone) => [
    { ja: 'ストアのチェックアウトID', en: 'Store checkout ID' },
    { ja: 'ストアの顧客ID', en: 'Store customer ID' },
    { ja: 'メールアドレス', en: 'Email' },
    { ja: '合計', en: 'Total' },
    { ja: '通貨', en: 'Currency' },
    { ja: '商品', en: 'Products' },
    { ja: '再開用リンク', en: 'Recovery link' },
    { ja: `開始日時 (${zone})`, en: `Started (${zone})` },
    { ja: `完了日時 (${zone})`, en: `Completed (${zone})` },
  ],
  segments: (zone) => [
    { ja: 'ShopifyセグメントID', en: 'Shopify segment ID' },
    { ja: 'セグメント名', en: 'Name' },
    { ja: '条件', en: 'Conditions' },
    { ja: 'Shopifyでの人数', en: 'Members in Shopify' },
    { ja: 'Okaeriでの人数', en: 'Members in Okaeri' },
    { ja: `人数の確認日時 (${zone})`, en: `Counted (${zone})` },
  ],
  metafields: (zone) => [
    { ja: 'ストアの顧客ID', en: 'Store customer ID' },
    { ja: 'メールアドレス', en: 'Email' },
    { ja: 'メタフィールド', en: 'Metafield' },
    { ja: 'キー', en: 'Key' },
    { ja: '種類', en: 'Type' },
    { ja: '値', en: 'Value' },
    { ja: `更新日時 (${zone})`, en: `Updated (${zone})` },
  ],
}

/** Lists of the platform, by its names, and ours. An import reads the words of `consent` back. */
const codedWords: Record<Exclude<CodedWord, 'metafield_type'>, Record<string, Localized>> = {
  consent: {
    GRANTED: { ja: '許可', en: 'Subscribed' },
    WITHDRAWN: { ja: '配信停止', en: 'Unsubscribed' },
    PENDING: { ja: '確認待ち', en: 'Pending' },
    UNKNOWN: { ja: '未確認', en: 'Never subscribed' },
  },
  payment: {
    AUTHORIZED: { ja: 'オーソリ済み', en: 'Authorized' },
    EXPIRED: { ja: '期限切れ', en: 'Expired' },
    PAID: { ja: '支払い済み', en: 'Paid' },
    PARTIALLY_PAID: { ja: '一部支払い済み', en: 'Partially paid' },
    PARTIALLY_REFUNDED: { ja: '一部返金済み', en: 'Partially refunded' },
    PENDING: { ja: '支払い待ち', en: 'Payment pending' },
    REFUNDED: { ja: '返金済み', en: 'Refunded' },
    VOIDED: { ja: '無効', en: 'Voided' },
  },
  fulfillment: {
    FULFILLED: { ja: '発送済み', en: 'Fulfilled' },
    IN_PROGRESS: { ja: '発送準備中', en: 'In progress' },
    ON_HOLD: { ja: '保留中', en: 'On hold' },
    OPEN: { ja: '対応待ち', en: 'Open' },
    PARTIALLY_FULFILLED: { ja: '一部発送済み', en: 'Partially fulfilled' },
    PENDING_FULFILLMENT: { ja: '発送待ち', en: 'Pending' },
    REQUEST_DECLINED: { ja: '発送依頼の却下', en: 'Request declined' },
    RESTOCKED: { ja: '在庫に戻し済み', en: 'Restocked' },
    SCHEDULED: { ja: '発送予定', en: 'Scheduled' },
    UNFULFILLED: { ja: '未発送', en: 'Unfulfilled' },
  },
  product_status: {
    ACTIVE: { ja: '販売中', en: 'Active' },
    ARCHIVED: { ja: 'アーカイブ済み', en: 'Archived' },
    DRAFT: { ja: '下書き', en: 'Draft' },
    UNLISTED: { ja: '限定公開', en: 'Unlisted' },
  },
}

/** A coded word for people; an unknown one stays unchanged. */
export function codedWord(of: CodedWord, value: string, language: Locale): string {
  if (of === 'metafield_type') return isMetafieldType(value) ? metafieldTypeName(value, language) : value
  return codedWords[of][value.toUpperCase()]?.[language] ?? value
}
