import { channelNames } from '@okaeri/contract/deliveries/delivery'
import type { Localized } from '@okaeri/contract/locale'
import type { RestockStatus } from '@okaeri/contract/restocks/routes'

/** What stands in the downloaded file. */
export const fileWords = {
  title: { ja: '再入荷通知', en: 'Restock notifications' },
  columns: (timezone: string): Localized[] => [
    { ja: '商品', en: 'Product' },
    { ja: '商品ID', en: 'Product ID' },
    { ja: 'バリエーション', en: 'Variant' },
    { ja: 'SKU', en: 'SKU' },
    { ja: 'バリエーションID', en: 'Variant ID' },
    { ja: '顧客', en: 'Customer' },
    { ja: 'メールアドレス', en: 'Email address' },
    { ja: '通知方法', en: 'Type' },
    { ja: 'ステータス', en: 'Status' },
    { ja: `登録日時（${timezone}）`, en: `Registered (${timezone})` },
    { ja: `通知日時（${timezone}）`, en: `Notified (${timezone})` },
  ],
  channel: channelNames,
  status: {
    active: { ja: '待機中', en: 'Waiting' },
    sent: { ja: '通知済み', en: 'Notified' },
    deleted: { ja: '削除済み', en: 'Deleted' },
    unknown: { ja: '不明', en: 'Unknown' },
  } satisfies Record<RestockStatus, Localized>,
}
