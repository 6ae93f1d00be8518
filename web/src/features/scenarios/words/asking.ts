import type { WhyInScenario } from '@okaeri/contract/scenarios/entering-routes'
import type { Localized } from '@okaeri/contract/locale'
import type { z } from 'zod'
import type { WordTree } from '../../../app/word-tree.ts'

/** A rule without words does not compile. */
type Rules = Record<z.output<typeof WhyInScenario>['rules'][number]['rule'], Localized>

/** Test runs, and why a customer is or is not in a scenario. */
export const askingWords = {
  test: {
    title: { ja: 'テスト実行', en: 'Test run' },
    intro: {
      ja: '待機を飛ばして、すぐに最後まで進みます。メールはテスト用の宛先（{{emails}}）にだけ、LINEメッセージはテスト用のLINEアカウントにだけ送られ、集計には含まれません。',
      en: 'Runs to the end right away, skipping waits. Emails only go to your test addresses ({{emails}}) and LINE messages to your test LINE accounts. Nothing is counted.',
    },
    introNone: {
      ja: '待機を飛ばして、すぐに最後まで進みます。テスト用の宛先が登録されていないため、メールは送られません。LINEメッセージはテスト用のLINEアカウントにだけ送られます。',
      en: 'Runs to the end right away, skipping waits. No test address is set, so no email is sent. LINE messages only go to your test LINE accounts.',
    },
    setAddresses: { ja: 'テスト用の宛先を登録', en: 'Set test addresses' },
    with: { ja: '使うデータ', en: 'Test data' },
    withEvent: { ja: '実際にあったイベント', en: 'Past event' },
    withCustomer: { ja: '顧客を選ぶ', en: 'Selected customer' },
    event: { ja: 'イベント', en: 'Event' },
    eventPlaceholder: { ja: 'イベントを選択', en: 'Select an event' },
    customer: { ja: '顧客', en: 'Customer' },
    customerPlaceholder: { ja: '名前やメールアドレスで検索', en: 'Search by name or email address' },
    none: {
      ja: 'レスポンスを受信していません。イベントを選択してください。',
      en: 'No response received. Please select an event.',
    },
    noCustomer: { ja: '顧客を選択してください。', en: 'Please select a customer.' },
    noneText: {
      ja: 'このきっかけのイベントはまだ届いていません。ストアでテストの注文などを行うと選べるようになります。誕生日や会員登録などは、顧客を選んで試せます。',
      en: 'No events for this trigger yet. Place a test order or similar in your store to see one here. Birthdays, sign-ups and similar triggers can be tested with a customer.',
    },
    start: { ja: 'テストを開始', en: 'Start test' },
    started: { ja: 'テストを開始しました', en: 'Test started' },
  },
  why: {
    title: { ja: '参加の理由を確認', en: 'Check entry' },
    intro: {
      ja: '顧客を選ぶと、このシナリオの対象になった、またはならなかった理由がわかります。',
      en: 'Select a customer to see why they did or did not enter this scenario.',
    },
    placeholder: { ja: '名前やメールアドレスで検索', en: 'Search by name or email address' },
    in: { ja: '対象になっています', en: 'In this scenario' },
    out: { ja: '対象になっていません', en: 'Not in this scenario' },
    execution: { ja: '実行を見る（{{n}}）', en: 'Show execution {{n}}' },
    rule: {
      status: { ja: 'シナリオのステータス', en: 'Scenario status' },
      event: { ja: 'きっかけ', en: 'Trigger' },
      customer_known: { ja: '顧客の登録', en: 'Known customer' },
      registered: { ja: '再入荷通知の登録', en: 'Restock registration' },
      condition: { ja: '参加条件', en: 'Entry condition' },
      reentry: { ja: '再参加の設定', en: 'Re-entry' },
      holdout: { ja: '比較用グループ', en: 'Hold-out group' },
      consent: { ja: '配信の可否', en: 'Reachable' },
      brake: { ja: '流入の制限', en: 'Entry limit' },
      late: { ja: '実行の遅れ', en: 'Late executions' },
      failed: { ja: 'エラー', en: 'Error' },
    } satisfies Rules,
    admits: {
      status: { ja: 'シナリオは有効です。', en: 'The scenario is active.' },
      event: { ja: 'きっかけになるイベントがありました。', en: 'A trigger event occurred.' },
      customer_known: { ja: '顧客として登録されています。', en: 'Registered as a customer.' },
      registered: {
        ja: 'お気に入りの再入荷は、このシナリオで通知されます。',
        en: 'Favorites that are back in stock are notified by this scenario.',
      },
      condition: { ja: '参加条件に合っています。', en: 'Meets the entry condition.' },
      reentry: { ja: '再参加の設定により参加できます。', en: 'Entry is allowed by the re-entry setting.' },
      holdout: { ja: '配信対象です。', en: 'Not in the hold-out group.' },
      consent: { ja: '配信できます。', en: 'Can be reached.' },
      brake: { ja: '流入は制限されていません。', en: 'Not held by the entry limit.' },
      late: { ja: '遅れて確認を待っている実行はありません。', en: 'No late executions.' },
      failed: { ja: 'エラーは起きていません。', en: 'No error occurred.' },
    } satisfies Rules,
    keepsOut: {
      status: { ja: 'シナリオが有効ではありません。', en: 'The scenario is not active.' },
      event: { ja: 'きっかけになるイベントがまだありません。', en: 'No trigger event yet.' },
      customer_known: { ja: '顧客として登録されていません。', en: 'Not registered as a customer.' },
      registered: {
        ja: '再入荷通知に登録しているため、そちらで通知されます。',
        en: 'Registered for the restock notification, and is notified by that.',
      },
      condition: { ja: '参加条件に合いませんでした。', en: 'Did not meet the entry condition.' },
      reentry: {
        ja: 'すでに参加したため、再参加の設定により対象外です。',
        en: 'Already entered, and excluded by the re-entry setting.',
      },
      holdout: { ja: '比較用グループのため、何も配信されません。', en: 'In the hold-out group, so nothing is sent.' },
      consent: {
        ja: '今は配信できません（許可や宛先がない、LINEと連携していないなど）。',
        en: 'Cannot be reached now, for example without permission, an address or a linked LINE account.',
      },
      brake: { ja: '流入の制限により保留されています。', en: 'On hold because of the entry limit.' },
      late: {
        ja: '予定より遅れた実行が、今すぐ配信してよいか確認を待っています。',
        en: 'An execution is late and needs your review.',
      },
      failed: {
        ja: 'イベントを確認中にエラーが起きたため、参加できませんでした。',
        en: 'An error occurred while checking the event, so the customer did not enter.',
      },
    } satisfies Rules,
    favoritesRegistered: {
      ja: 'お気に入り{{all}}件のうち{{n}}件は、再入荷通知に登録しているため、そちらで通知されます。',
      en: 'Of {{all}} favorites, {{n}} are registered for the restock notification, and notified by that.',
    },
    at: { ja: '{{time}}時点', en: 'as of {{time}}' },
    nth: { ja: '最後の注文は{{n}}回目でした。', en: 'The last order was the customer’s order no. {{n}}.' },
    lastEntered: { ja: '前回の参加：{{time}}。', en: 'Last entered: {{time}}.' },
    stillRuns: { ja: 'その実行は今も続いています。', en: 'That execution is still running.' },
    perHour: {
      ja: '1時間に{{n}}件を超えると、流入を止めて確認を待ちます。',
      en: 'Above {{n}} per hour, further entries wait for your review.',
    },
    gone: { ja: 'この顧客は見つかりません。', en: 'Customer not found.' },
  },
  customerCard: {
    title: { ja: 'シナリオ', en: 'Scenarios' },
    none: { ja: 'この顧客が参加したシナリオはありません。', en: 'This customer has not entered any scenario.' },
    ask: { ja: '参加の理由を確認', en: 'Check entry' },
    pick: { ja: 'シナリオを選んで調べる', en: 'Select a scenario to check' },
  },
} satisfies WordTree
