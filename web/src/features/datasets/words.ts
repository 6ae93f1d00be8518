import type { WordTree } from '../../app/word-tree.ts'

export const words = {
  title: { ja: 'データ一覧', en: 'Data sets' },
  description: {
    ja: 'ストアと同期しているデータです。変更は自動で反映され、取りこぼしがないかを定期的にストアと照合しています。',
    en: 'Synced store data. Changes arrive automatically, and the data is compared with your store regularly so that nothing is missed.',
  },
  name: { ja: 'データ', en: 'Data set' },
  count: { ja: '件数', en: 'Count' },
  countOf: { ja: '{{total}}件', en: { one: '{{total}} record', other: '{{total}} records' } },
  countedAt: { ja: '{{time}}時点', en: 'as of {{time}}' },
  status: {
    label: { ja: 'ステータス', en: 'Status' },
    never_fetched: { ja: '未同期', en: 'Not synced yet' },
    fetching: { ja: '同期中', en: 'Syncing' },
    done: { ja: '同期済み', en: 'Synced' },
    failed: { ja: '同期失敗', en: 'Failed' },
  },
  lastFetched: { ja: '最終同期', en: 'Last synced' },
  lastChecked: { ja: '最終照合', en: 'Last checked' },
  lastDifference: { ja: '最後に直した差分', en: 'Last fix' },
  never: { ja: 'まだありません', en: 'None yet' },
  notFetched: { ja: '未同期', en: 'Not synced yet' },
  noDifference: { ja: '差分はありません', en: 'No differences' },
  difference: {
    ja: '{{total}}件（{{time}}）',
    en: { one: '{{total}} record ({{time}})', other: '{{total}} records ({{time}})' },
  },
  openList: { ja: '一覧を開く', en: 'Open list' },
  differenceAt: {
    ja: '{{time}}に{{total}}件の差分を見つけ、直しました。',
    en: {
      one: '{{total}} difference was found and fixed on {{time}}.',
      other: '{{total}} differences were found and fixed on {{time}}.',
    },
  },
  kind: {
    missing: {
      ja: 'Okaeriになかった：{{total}}件',
      en: 'Missing in Okaeri: {{total}}',
    },
    outdated: {
      ja: '古いままだった：{{total}}件',
      en: 'Outdated in Okaeri: {{total}}',
    },
    consent: {
      ja: '配信許可が異なっていた：{{total}}件',
      en: 'Different permission: {{total}}',
    },
    gone: {
      ja: 'ストアで削除されていた：{{total}}件',
      en: 'Deleted in the store: {{total}}',
    },
  },
  phase: {
    waiting: { ja: 'ほかのデータの同期を待っています', en: 'Waiting for other data' },
    exporting: { ja: 'ストアで書き出し中', en: 'Export in progress' },
    loading: { ja: '読み込み中', en: 'Loading' },
  },
  details: { ja: '詳細', en: 'Details' },
  refetch: { ja: 'もう一度同期', en: 'Sync again' },
  refetchAsk: { ja: '{{name}}をすべて同期し直しますか？', en: 'Sync all of “{{name}}” again?' },
  refetchText: {
    ja: 'ストアからすべてのデータを同期し直します。件数によっては時間がかかりますが、その間も配信などの操作は続けられます。',
    en: 'Everything is synced from your store again. This can take a while. You can keep working and sending.',
  },
  refetching: { ja: '同期を開始しました', en: 'Sync started' },
  check: { ja: '今すぐ照合', en: 'Check now' },
  checking: { ja: 'ストアとの照合を開始しました', en: 'Check started' },
  notCompared: {
    ja: 'このデータは照合せず、毎回すべて同期し直しています。',
    en: 'Not compared: it is always synced in full.',
  },
  csv: { ja: 'CSVダウンロード', en: 'Download CSV' },
  viewerMayNot: {
    ja: '閲覧のみの権限のため、変更できません。',
    en: 'You have view-only access, so you cannot change this.',
  },
  underWay: { ja: '同期中です。終わるまでお待ちください。', en: 'Already syncing. Please wait until it finishes.' },
  notConnected: { ja: 'ストアが接続されていません。', en: 'No store is connected.' },
  waiting: {
    ja: 'ストアから届いた変更のうち、{{total}}件を反映しています。',
    en: {
      one: '{{total}} change from the store is being processed.',
      other: '{{total}} changes from the store are being processed.',
    },
  },
  absence: {
    uninstalled: { ja: 'ストアからアプリが削除されました', en: 'The app was uninstalled from the store' },
    refused: { ja: 'ストアがアクセスを拒否しました', en: 'Store access denied' },
    disconnected: { ja: 'ストアの接続が解除されています', en: 'The store was disconnected' },
    never: { ja: 'ストアが接続されていません', en: 'No store is connected' },
  },
  absenceText: {
    ja: 'これまでに同期したデータは残っています。もう一度接続すると、続きから同期します。',
    en: 'Data synced so far is kept. Syncing resumes when the store is connected again.',
  },
  neverText: {
    ja: '接続すると、顧客・注文・商品などのデータが自動で同期されます。',
    en: 'Connect your store to sync customers, orders and products automatically.',
  },
  since: { ja: '{{time}}から', en: 'Since {{time}}' },
  connect: { ja: 'ストアを接続', en: 'Connect store' },
  failedTitle: { ja: '前回の同期に失敗しました', en: 'The last sync failed' },
  overview: { ja: '概要', en: 'Overview' },
  repaired: { ja: 'ストアとの差分', en: 'Differences from the store' },
  repairedHelp: {
    ja: '変更の通知（Webhook）が届かなかった場合に備えて、定期的にストアと照合し、違いがあれば自動で直しています。',
    en: 'In case change notifications (webhooks) get lost, the data is compared with your store regularly and differences are repaired.',
  },
  checks: { ja: '照合の履歴', en: 'Check history' },
  noChecks: { ja: '照合はまだ行われていません。', en: 'No comparisons yet.' },
  checkKind: {
    window: { ja: '変更分の照合', en: 'Recent changes' },
    sweep: { ja: '全件の照合', en: 'Full check' },
    copy: { ja: '全件の同期', en: 'Full sync' },
  },
  checkStatus: {
    running: { ja: '照合中', en: 'Checking' },
    done: { ja: '完了', en: 'Done' },
    failed: { ja: '失敗', en: 'Failed' },
  },
  checkWhat: { ja: '内容', en: 'Scope' },
  started: { ja: '開始', en: 'Started' },
  checkedCount: { ja: '確認した件数', en: 'Checked' },
  repairedCount: { ja: '直した件数', en: 'Fixed' },
  found: { ja: '見つかった差分', en: 'Differences' },
  none: { ja: 'なし', en: 'None' },
} satisfies WordTree
