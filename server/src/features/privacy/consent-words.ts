import type { ConsentKind, ConsentState } from '@okaeri/contract/customers/customer'
import type { Localized } from '@okaeri/contract/locale'
import type { ConsentSource } from '../consent/index.ts'

/** Words of the proof of consent. */
export const proofWords = {
  fileName: { ja: '配信許可の記録', en: 'consent' },
  title: { ja: '配信許可の変更記録', en: 'Permission change history' },
  made: { ja: '作成日時', en: 'Created' },
  none: { ja: '許可の変更は記録されていません。', en: 'No permission changes are recorded.' },
  columns: (zone: string) => [
    { ja: `発生日時 (${zone})`, en: `Occurred (${zone})` },
    { ja: `記録日時 (${zone})`, en: `Recorded (${zone})` },
    { ja: '顧客ID', en: 'Customer ID' },
    { ja: 'ストアの顧客ID', en: 'Store customer ID' },
    { ja: '名前', en: 'Name' },
    { ja: 'メールアドレス', en: 'Email' },
    { ja: '許可の種類', en: 'Permission' },
    { ja: '変更前', en: 'From' },
    { ja: '変更後', en: 'To' },
    { ja: '経路', en: 'Source' },
    { ja: '表示した文言', en: 'Wording shown' },
    { ja: 'ページ', en: 'Page' },
    { ja: '元のメール', en: 'Source email' },
  ],
  kind: {
    marketing: { ja: 'マーケティング', en: 'Marketing' },
    notification: { ja: 'メール通知', en: 'Email notification' },
  } satisfies Record<ConsentKind, Localized>,
  state: {
    granted: { ja: '許可', en: 'Subscribed' },
    withdrawn: { ja: '配信停止', en: 'Unsubscribed' },
    unknown: { ja: '未確認', en: 'Never subscribed' },
    pending: { ja: '確認待ち', en: 'Pending' },
  } satisfies Record<ConsentState, Localized>,
  source: {
    store: { ja: 'ストアでの変更', en: 'Changed in the store' },
    sync: { ja: 'ストアの同期', en: 'Store sync' },
    unsubscribe_link: { ja: 'メール内の配信停止リンク', en: 'Unsubscribe link in an email' },
    one_click: { ja: 'メールアプリの配信停止ボタン', en: 'Unsubscribe button in the email app' },
    subscribe_link: { ja: 'メール内の登録リンク', en: 'Subscribe link in an email' },
    storefront: { ja: 'ストアのページ', en: 'Storefront' },
    member: { ja: '管理画面での変更', en: 'Changed in Okaeri' },
    complaint: { ja: '迷惑メール報告', en: 'Spam report' },
    import: { ja: 'CSV取り込み', en: 'CSV import' },
  } satisfies Record<ConsentSource, Localized>,
}
