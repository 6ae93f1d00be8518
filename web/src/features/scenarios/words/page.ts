import type { WordTree } from '../../../app/word-tree.ts'

/** The page of one scenario. */
export const pageWords = {
  tabs: {
    label: { ja: 'シナリオの内容', en: 'Parts of the scenario' },
    overview: { ja: '概要', en: 'Overview' },
    people: { ja: '実行履歴', en: 'Executions' },
    messages: { ja: '配信履歴', en: 'Delivery history' },
    rehearsal: { ja: 'リハーサル', en: 'Rehearsal' },
    settings: { ja: '設定', en: 'Settings' },
    mark: { ja: '（確認が必要です）', en: ' (needs your attention)' },
  },
  view: {
    settings: { ja: '設定', en: 'Settings' },
    about: { ja: 'このシナリオについて', en: 'About this scenario' },
    rehearse: { ja: '過去90日間のデータで試す（リハーサル）', en: 'Try it with the last 90 days (rehearsal)' },
    flowOnly: { ja: 'フロー', en: 'Flow' },
    trigger: { ja: 'きっかけ', en: 'Trigger' },
    condition: { ja: '参加条件', en: 'Entry condition' },
    everyone: { ja: 'すべての顧客', en: 'All customers' },
    narrowed: { ja: '条件で絞り込み', en: 'Filtered by a condition' },
    reentry: { ja: '再参加', en: 'Re-entry' },
    endsOn: { ja: '途中で終了する場合', en: 'Ends early when' },
    never: { ja: 'なし', en: 'Never' },
    consent: { ja: '許可のない顧客', en: 'Customers without permission' },
    sent: { ja: '配信する', en: 'Included' },
    notSent: { ja: '配信しない', en: 'Not included' },
    priority: { ja: '配信頻度の上限', en: 'Frequency cap' },
    holdout: { ja: '比較用グループの割合', en: 'Hold-out group' },
    mode: { ja: '編集方法', en: 'Editor' },
    modeForm: { ja: 'かんたん設定（フォーム）', en: 'Simple form' },
    modeFlow: { ja: 'フローエディター', en: 'Flow editor' },
    version: { ja: 'バージョン', en: 'Version' },
    versionOf: { ja: 'バージョン{{n}}', en: 'Version {{n}}' },
    enabledAt: { ja: '有効にした日時', en: 'Enabled at' },
    description: { ja: 'このシナリオの動き', en: 'What this scenario does' },
    results: { ja: '結果', en: 'Results' },
    allTime: { ja: '全期間', en: 'All time' },
    running: { ja: '実行中', en: 'Running' },
    sentCount: { ja: '配信数', en: 'Sent' },
    openRate: { ja: '開封率', en: 'Open rate' },
    clickRate: { ja: 'クリック率', en: 'Click rate' },
    orders: { ja: '注文', en: 'Orders' },
    revenue: { ja: '売上', en: 'Revenue' },
    noResults: { ja: '有効にすると、ここに結果が表示されます。', en: 'Results appear here once it is enabled.' },
    noResultsYet: {
      ja: 'まだ誰も参加していません。きっかけになるイベントが起きると、ここに結果が表示されます。',
      en: 'No entries yet. Results appear here after the first trigger event.',
    },
    howCounted: {
      email: {
        ja: '開封率・クリック率は配信数に対する割合、注文と売上はメールのクリックから{{n}}日以内の注文です。テスト実行とテストモードでの配信は含みません。',
        en: 'Open and click rates are based on emails sent. Orders and revenue are counted within {{n}} days of a click. Test runs and test mode are excluded.',
      },
      all: {
        ja: 'メールとLINEの合計です。開封率はメールの配信数、クリック率はすべての配信数に対する割合、注文と売上はクリックから{{n}}日以内の注文です。テスト実行とテストモードでの配信は含みません。',
        en: 'Email and LINE together. The open rate is based on emails sent, the click rate on all messages sent. Orders and revenue are counted within {{n}} days of a click. Test runs and test mode are excluded.',
      },
    },
    howCountedOpens: {
      email: {
        ja: '開封率・クリック率は配信数に対する割合、注文と売上はメールのクリックまたは開封から{{n}}日以内の注文です。テスト実行とテストモードでの配信は含みません。',
        en: 'Open and click rates are based on emails sent. Orders and revenue are counted within {{n}} days of a click or an open. Test runs and test mode are excluded.',
      },
      all: {
        ja: 'メールとLINEの合計です。開封率はメールの配信数、クリック率はすべての配信数に対する割合、注文と売上はクリックまたはメールの開封から{{n}}日以内の注文です。テスト実行とテストモードでの配信は含みません。',
        en: 'Email and LINE together. The open rate is based on emails sent, the click rate on all messages sent. Orders and revenue are counted within {{n}} days of a click or of an email’s open. Test runs and test mode are excluded.',
      },
    },
    flow: { ja: 'フローと人数', en: 'Flow and customers' },
    flowHelp: {
      ja: '到達した人数、今そこで待っている人数、配信対象外や途中で終了した理由です。',
      en: 'How many customers reached each step, how many are waiting there now, and why some were skipped or ended early.',
    },
    emptyFlow: { ja: 'まだステップがありません。', en: 'No steps yet.' },
    entered: { ja: '到達', en: 'Reached' },
    waiting: { ja: '待機中', en: 'Waiting' },
    passed: { ja: '通過', en: 'Passed' },
    failed: { ja: 'エラー', en: 'Failed' },
    skipped: { ja: '配信対象外', en: 'Skipped' },
    ended: { ja: '途中で終了', en: 'Ended early' },
    because: { ja: '{{reason}}：{{n}}', en: '{{reason}}: {{n}}' },
    sentShort: { ja: '配信', en: 'Sent' },
    opened: { ja: '開封', en: 'Opened' },
    clicked: { ja: 'クリック', en: 'Clicked' },
    start: { ja: '開始', en: 'Start' },
    joins: { ja: '「{{name}}」へ合流', en: 'Continues at “{{name}}”' },
    ends: { ja: 'ここで終了', en: 'Ends here' },
    executionsHere: { ja: '「{{name}}」の実行を見る', en: 'Show the executions at “{{name}}”' },
  },
  unconfirmed: {
    title: {
      ja: 'アドレスの確認が済むまで、このシナリオのメールは配信を待っています',
      en: 'Emails in this scenario are waiting for an address to be confirmed',
    },
    sender: {
      ja: '差出人のアドレス {{sender}} が確認されていません。確認リンクを送り、そのアドレスに届いたメールのリンクを開いてください。',
      en: 'The sender address {{sender}} is not confirmed. Send a confirmation link and open it from that inbox.',
    },
    settings: { ja: '設定で別の差出人にする', en: 'Use another sender (settings)' },
    email: { ja: 'メールの設定で別の差出人にする', en: 'Use another sender (this email)' },
  },
  plan: {
    title: {
      ja: '現在のプランでは、このシナリオのフローを変更できません',
      en: 'Your current plan does not let you change this scenario’s flow',
    },
    active: {
      ja: 'シナリオはこのまま動き続けます。停止しても、フローが同じであれば再び有効にできます。',
      en: 'The scenario keeps running as it is. If you stop it, you can enable the same flow again.',
    },
    stopped: { ja: 'フローが同じであれば、再び有効にできます。', en: 'You can enable the same flow again.' },
    upgrade: { ja: 'プランのアップグレードについて問い合わせる', en: 'Ask about upgrading your plan' },
  },
  problemsTitle: {
    draft: { ja: '有効にする前に、次の設定が必要です', en: 'Required before enabling' },
    active: {
      ja: '設定に問題があります（該当するステップに進んだ顧客は、エラーで止まります）',
      en: 'There is a settings problem: customers who reach this step stop with an error',
    },
  },
  heldStep: {
    title: { ja: '「{{name}}」の配信を止めています', en: 'Emails of “{{name}}” are held back' },
    titleGone: { ja: '以前のステップの配信を止めています', en: 'Emails of a former step are held back' },
    text: {
      ja: '不達や迷惑メールの報告などが多いため、{{since}}に自動で止めました。{{n}}人がこのステップで待っています。参加条件や本文を確認して、配信を再開するか、シナリオを停止するかを選んでください。',
      en: {
        one: 'Too many emails bounced, were refused or were reported as spam, so this step was held back automatically at {{since}}. {{n}} customer waits here. Check who enters and what the email says, then resume or stop the scenario.',
        other:
          'Too many emails bounced, were refused or were reported as spam, so this step was held back automatically at {{since}}. {{n}} customers wait here. Check who enters and what the email says, then resume or stop the scenario.',
      },
    },
    result: { ja: '直近7日間に配信した{{n}}件のうち', en: 'Of the {{n}} sent in the last 7 days' },
    release: { ja: '配信を再開', en: 'Resume sending' },
    releaseTitle: {
      ja: '待っている{{n}}人への配信を再開しますか？',
      en: {
        one: 'Resume sending to the {{n}} customer who waits?',
        other: 'Resume sending to the {{n}} customers who wait?',
      },
    },
    releaseBody: {
      ja: 'このステップで待っている顧客に、すぐにメールが送られます。止まる前に作られ、1日を過ぎたメールは送られません。この先も結果が悪ければ、また自動で止まります。',
      en: 'Customers who wait at this step get the email at once. Emails that were ready before and are more than a day late are not sent. If it goes wrong again, it is held back again.',
    },
    released: { ja: '配信を再開しました', en: 'Sending resumed' },
  },
  entryLimit: {
    title: {
      ja: '短時間に多くの顧客が参加したか、システムが長く停止していたため、流入を一時的に止めています',
      en: 'Entry is paused: many customers entered at once, or the system was down for a long time',
    },
    text: {
      ja: '{{since}}から、{{n}}件が保留されています。今から始めてよければ流入を再開してください。誤って大量に始まった場合や、遅すぎる場合は、対象から外せます。',
      en: {
        one: '{{n}} customer has been on hold since {{since}}. Resume entry if the scenario should start now, or remove the customer.',
        other:
          '{{n}} customers have been on hold since {{since}}. Resume entry if the scenario should start now, or remove them.',
      },
    },
    release: { ja: '流入を再開', en: 'Resume entry' },
    drop: { ja: '対象から外す', en: 'Remove' },
    dropTitle: {
      ja: '保留中の{{n}}件を対象から外しますか？',
      en: { one: 'Remove the {{n}} customer on hold?', other: 'Remove the {{n}} customers on hold?' },
    },
    dropBody: { ja: 'このシナリオは、保留中の顧客には始まりません。', en: 'The scenario will not start for them.' },
    releaseTitle: {
      ja: '保留中の{{n}}件の流入を再開しますか？',
      en: {
        one: 'Resume entry for the {{n}} customer on hold?',
        other: 'Resume entry for the {{n}} customers on hold?',
      },
    },
    releaseBody: {
      ja: '保留中の顧客にシナリオが始まり、設定に応じてメッセージが配信されます。',
      en: 'The scenario starts for them and sends messages as configured.',
    },
  },
  late: {
    title: {
      ja: '予定より遅れた実行が{{n}}あります',
      en: { one: '{{n}} execution is late', other: '{{n}} executions are late' },
    },
    text: {
      ja: 'システムの停止などで、予定の日時に進めませんでした。今すぐ配信してよいか確認してください。',
      en: 'They could not start or continue on time, for example because of an outage. Decide whether to send now, or end them without sending.',
    },
    send: { ja: '今すぐ配信', en: 'Send now' },
    skip: { ja: '配信せずに終了', en: 'End without sending' },
    look: { ja: '対象を見る', en: 'View' },
    sendTitle: {
      ja: '遅れた{{n}}を今すぐ配信しますか？',
      en: { one: 'Send the {{n}} late execution now?', other: 'Send the {{n}} late executions now?' },
    },
    sendBody: {
      ja: '誕生日や期限のある案内など、遅れて届いても問題のない内容か確認してください。',
      en: 'Make sure the content is still relevant, such as birthdays and limited offers.',
    },
    skipTitle: {
      ja: '遅れた{{n}}を配信せずに終了しますか？',
      en: {
        one: 'End the {{n}} late execution without sending?',
        other: 'End the {{n}} late executions without sending?',
      },
    },
    skipBody: {
      ja: 'これらの顧客には、このシナリオの残りのメッセージは配信されません。',
      en: 'These customers will not receive further messages from this scenario.',
    },
  },
  couponFailures: {
    title: {
      ja: 'クーポンの期限切れや無効化などで、メッセージを配信せずに止まっている実行が{{n}}あります',
      en: {
        one: '{{n}} execution stopped before a message because its coupon expired, no longer works or could not be created',
        other:
          '{{n}} executions stopped before a message because their coupon expired, no longer works or could not be created',
      },
    },
    text: {
      ja: '新しいクーポンを発行すると、止まっているメッセージから再開します。',
      en: 'Issue new coupons to resume them with the unsent message.',
    },
    noStep: {
      ja: '今のフローにクーポンを発行するステップがありません。フローに追加すると、まとめて再開できます。',
      en: 'The current flow has no step that issues a coupon. Add one to resume them all at once.',
    },
    renew: { ja: '新しいクーポンですべて再開', en: 'Resume all with new coupons' },
    askTitle: {
      ja: '{{n}}に新しいクーポンを発行して再開しますか？',
      en: {
        one: 'Issue a new coupon for {{n}} execution and resume it?',
        other: 'Issue new coupons for {{n}} executions and resume them?',
      },
    },
    askBody: {
      ja: '止まっているメッセージから続けます。配信済みのメッセージは、もう一度配信されません。',
      en: 'They continue with the unsent message. Messages that were already sent are not resent.',
    },
    worth: { ja: '発行するクーポン：{{coupon}}', en: 'Coupon: {{coupon}}' },
    done: { ja: '新しいクーポンで再開しています', en: 'Resuming with new coupons' },
  },
  failed: {
    title: {
      ja: 'エラーで止まっている実行が{{n}}あります',
      en: { one: '{{n}} execution has stopped with an error', other: '{{n}} executions have stopped with an error' },
    },
    text: {
      ja: '原因を直してから再開すると、止まったステップからやり直します。',
      en: 'Fix the cause, then resume: the step that failed is retried.',
    },
    look: { ja: 'エラーの実行を見る', en: 'View failed executions' },
    times: { ja: '（{{n}}件）', en: ' ({{n}})' },
    play: { ja: 'すべて再開', en: 'Resume all' },
    resolve: { ja: 'すべて対応済みにする', en: 'Mark all as resolved' },
    playTitle: {
      ja: 'エラーで止まっている{{n}}を再開しますか？',
      en: { one: 'Resume the {{n}} failed execution?', other: 'Resume the {{n}} failed executions?' },
    },
    playBody: {
      ja: '止まったステップをもう一度行い、続きに進みます。原因が残っているものは、またエラーになります。',
      en: 'The failed step is retried, and the execution continues from there. If the cause remains, it fails again.',
    },
    resolveTitle: {
      ja: 'エラーで止まっている{{n}}を対応済みにしますか？',
      en: {
        one: 'Mark the {{n}} failed execution as resolved?',
        other: 'Mark the {{n}} failed executions as resolved?',
      },
    },
    resolveBody: {
      ja: 'これらの顧客への残りのステップは行われません。',
      en: 'The remaining steps are not performed for these customers.',
    },
  },
  failedEntries: {
    title: {
      ja: 'エラーのため、シナリオを開始できなかったイベントが{{n}}件あります',
      en: {
        one: '{{n}} event could not start this scenario because of an error',
        other: '{{n}} events could not start this scenario because of an error',
      },
    },
    text: {
      ja: '{{since}}以降に、参加できるかどうかの確認でシステムのエラーが起きました。もう一度確認すると、条件に合う顧客にシナリオが始まります。',
      en: 'A system error has prevented entry checks since {{since}}. Check again to start the scenario for customers who qualify.',
    },
    look: { ja: '対象を見る', en: 'View' },
    who: { ja: 'エラーのため参加できなかった顧客', en: 'Entry errors' },
    at: { ja: 'エラーの日時', en: 'Error at' },
    retry: { ja: 'もう一度確認する', en: 'Check again' },
    drop: { ja: '対象から外す', en: 'Remove' },
    notActive: { ja: '確認できるのは有効なシナリオだけです。', en: 'Available for active scenarios only.' },
    retryTitle: {
      ja: '{{n}}件をもう一度確認しますか？',
      en: { one: 'Check {{n}} event again?', other: 'Check {{n}} events again?' },
    },
    retryBody: {
      ja: '条件に合う顧客にシナリオが始まり、設定に応じてメッセージが配信されます。イベントから時間が経っている場合は、今から届いてよい内容か確認してください。',
      en: 'The scenario starts for customers who qualify and sends messages as configured. If some time has passed, make sure the content is still relevant.',
    },
    dropTitle: {
      ja: '{{n}}件を対象から外しますか？',
      en: { one: 'Remove {{n}} event?', other: 'Remove {{n}} events?' },
    },
    dropBody: {
      ja: 'これらのイベントでは、このシナリオは始まりません。',
      en: 'This scenario will not start for them.',
    },
  },
  mails: {
    title: { ja: '配信履歴', en: 'Delivery history' },
    none: {
      ja: 'まだ配信されていません。配信したメッセージと、その到達や反応の状況がここに表示されます。',
      en: 'Nothing sent yet. Sent messages and their status appear here.',
    },
  },
  history: {
    title: { ja: '実行履歴', en: 'Execution history' },
    customer: { ja: '顧客', en: 'Customer' },
    event: { ja: 'きっかけ', en: 'Trigger' },
    status: { ja: 'ステータス', en: 'Status' },
    sent: { ja: '配信済み', en: 'Sent' },
    next: { ja: '次の内容', en: 'Next' },
    startedAt: { ja: '開始日時', en: 'Started at' },
    guest: { ja: 'ゲスト', en: 'Guest' },
    gone: { ja: '削除された顧客', en: 'Deleted customer' },
    test: { ja: 'テスト', en: 'Test' },
    heldOut: { ja: '比較用グループ', en: 'Hold-out group' },
    search: { ja: '顧客の名前・メールアドレスで検索', en: 'Search by name or email address' },
    allStatuses: { ja: 'すべてのステータス', en: 'All statuses' },
    allNodes: { ja: 'すべてのステップ', en: 'All steps' },
    testFilter: { ja: 'テストの表示', en: 'Tests' },
    all: { ja: '本番とテスト', en: 'Live and tests' },
    onlyReal: { ja: '本番のみ', en: 'Live only' },
    onlyTests: { ja: 'テストのみ', en: 'Tests only' },
    filterStatus: { ja: 'ステータスで絞り込む', en: 'Filter by status' },
    filterNode: { ja: 'ステップで絞り込む', en: 'Filter by step' },
    filterError: { ja: 'エラーの理由で絞り込む', en: 'Filter by reason' },
    allErrors: { ja: 'すべての理由', en: 'All reasons' },
    empty: {
      ja: '実行はまだありません。シナリオが始まると、顧客ごとにここに表示されます。',
      en: 'No executions yet. Each customer the scenario starts for is listed here.',
    },
    noMatch: { ja: '条件に合う実行はありません。', en: 'No executions match.' },
    at: { ja: '{{name}}', en: '{{name}}' },
    wakes: { ja: '{{time}}に再開', en: 'resumes {{time}}' },
    rowName: { ja: '{{name}}の実行', en: 'Execution of {{name}}' },
  },
} satisfies WordTree
