import type { CouponStatus } from '@okaeri/contract/coupons/coupon'
import { defineWords } from '../../app/define-words.ts'

/** A status without words does not compile. */
type Statuses = Record<CouponStatus, string>

export const words = defineWords({
  ja: {
    title: 'クーポン',
    description:
      'シナリオがお客様ごとに発行したクーポンコードの一覧です。誰に発行したか、使われたか、いくらの売上につながったかを確認できます。',
    search: 'クーポンコードで検索',
    code: 'コード',
    person: 'お客様',
    allPeople: 'すべてのお客様',
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
    wantedWhy: 'ストアで作成しています。できるまでメールは送られません。',
    figures: {
      issued: '発行数',
      used: '使用数',
      rate: '使用率',
      revenue: 'クーポンによる売上',
      how: 'クーポンを使った注文の金額です（返金後。キャンセルされた注文は除く）。',
    },
    empty: {
      title: '発行したクーポンはまだありません',
      text: 'シナリオに「クーポンを発行する」ステップを入れると、お客様一人ひとりに別のコードが発行され、ここに表示されます。',
      start: 'シナリオを追加',
    },
    all: 'すべてのクーポンを見る',
    noneYet: '発行したクーポンはまだありません。「クーポンを発行する」ステップに進んだお客様に、1人ずつ発行されます。',
  },
  en: {
    title: 'Coupons',
    description:
      'The coupon codes scenarios issued, one for each customer: who has it, whether it was used, and what it sold.',
    search: 'Search by code',
    code: 'Code',
    person: 'Customer',
    allPeople: 'All customers',
    guest: 'A guest, or a customer since deleted',
    scenario: 'Scenario',
    allScenarios: 'All scenarios',
    scenarioGone: 'A deleted scenario',
    statusLabel: 'Status',
    status: {
      wanted: 'Being created',
      made: 'Unused',
      used: 'Used',
      expired: 'Expired',
      failed: 'Not created',
    },
    issuedAt: 'Issued',
    expiresAt: 'Valid until',
    order: 'Used with order',
    cancelled: 'Cancelled',
    openExecution: 'Open the execution',
    openCustomer: 'Open the customer',
    failedWhy: 'The store could not create it. It is tried again when the execution of the scenario is resumed.',
    wantedWhy: 'The store is creating it. No email is sent until then.',
    figures: {
      issued: 'Issued',
      used: 'Used',
      rate: 'Share used',
      revenue: 'Sales with coupons',
      how: 'The total of orders placed with a coupon, after refunds and without cancelled ones.',
    },
    empty: {
      title: 'No coupons issued yet',
      text: 'Put the step “Issue coupon” into a scenario: every customer gets a code of their own, and it is listed here.',
      start: 'Add a scenario',
    },
    all: 'See all coupons',
    noneYet: 'No coupon has been issued yet. Each customer who comes to the step “Issue coupon” gets one of their own.',
  },
})
