import {
  channelNames,
  type DeliveryKind,
  type DeliveryStatus,
  type FailureClass,
  type SkipReason,
} from '@okaeri/contract/deliveries/delivery'
import { receiverNames } from '@okaeri/contract/emails/receiver-names'
import type { Localized } from '@okaeri/contract/locale'
import type { WordTree } from '../../app/word-tree.ts'

/** A state, reason or class of failure without words does not compile. */
type Kinds = Record<(typeof DeliveryKind.options)[number], Localized>
type Statuses = Record<DeliveryStatus, Localized>
type Skips = Record<SkipReason, Localized>
type Failures = Record<FailureClass, Localized>

export const words = {
  person: { ja: '顧客', en: 'Customer' },
  address: { ja: '宛先', en: 'Address' },
  statusLabel: { ja: 'ステータス', en: 'Status' },
  reason: { ja: '理由', en: 'Reason' },
  sentAt: { ja: '配信日時', en: 'Sent at' },
  reaction: { ja: '反応', en: 'Activity' },
  subject: { ja: '件名', en: 'Subject' },
  clickedAt: { ja: 'クリック日時', en: 'Clicked at' },
  kindLabel: { ja: '種類', en: 'Type' },
  campaign: { ja: 'キャンペーン', en: 'Campaign' },
  opened: { ja: '開封', en: 'Opened' },
  clicked: { ja: 'クリック', en: 'Clicked' },
  bounced: { ja: '不達', en: 'Bounced' },
  test: { ja: 'テスト', en: 'Test' },
  testAddress: { ja: 'テスト用の宛先（本来は {{address}}）', en: 'Test addresses (meant for {{address}})' },
  unknownPerson: { ja: '（削除された顧客）', en: '(deleted customer)' },
  receiver: receiverNames,
  paces: {
    title: { ja: '受信側が受け取る量を減らしています', en: 'Some receiving services accept fewer emails right now' },
    intro: {
      ja: '少しずつ、自動で送り続けます。2日たっても受け取られない分は「失敗」になります。',
      en: 'The rest is sent automatically, a little at a time. Emails that are not accepted within two days fail.',
    },
    held: {
      ja: '{{name}}：{{time}} に再開します。待っているメールは約{{n}}通です。',
      en: '{{name}}: resumes at {{time}}. About {{n}} emails are waiting.',
    },
    slow: {
      ja: '{{name}}：現在1分に約{{rate}}通です。待っているメールは約{{n}}通です。',
      en: '{{name}}: about {{rate}} emails a minute now. About {{n}} emails are waiting.',
    },
    answer: { ja: '応答：', en: 'Answer:' },
  },
  search: { ja: '名前・メールアドレスで検索', en: 'Search by name or email address' },
  searchByLine: {
    ja: '名前・メールアドレス・LINEの表示名で検索',
    en: 'Search by name, email address or LINE name',
  },
  channel: channelNames,
  byChannel: { ja: '{{channel}}：{{what}}', en: '{{channel}}: {{what}}' },
  kind: {
    campaign: { ja: 'キャンペーン', en: 'Campaign' },
    scenario: { ja: 'シナリオ', en: 'Scenario' },
    test: { ja: 'テスト送信', en: 'Test send' },
    receipt: { ja: '登録の受付', en: 'Receipt' },
  } satisfies Kinds,
  status: {
    pending: { ja: '配信待ち', en: 'Waiting' },
    sending: { ja: '配信中', en: 'Sending' },
    sent: { ja: '配信済み', en: 'Sent' },
    failed: { ja: '失敗', en: 'Failed' },
    skipped: { ja: '配信対象外', en: 'Skipped' },
    uncertain: { ja: '到達不明', en: 'Outcome unknown' },
  } satisfies Statuses,
  skip: {
    no_consent: { ja: 'マーケティング許可がない', en: 'No marketing permission' },
    paused: { ja: '顧客がメールを一時休止している', en: 'Customer paused marketing emails' },
    suppressed: {
      ja: '配信除外リストに登録されている（不達・迷惑メール報告など）',
      en: 'On the suppression list (bounce, complaint, etc.)',
    },
    no_address: { ja: 'メールアドレスがない', en: 'No email address' },
    duplicate_address: { ja: '同じアドレスの別の顧客に配信', en: 'Sent to another customer with the same address' },
    not_linked: { ja: 'LINEと連携していない', en: 'LINE account not linked' },
    not_a_friend: { ja: 'LINEの友だちではない', en: 'Not a friend on LINE' },
    blocked: { ja: 'LINEでブロックされている', en: 'Blocked your account on LINE' },
    test_cap: { ja: 'テストモードの上限を超えた', en: 'Test mode limit reached' },
    test_plan: { ja: 'テストプランのため配信しない', en: 'Not sent on the test plan' },
    no_test_address: { ja: '確認済みのテスト用の宛先がない', en: 'No test address is confirmed' },
    test_day_cap: { ja: '1日に送れるテストメールの上限に達した', en: 'Daily test email limit reached' },
    address_unconfirmed: { ja: '宛先のアドレスが確認されていない', en: 'Address not confirmed' },
    sender_unconfirmed: { ja: '差出人のアドレスが確認されていない', en: 'Sender address not confirmed' },
    account_unconfirmed: {
      ja: 'アカウントのメールアドレスが確認されていない',
      en: 'Account email address not confirmed',
    },
    line_not_connected: { ja: 'LINEチャネルが接続されていない', en: 'No LINE channel connected' },
    over_quota: { ja: '今月のLINEメッセージの上限を超えた', en: 'Over the LINE messages left this month' },
    cancelled: { ja: 'キャンセル・中止された', en: 'Cancelled or stopped' },
    customer_gone: { ja: '顧客が削除された', en: 'The customer was deleted' },
    expired: { ja: '配信期限を過ぎた', en: 'Sending window passed' },
    holdout: { ja: '効果測定のため配信しないグループに入った', en: 'In the hold-out group' },
    frequency_cap: { ja: '同じ顧客への配信頻度の上限に達した', en: 'Frequency cap reached' },
    out_of_stock: { ja: '再び在庫切れになった', en: 'Sold out again' },
    coupon_ended: { ja: 'クーポンの有効期限切れ', en: 'Coupon expired' },
    already_bought: { ja: 'すでに購入している', en: 'Already bought it' },
  } satisfies Skips,
  failure: {
    temporary: { ja: '一時的なエラー', en: 'Temporary error' },
    permanent: {
      ja: '受信側が拒否（アドレスやLINEアカウントが存在しないなど）',
      en: 'Rejected by the receiving side (no such address or LINE account, etc.)',
    },
    quota: { ja: '送信数の上限', en: 'Sending limit reached' },
    warm_up: { ja: 'ウォームアップ中（今日の上限）', en: 'Warm-up: today’s limit reached' },
    receiver_limit: { ja: '受信側の流量制限', en: 'Receiving service accepts fewer at a time' },
    configuration: { ja: '配信設定の誤り', en: 'Incorrect sending settings' },
    content: {
      ja: '内容が原因で配信できない（迷惑メールと判定された、LINEに受け付けられないなど）',
      en: 'Rejected because of its content (treated as spam, not accepted by LINE, etc.)',
    },
  } satisfies Failures,
  triedAgain: { ja: '{{reason}}（自動で再試行）', en: '{{reason}} (retried automatically)' },
  cutOff: { ja: '配信の途中で接続が切れた', en: 'Connection lost while sending' },
  history: {
    title: { ja: '配信履歴', en: 'Delivery history' },
    all: { ja: 'すべて', en: 'All' },
    kindLabel: { ja: '種類で絞り込む', en: 'Filter by type' },
  },
  empty: { ja: 'まだ何も配信されていません。', en: 'Nothing sent yet.' },
  noMatch: { ja: '条件に合うものがありません。', en: 'No matches.' },
  allStatuses: { ja: 'すべてのステータス', en: 'All statuses' },
  allChannels: { ja: 'すべてのチャネル', en: 'All channels' },
  filterChannel: { ja: 'チャネルで絞り込む', en: 'Filter by channel' },
  filterStatus: { ja: 'ステータスで絞り込む', en: 'Filter by status' },
} satisfies WordTree
