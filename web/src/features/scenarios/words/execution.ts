import type { EndReason, ExecutionStatus, StepError } from '@okaeri/contract/scenarios/execution-status'
import type { Localized } from '@okaeri/contract/locale'
import type { WordTree } from '../../../app/word-tree.ts'

/** A status, an end or an error without words does not compile. */
type ExecutionStatuses = Record<ExecutionStatus, Localized>
type Ends = Record<EndReason, Localized>
type Errors = Record<StepError, Localized>

/** One execution: where it is, how it ended, what went wrong. */
export const executionWords = {
  execution: {
    title: { ja: '{{name}}の実行', en: 'Execution of {{name}}' },
    titlePlain: { ja: '実行の詳細', en: 'Execution' },
    facts: { ja: '概要', en: 'Overview' },
    scenario: { ja: 'シナリオ', en: 'Scenario' },
    customer: { ja: '顧客', en: 'Customer' },
    event: { ja: 'きっかけ', en: 'Trigger' },
    startedAt: { ja: '開始日時', en: 'Started at' },
    endedAt: { ja: '終了日時', en: 'Ended at' },
    place: { ja: '現在の位置', en: 'Current step' },
    wakeAt: { ja: '次に進む日時', en: 'Resumes at' },
    sent: { ja: '最後に配信した内容', en: 'Last sent' },
    next: { ja: '次に配信する内容', en: 'Sends next' },
    version: { ja: 'フローのバージョン', en: 'Flow version' },
    round: { ja: '実行回数', en: 'Run' },
    roundOf: { ja: '{{n}}回目', en: 'No. {{n}}' },
    order: { ja: '注文', en: 'Order' },
    status: {
      running: { ja: '実行中', en: 'Running' },
      paused: { ja: '一時停止中', en: 'Paused' },
      late: { ja: '確認待ち', en: 'Needs review' },
      failed: { ja: 'エラー', en: 'Failed' },
      done: { ja: '完了', en: 'Done' },
      resolved: { ja: '対応済み', en: 'Resolved' },
    } satisfies ExecutionStatuses,
    asleep: { ja: '待機中', en: 'Waiting' },
    end: {
      finished: { ja: '最後まで完了しました', en: 'Completed' },
      bought: { ja: '購入があったため終了しました', en: 'Ended: the customer purchased' },
      checkout_left: {
        ja: 'チェックアウト離脱のシナリオに移ったため終了しました',
        en: 'Ended: the customer moved to a checkout scenario',
      },
      order_cancelled: { ja: '注文がキャンセルされたため終了しました', en: 'Ended: the order was cancelled' },
      coupon_used: { ja: 'クーポンが使われたため終了しました', en: 'Ended: the coupon was used' },
      favorite_removed: { ja: 'お気に入りが解除されたため終了しました', en: 'Ended: the favorite was removed' },
      unsubscribed: { ja: '配信が停止されたため終了しました', en: 'Ended: the customer unsubscribed' },
      customer_gone: { ja: '顧客の情報が削除されたため終了しました', en: 'Ended: the customer’s data was deleted' },
      late_skipped: { ja: '遅れたため、配信せずに終了しました', en: 'Ended late without sending' },
      out_of_stock: { ja: '再び売り切れたため終了しました', en: 'Ended: it sold out again' },
      stopped: { ja: 'シナリオが削除されたため終了しました', en: 'Ended: the scenario was deleted' },
    } satisfies Ends,
    error: {
      email_gone: { ja: '配信するメールが削除されています。', en: 'The email to be sent was deleted.' },
      line_message_gone: {
        ja: '配信するLINEメッセージが削除されています。',
        en: 'The LINE message to be sent was deleted.',
      },
      segment_gone: { ja: '条件のセグメントが削除されています。', en: 'The condition’s segment was deleted.' },
      template_broken: {
        ja: 'メッセージの差し込みタグに誤りがあり、作成できませんでした。メッセージを直してから再開してください。',
        en: 'The message could not be created because of an error in a content tag. Fix the message, then resume.',
      },
      coupon_not_made: {
        ja: 'クーポンを作成できなかったため、メッセージを配信せずに止めています。ストアの接続を確認してから再開すると、もう一度作成します。',
        en: 'The coupon could not be created, so the message is on hold. Check the store connection, then resume to try again.',
      },
      coupon_expired: {
        ja: 'クーポンの有効期限が過ぎているため、メッセージを配信せずに止めています。シナリオの画面から、新しいクーポンでまとめて再開できます。',
        en: 'The coupon has expired, so the message is on hold. Resume it with a new coupon from the scenario’s page.',
      },
      event_gone: {
        ja: 'きっかけとなったイベントの記録が残っていないため、その内容を差し込むメッセージを配信せずに止めています。',
        en: 'The trigger event is no longer stored, so the message that uses it is on hold.',
      },
      store_refused: {
        ja: 'ストアに処理を拒否されました。ストアの接続を確認してください。',
        en: 'The store rejected the request. Check its connection.',
      },
      webhook_unreachable: {
        ja: 'Webhookの呼び出し先から応答がありません。',
        en: 'The webhook URL is not responding.',
      },
      webhook_refused: { ja: 'Webhookの呼び出し先がエラーを返しました。', en: 'The webhook URL returned an error.' },
      line_not_connected: { ja: 'LINEが連携されていません。', en: 'LINE is not connected.' },
      endless: {
        ja: '待機のない繰り返しのため、途中で止めました。フローを直してください。',
        en: 'Stopped because of a loop without a wait. Fix the flow.',
      },
      internal: {
        ja: 'システムの問題で進めませんでした。再開すると、もう一度試します。',
        en: 'A system error occurred. Resume to try again.',
      },
    } satisfies Errors,
    failedTitle: { ja: 'エラーで止まっています', en: 'Stopped with an error' },
    lateTitle: { ja: '予定より遅れています', en: 'This execution is late' },
    lateText: {
      ja: '今すぐ配信してよいか確認してください。よければ再開し、配信しない場合は対応済みにしてください。',
      en: 'Decide whether to send now: resume it, or mark it as resolved to send nothing.',
    },
    heldOutText: {
      ja: '比較用グループです。フローは進みますが、メッセージもクーポンも配信されません。',
      en: 'In the hold-out group: it goes through the flow, but no message or coupon is sent.',
    },
    testText: {
      ja: 'テスト実行です。待機は飛ばし、メッセージはテスト用の宛先にだけ送られます。集計には含まれません。',
      en: 'Test run: waits are skipped, messages go to your test recipients only, and it is not counted.',
    },
    steps: { ja: 'ステップの履歴', en: 'Step history' },
    noSteps: { ja: 'まだ進んでいません。', en: 'No steps yet.' },
    usualDays: {
      ja: 'この商品のいつもの購入間隔は{{days}}です。',
      en: 'The usual purchase interval of this product is {{days}}.',
    },
    usualUnknown: {
      ja: '購入間隔が分からない商品のため、設定した日数だけ待ちます。',
      en: 'The usual purchase interval is not known yet, so it waits for the days that were set.',
    },
    roundTitle: { ja: '{{n}}回目の実行', en: 'Run no. {{n}}' },
    outcome: {
      asleep: { ja: '待機を始めました', en: 'Waiting' },
      paused: { ja: '一時停止しました', en: 'Paused' },
      played: { ja: '再開しました', en: 'Resumed' },
      restarted: { ja: '最初からやり直しました', en: 'Restarted from the beginning' },
      resolved: { ja: '対応済みにしました', en: 'Marked as resolved' },
      moved: { ja: '次に進む日時を変更しました', en: 'Resume time changed' },
      late: { ja: '予定より遅れました', en: 'Late' },
      version: { ja: 'フローのバージョン{{version}}に移りました', en: 'Moved to version {{version}} of the flow' },
      renewed: { ja: '新しいクーポンを発行して再開しました', en: 'Resumed with a new coupon' },
      ended: { ja: '終了しました', en: 'Ended' },
      failed: { ja: 'エラーになりました', en: 'Failed' },
    },
    until: { ja: '{{time}}まで待ちます', en: 'Waits until {{time}}' },
    begins: {
      ja: '前のメッセージは、配信できる時間帯になる{{time}}に配信される予定です。待機はそこから数えます。',
      en: 'The message before it is due at {{time}}, when the sending hours begin. The wait starts then.',
    },
    movedTo: { ja: '次に進む日時を{{time}}に変更しました', en: 'Resume time changed to {{time}}' },
    awaitsAnswer: { ja: '処理の結果を待っています', en: 'Waiting for a response' },
    passedOver: { ja: 'テストのため、待たずに進みました', en: 'Wait skipped (test)' },
    notDone: {
      test: { ja: 'テストのため、実際には行っていません', en: 'Not performed (test)' },
      holdout: { ja: '比較用グループのため、行っていません', en: 'Not performed (hold-out group)' },
      guest: { ja: '顧客として登録されていないため、行っていません', en: 'Not performed (not a customer yet)' },
      unreachable: {
        ja: 'メッセージを届けられないため、行っていません（{{reason}}）',
        en: 'Not performed, because no message can reach the customer ({{reason}})',
      },
    },
    code: { ja: 'クーポンコード：{{code}}', en: 'Coupon code: {{code}}' },
    outcomePort: { ja: '「{{port}}」へ進む', en: 'Continues to “{{port}}”' },
    entered: { ja: 'シナリオが始まりました', en: 'Scenario started' },
    do: {
      details: { ja: '詳細', en: 'Details' },
      pause: { ja: '一時停止', en: 'Pause' },
      play: { ja: '再開', en: 'Resume' },
      restart: { ja: '最初からやり直す', en: 'Restart from the beginning' },
      resolve: { ja: '対応済みにする', en: 'Mark as resolved' },
      delete: { ja: '削除', en: 'Delete' },
      wake: { ja: '日時を変更', en: 'Change time' },
    },
    forbidden: {
      pause: { ja: '実行中のものだけ一時停止できます。', en: 'Only running executions can be paused.' },
      play: {
        ja: '一時停止中、エラー、確認待ちのものだけ再開できます。',
        en: 'Only paused, failed or late executions can be resumed.',
      },
      resolve: {
        ja: 'エラーまたは確認待ちのものだけ対応済みにできます。',
        en: 'Only failed or late executions can be resolved.',
      },
      update: { ja: '終了した実行の日時は変更できません。', en: 'The time of an ended execution cannot be changed.' },
      notAsleep: { ja: '待機中ではありません。', en: 'It is not waiting.' },
    },
    ask: {
      restartTitle: { ja: '最初からやり直しますか？', en: 'Restart from the beginning?' },
      restartBody: {
        ja: 'メッセージはもう一度配信され、クーポンも新しく発行されます。',
        en: 'Messages are resent and new coupons are issued.',
      },
      deleteTitle: { ja: 'この実行を削除しますか？', en: 'Delete this execution?' },
      deleteBody: {
        ja: '配信済みのメッセージの記録は、顧客の履歴に残ります。',
        en: 'What was sent stays in the customer’s history.',
      },
      resolveTitle: { ja: '対応済みにしますか？', en: 'Mark as resolved?' },
      resolveBody: {
        ja: 'この顧客への残りのステップは行われません。',
        en: 'The remaining steps are not performed for this customer.',
      },
      wakeTitle: { ja: '次に進む日時を変更', en: 'Change when it resumes' },
      wakeLabel: { ja: '日時', en: 'Date and time' },
      wakeHelp: { ja: 'タイムゾーン：{{zone}}', en: 'Time zone: {{zone}}' },
      wakePast: {
        ja: '過去の日時にすると、すぐに進みます。',
        en: 'If the time is in the past, it resumes immediately.',
      },
    },
    done: {
      pause: { ja: '一時停止しました', en: 'Paused' },
      play: { ja: '再開しました', en: 'Resumed' },
      restart: { ja: '最初からやり直します', en: 'Restarted from the beginning' },
      resolve: { ja: '対応済みにしました', en: 'Marked as resolved' },
    },
    restartFailed: {
      ja: 'エラーが発生しました。ブラウザを再読み込みして、しばらくしてからもう一度お試しください。',
      en: 'An error occurred. Please reload the browser and try again later.',
    },
  },
} satisfies WordTree
