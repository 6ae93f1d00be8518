import type { ConsentKind, ConsentState } from '@okaeri/contract/customers/customer'
import type { Locale } from '@okaeri/contract/locale'
import type { ConsentSource } from '../consent/index.ts'

interface ProofWords {
  fileName: string
  title: string
  made: string
  none: string
  columns: (zone: string) => string[]
  kind: Record<ConsentKind, string>
  state: Record<ConsentState, string>
  source: Record<ConsentSource, string>
}

/** Words of the files that prove permissions. */
export const proofWords: Record<Locale, ProofWords> = {
  ja: {
    fileName: '配信許可の記録',
    title: '配信許可の変更記録',
    made: '作成日時',
    none: '許可の変更は記録されていません。',
    columns: (zone) => [
      `発生日時 (${zone})`,
      `記録日時 (${zone})`,
      '顧客ID',
      'ストアの顧客ID',
      '名前',
      'メールアドレス',
      '許可の種類',
      '変更前',
      '変更後',
      '経路',
      '表示した文言',
      'ページ',
      '元のメール',
    ],
    kind: { marketing: 'マーケティング', notification: 'メール通知' },
    state: { granted: '許可', withdrawn: '配信停止', unknown: '未確認', pending: '確認待ち' },
    source: {
      store: 'ストアでの変更',
      sync: 'ストアの同期',
      unsubscribe_link: 'メール内の配信停止リンク',
      one_click: 'メールアプリの配信停止ボタン',
      subscribe_link: 'メール内の登録リンク',
      storefront: 'ストアのページ',
      member: '管理画面での変更',
      import: 'CSV取り込み',
    },
  },
  en: {
    fileName: 'consent',
    title: 'Permission change history',
    made: 'Created',
    none: 'No permission changes are recorded.',
    columns: (zone) => [
      `Occurred (${zone})`,
      `Recorded (${zone})`,
      'Customer ID',
      'Store customer ID',
      'Name',
      'Email',
      'Permission',
      'From',
      'To',
      'Source',
      'Wording shown',
      'Page',
      'Source email',
    ],
    kind: { marketing: 'Marketing', notification: 'Email notification' },
    state: { granted: 'Subscribed', withdrawn: 'Unsubscribed', unknown: 'Never subscribed', pending: 'Pending' },
    source: {
      store: 'Changed in the store',
      sync: 'Store sync',
      unsubscribe_link: 'Unsubscribe link in an email',
      one_click: 'Unsubscribe button in the email app',
      subscribe_link: 'Subscribe link in an email',
      storefront: 'Storefront',
      member: 'Changed in Okaeri',
      import: 'CSV import',
    },
  },
}
