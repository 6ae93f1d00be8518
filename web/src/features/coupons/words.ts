import type { CouponStatus } from '@okaeri/contract/coupons/coupon'
import { defineWords } from '../../app/define-words.ts'

/** A status without words does not compile. */
type Statuses = Record<CouponStatus, string>

export const words = defineWords({
  ja: {
    title: 'クーポン',
    description:
      'シナリオが顧客ごとに発行したクーポンコードの一覧です。誰に発行したか、使われたか、いくらの売上につながったかを確認できます。',
    search: 'クーポンコードで検索',
    code: 'コード',
    person: '顧客',
    allPeople: 'すべての顧客',
    guest: 'ゲスト、または削除された顧客',
    scenario: 'シナリオ',
    allScenarios: 'すべてのシナリオ',
    scenarioGone: '削除されたシナリオ',
    statusLabel: 'ステータス',
    status: {
      wanted: '作成中',
      made: '未使用',
      used: '使用済み',
      expired: '期限切れ',
      failed: '作成エラー',
    } satisfies Statuses,
    issuedAt: '発行日時',
    expiresAt: '有効期限',
    order: '使われた注文',
    cancelled: 'キャンセル',
    openExecution: '実行を開く',
    openCustomer: '顧客を開く',
    failedWhy: 'ストアで作成できませんでした。シナリオの実行を再開すると、もう一度作成します。',
    wantedWhy: 'ストアで作成しています。作成されるまでメールは配信されません。',
    figures: {
      issued: '発行数',
      used: '使用数',
      rate: '使用率',
      revenue: 'クーポンによる売上',
      how: 'クーポンを使った注文の金額です（返金後。キャンセルされた注文は除く）。',
    },
    empty: {
      title: '発行したクーポンはまだありません',
      text: 'シナリオに「クーポンを発行する」ステップを入れると、顧客一人ひとりに別のコードが発行され、ここに表示されます。',
      start: 'シナリオを作成',
    },
    all: 'すべてのクーポンを見る',
    noneYet: '発行したクーポンはまだありません。「クーポンを発行する」ステップに進んだ顧客に、1人ずつ発行されます。',
  },
  en: {
    title: 'Coupons',
    description:
      'Coupon codes issued by scenarios: who received them, whether they were used, and how much revenue they brought.',
    search: 'Search by code',
    code: 'Code',
    person: 'Customer',
    allPeople: 'All customers',
    guest: 'Guest or deleted customer',
    scenario: 'Scenario',
    allScenarios: 'All scenarios',
    scenarioGone: 'Deleted scenario',
    statusLabel: 'Status',
    status: {
      wanted: 'Being created',
      made: 'Unused',
      used: 'Used',
      expired: 'Expired',
      failed: 'Failed',
    },
    issuedAt: 'Issued',
    expiresAt: 'Valid until',
    order: 'Used with order',
    cancelled: 'Cancelled',
    openExecution: 'View execution',
    openCustomer: 'View customer',
    failedWhy: 'The store could not create it. Resume the scenario’s execution to try again.',
    wantedWhy: 'The store is creating it. No email is sent until then.',
    figures: {
      issued: 'Issued',
      used: 'Used',
      rate: 'Usage rate',
      revenue: 'Revenue from coupons',
      how: 'The total of orders that used a coupon, after refunds and excluding cancelled orders.',
    },
    empty: {
      title: 'No coupons issued yet',
      text: 'Add an “Issue coupon” step to a scenario. Each customer gets a unique code, listed here.',
      start: 'Create scenario',
    },
    all: 'View all coupons',
    noneYet: 'No coupons issued yet. Each customer who reaches the “Issue coupon” step gets a unique code.',
  },
})
