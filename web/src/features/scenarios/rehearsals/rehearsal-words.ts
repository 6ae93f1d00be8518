import type { RehearsedEnd } from '@okaeri/contract/scenarios/rehearsal'
import type { WordTree } from '../../../app/word-tree.ts'

/** Rehearsals and the hold-out group. */
export const words = {
  title: { ja: 'リハーサル', en: 'Rehearsal' },
  intro: {
    ja: '過去90日間に実際にあったイベントにこのシナリオを当てはめ、誰に・いつ・何通届いたかを調べます。何も配信されません。',
    en: 'Simulates this scenario with the events of the last 90 days: who would have received what, and when. Nothing is sent.',
  },
  notYet: { ja: 'まだリハーサルは行われていません。', en: 'No rehearsal yet.' },
  run: { ja: 'リハーサルを開始', en: 'Run rehearsal' },
  again: { ja: 'もう一度調べる', en: 'Run again' },
  running: { ja: '調べています', en: 'Running' },
  failed: {
    ja: 'リハーサルを終えられませんでした。もう一度お試しください。',
    en: 'The rehearsal could not be finished. Please try again.',
  },
  of: { ja: '{{from}}〜{{to}}のイベント（{{asked}}に実行）', en: 'Events from {{from}} to {{to}} (run at {{asked}})' },
  outdated: { ja: 'リハーサルの後でフローが変更されています。', en: 'The flow was changed after this rehearsal.' },
  mails: { ja: '届いていたメール', en: 'Emails' },
  lineMessages: { ja: '届いていたLINE', en: 'LINE messages' },
  linePace: {
    ja: 'LINEメッセージは1か月に約{{n}}通のペースです。',
    en: { one: 'About {{n}} LINE message a month.', other: 'About {{n}} LINE messages a month.' },
  },
  lineLeft: {
    ja: '今月の残りは{{left}}通です（上限{{limit}}通）。',
    en: '{{left}} of the month’s {{limit}} are left.',
  },
  lineUnlimited: { ja: '月の上限はありません。', en: 'There is no monthly limit.' },
  lineShort: { ja: '今月の残りのLINEメッセージでは足りません', en: 'More LINE messages than are left this month' },
  people: { ja: '届いていた人', en: 'Recipients' },
  entered: { ja: '参加した回数', en: 'Entries' },
  enteredOf: { ja: 'きっかけ{{n}}件のうち', en: 'of {{n}} events' },
  busiest: { ja: '最も多い日', en: 'Busiest day' },
  busiestOn: { ja: '{{day}}', en: 'on {{day}}' },
  mostToOne: { ja: '1人への最多', en: 'Most per customer' },
  count: { ja: '{{n}}通', en: '{{n}}' },
  persons: { ja: '{{n}}人', en: '{{n}}' },
  times: { ja: '{{n}}回', en: '{{n}}' },
  perDay: { ja: '1日あたりの通数', en: 'Messages per day' },
  day: { ja: '日付', en: 'Day' },
  noMessages: { ja: 'この期間に届いていたものはありません。', en: 'Nothing sent in this period.' },
  keptOut: { ja: '参加しなかった理由', en: 'Not entered because of' },
  keptOutBy: { ja: '{{rule}}：{{times}}', en: '{{rule}}: {{times}}' },
  rule: {
    registered: { ja: '再入荷通知のシナリオで通知', en: 'the restock registration, which notifies them' },
    condition: { ja: '参加条件に合わない', en: 'the entry condition' },
    reentry: { ja: '再参加の設定により対象外', en: 'the re-entry setting' },
  },
  without: {
    title: {
      ja: '参加したうち{{n}}回は、1通も届いていません',
      en: { one: '{{n}} entry without a message', other: '{{n}} entries without a message' },
    },
    bought: { ja: '届く前に購入し、シナリオが終了した', en: 'Ended by a purchase before the first message' },
    under_way: { ja: '期間の終わりの時点で、まだ待機中だった', en: 'Still waiting at the end of the period' },
    stuck: { ja: 'ステップでエラーになった', en: 'Stopped by an error at a step' },
    other_way: { ja: '配信のない経路に進んだ', en: 'Took a path without messages' },
  } satisfies Record<'title' | RehearsedEnd, unknown>,
  stuck: { ja: 'エラーになるステップ', en: 'Steps with errors' },
  stuckAt: {
    ja: '「{{step}}」で{{n}}回エラーになります。配信する内容や条件の設定を確認してください。',
    en: '{{n}} errors at “{{step}}”. Check its content or condition.',
  },
  samples: { ja: '配信先の例', en: 'Example recipients' },
  customer: { ja: '顧客', en: 'Customer' },
  enteredAt: { ja: '参加した日時', en: 'Entered at' },
  got: { ja: '届いていたもの', en: 'Messages' },
  none: { ja: '該当するイベントがありませんでした。', en: 'No trigger events in this period.' },
  how: {
    ja: '条件と配信許可は現在の顧客データで判定しています（注文回数だけの条件は当時の回数で判定）。配信頻度の上限は考慮していません。',
    en: 'Based on current customer data and permissions (conditions on the number of orders alone use the number at the time). The frequency cap is not taken into account.',
  },
  holdout: {
    title: { ja: 'このシナリオによる売上の増加', en: 'Incremental revenue of this scenario' },
    interval: {
      ja: '95%の信頼度で {{low}} 〜 {{high}} の間です。',
      en: 'With 95% confidence between {{low}} and {{high}}.',
    },
    unclear: {
      ja: '範囲に0が含まれるため、効果があるとはまだ言えません。',
      en: 'The range includes zero, so there is no clear effect yet.',
    },
    tooFew: {
      ja: '配信グループと比較用グループがそれぞれ{{n}}件以上になると、増加額を計算します。',
      en: 'Calculated once both groups have {{n}} executions.',
    },
    noOrders: {
      ja: 'まだ注文がありません。注文が入ると、増加額を計算します。',
      en: 'No orders yet. The increase is calculated once there are orders.',
    },
    measure: { ja: '指標', en: 'Metric' },
    treated: { ja: '配信グループ', en: 'Recipients' },
    heldOut: { ja: '比較用グループ', en: 'Hold-out group' },
    executions: { ja: '実行数', en: 'Executions' },
    orders: { ja: '注文', en: 'Orders' },
    revenue: { ja: '売上', en: 'Revenue' },
    perPerson: { ja: '1件あたり', en: 'Per execution' },
    how: {
      ja: 'シナリオに参加してから{{days}}日以内の注文を、両グループとも同じように数えています（{{time}}時点）。',
      en: 'Orders within {{days}} days of entering, counted the same way for both groups (as of {{time}}).',
    },
  },
} satisfies WordTree
