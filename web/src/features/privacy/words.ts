import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  title: { ja: '個人情報の請求', en: 'Privacy requests' },
  description: {
    ja: '顧客やストアからの、保有情報の開示と消去の請求です。ストアの請求は自動で処理します。',
    en: 'Requests from customers and Shopify to disclose or erase personal data. Requests from Shopify are handled automatically.',
  },
  kind: {
    label: { ja: '請求', en: 'Request' },
    data_request: { ja: '保有情報の開示', en: 'Data request' },
    customer_redact: { ja: '顧客の消去', en: 'Customer erasure' },
    shop_redact: { ja: 'ストア全体の消去', en: 'Store erasure' },
  },
  source: {
    label: { ja: '請求元', en: 'From' },
    store: { ja: 'ストア', en: 'Store' },
    member: { ja: 'このアカウント', en: 'This account' },
  },
  status: {
    label: { ja: 'ステータス', en: 'Status' },
    waiting: { ja: '処理中', en: 'In progress' },
    done: { ja: '完了', en: 'Done' },
    skipped: { ja: '対象外', en: 'Not applicable' },
    failed: { ja: '失敗', en: 'Failed' },
  },
  retrying: {
    ja: '再試行中（{{count}}回失敗）',
    en: { one: 'Retrying ({{count}} failure)', other: 'Retrying ({{count}} failures)' },
  },
  about: { ja: '対象', en: 'Subject' },
  person: { ja: '顧客 #{{mark}}', en: 'Customer #{{mark}}' },
  unknown: { ja: '登録のない顧客', en: 'Unknown customer' },
  everything: { ja: 'すべてのデータ', en: 'All data' },
  receivedAt: { ja: '受付日時', en: 'Received' },
  doneAt: { ja: '完了日時', en: 'Done' },
  dueAt: { ja: '期限', en: 'Due' },
  result: { ja: '結果', en: 'Result' },
  nothing: { ja: '保有している情報はありませんでした', en: 'No data held' },
  told: { ja: '{{count}}件を記載', en: { one: '{{count}} record disclosed', other: '{{count}} records disclosed' } },
  erased: {
    ja: '{{count}}件を消去・匿名化',
    en: { one: '{{count}} record erased or anonymized', other: '{{count}} records erased or anonymized' },
  },
  skip: {
    store_connected: {
      ja: 'ストアが再び接続されているため、消去していません',
      en: 'The store is connected again, so nothing was erased',
    },
  },
  more: { ja: '内訳', en: 'Details' },
  lineOf: { ja: '{{name}} {{rows}}', en: '{{name}} {{rows}}' },
  fileUntil: { ja: 'ファイルは{{date}}まで', en: 'File until {{date}}' },
  fileGone: { ja: 'ファイルは削除されました', en: 'File deleted' },
  download: {
    button: { ja: 'ダウンロード', en: 'Download' },
    html: { ja: '顧客に渡すファイル（HTML）', en: 'File for the customer (HTML)' },
    json: { ja: 'データファイル（JSON）', en: 'Data file (JSON)' },
  },
  ownerOnly: { ja: 'ダウンロードできるのはオーナーのみです。', en: 'Only the owner can download this.' },
  noFile: { ja: 'ファイルがありません。', en: 'There is no file.' },
  empty: {
    title: { ja: '請求はまだありません', en: 'No requests yet' },
    text: {
      ja: '顧客がストアに開示や消去を求めると、ここに表示されます。顧客のページから、書き出しと消去を行うこともできます。',
      en: 'When a customer asks the store to disclose or erase their data, the request appears here. You can also export or erase data from the customer’s page.',
    },
  },
  actionsFor: { ja: '{{kind}}（{{at}}）', en: '{{kind}} ({{at}})' },
  export: {
    html: { ja: '保有情報を書き出す（HTML）', en: 'Export personal data (HTML)' },
    json: { ja: '保有情報を書き出す（JSON）', en: 'Export personal data (JSON)' },
  },
  erase: { ja: '個人情報を消去…', en: 'Erase personal data…' },
  eraseOwnerOnly: { ja: '消去できるのはオーナーのみです。', en: 'Only the owner can erase personal data.' },
  eraseAsk: { ja: '「{{name}}」の個人情報を消去しますか？', en: 'Erase the personal data of “{{name}}”?' },
  eraseBody: {
    ja: '氏名・連絡先・行動の記録をすべて消去します。注文の金額やレポートの集計は、誰のものかが分からない形で残ります。配信停止の記録と同意の証跡は、メールアドレスを含まない形で保存します。ストアの顧客情報は消えないため、必要な場合はストアの管理画面でも消去してください。',
    en: 'The customer’s name, contact details and activity are erased. Order amounts and report totals stay in anonymous form. Unsubscribe records and proof of consent are kept without the email address. The customer in your store is not erased: erase them in your store’s admin as well if needed.',
  },
  eraseConfirm: { ja: '消去する', en: 'Erase' },
  erasing: { ja: '消去を受け付けました', en: 'Erasure started' },
} satisfies WordTree
