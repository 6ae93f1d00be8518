import type { CouponStatus } from '@okaeri/contract/coupons/coupon'
import type { Localized } from '@okaeri/contract/locale'
import type { WordTree } from '../../app/word-tree.ts'

/** A status without words does not compile. */
type Statuses = Record<CouponStatus, Localized>

export const words = {
  title: { ja: 'クーポン', en: 'Coupons' },
  description: {
    ja: 'シナリオやキャンペーンが顧客ごとに発行したクーポンコードの一覧です。誰に発行したか、使われたか、いくらの売上につながったかを確認できます。',
    en: 'Coupon codes issued by scenarios and campaigns: who received them, whether they were used, and how much revenue they brought.',
  },
  search: { ja: 'クーポンコードで検索', en: 'Search by code' },
  code: { ja: 'コード', en: 'Code' },
  person: { ja: '顧客', en: 'Customer' },
  allPeople: { ja: 'すべての顧客', en: 'All customers' },
  guest: { ja: 'ゲスト、または削除された顧客', en: 'Guest or deleted customer' },
  scenario: { ja: 'シナリオ', en: 'Scenario' },
  allScenarios: { ja: 'すべてのシナリオ', en: 'All scenarios' },
  issuedBy: { ja: '発行元', en: 'Issued by' },
  campaign: { ja: 'キャンペーン', en: 'Campaign' },
  allCampaigns: { ja: 'すべてのキャンペーン', en: 'All campaigns' },
  campaignGone: { ja: '削除されたキャンペーン', en: 'Deleted campaign' },
  scenarioGone: { ja: '削除されたシナリオ', en: 'Deleted scenario' },
  statusLabel: { ja: 'ステータス', en: 'Status' },
  status: {
    wanted: { ja: '作成中', en: 'Being created' },
    made: { ja: '未使用', en: 'Unused' },
    used: { ja: '使用済み', en: 'Used' },
    expired: { ja: '期限切れ', en: 'Expired' },
    failed: { ja: '作成エラー', en: 'Failed' },
  } satisfies Statuses,
  issuedAt: { ja: '発行日時', en: 'Issued' },
  expiresAt: { ja: '有効期限', en: 'Valid until' },
  order: { ja: '使われた注文', en: 'Used with order' },
  cancelled: { ja: 'キャンセル', en: 'Cancelled' },
  openExecution: { ja: '実行を開く', en: 'View execution' },
  openCustomer: { ja: '顧客を開く', en: 'View customer' },
  failedWhy: {
    ja: 'ストアで作成できませんでした。シナリオの実行を再開すると、もう一度作成します。',
    en: 'The store could not create it. Resume the scenario’s execution to try again.',
  },
  failedWhyOfCampaign: {
    ja: 'ストアで作成できなかったか、使えなくなっています。キャンペーンの画面で、もう一度作成できます。',
    en: 'The store could not create it, or no longer takes it. Try again on the campaign’s page.',
  },
  wantedWhy: {
    ja: 'ストアで作成しています。作成されるまでメールは配信されません。',
    en: 'The store is creating it. No email is sent until then.',
  },
  figures: {
    issued: { ja: '発行数', en: 'Issued' },
    used: { ja: '使用数', en: 'Used' },
    rate: { ja: '使用率', en: 'Usage rate' },
    revenue: { ja: 'クーポンによる売上', en: 'Revenue from coupons' },
    how: {
      ja: 'クーポンを使った注文の金額です（返金後。キャンセルされた注文は除く）。',
      en: 'The total of orders that used a coupon, after refunds and excluding cancelled orders.',
    },
  },
  empty: {
    title: { ja: '発行したクーポンはまだありません', en: 'No coupons issued yet' },
    text: {
      ja: 'シナリオに「クーポンを発行する」ステップを入れるか、キャンペーンで「1人ずつのクーポン」を選ぶと、顧客一人ひとりに別のコードが発行され、ここに表示されます。',
      en: 'Add an “Issue coupon” step to a scenario, or turn on the coupon of a campaign. Each customer gets a unique code, listed here.',
    },
    start: { ja: 'シナリオを作成', en: 'Create scenario' },
    startCampaign: { ja: 'キャンペーンを作成', en: 'Create campaign' },
  },
  trouble: {
    waiting: {
      ja: 'ストアでのコードの作成に時間がかかっています',
      en: 'The store is taking long to create codes',
    },
    waitingText: {
      ja: '{{since}}に依頼した{{n}}個のコード（{{terms}}）がまだできていません。次は{{next}}に確認し、できしだい自動で続けます。',
      en: {
        one: '{{n}} code ({{terms}}), requested at {{since}}, is not there yet. Okaeri checks again at {{next}} and continues automatically.',
        other:
          '{{n}} codes ({{terms}}), requested at {{since}}, are not there yet. Okaeri checks again at {{next}} and continues automatically.',
      },
    },
    waitingDo: {
      ja: '長く続くときは、Shopifyで障害が起きていないか確認し、Shopifyのサポートにお問い合わせください。',
      en: 'If this lasts, check whether Shopify reports a problem, or contact Shopify support.',
    },
    changed: {
      ja: 'クーポンのディスカウントが、ストアで削除または変更されました',
      en: 'A coupon’s discount was deleted or changed in the store',
    },
    changedText: {
      ja: '{{terms}}（{{since}}に確認）：',
      en: '{{terms}} (found at {{since}}): ',
    },
    dead: {
      ja: '発行済みの{{n}}個のコードは使えなくなっています。「作成エラー」のタブで、受け取った顧客を確認できます。',
      en: {
        one: '{{n}} issued code no longer works. The tab “Failed” shows whose it is.',
        other: '{{n}} issued codes no longer work. The tab “Failed” shows whose they are.',
      },
    },
    changedDo: {
      ja: 'このコードが入った配信前のメッセージは保留しています。シナリオのページで、新しいクーポンに替えて配信できます。今後のコードは新しいディスカウントで作成します。クーポンを終了したい場合は、シナリオを停止するか、「クーポンを発行する」ステップを外してください。',
      en: 'Messages with such a code that were not sent yet are held; on the scenario’s page you can send them with new coupons. New codes are created with a new discount. To end the coupon, stop the scenario or remove its “Issue coupon” step.',
    },
  },
  all: { ja: 'すべてのクーポンを見る', en: 'View all coupons' },
  noneYet: {
    ja: '発行したクーポンはまだありません。「クーポンを発行する」ステップに進んだ顧客に、1人ずつ発行されます。',
    en: 'No coupons issued yet. Each customer who reaches the “Issue coupon” step gets a unique code.',
  },
} satisfies WordTree
