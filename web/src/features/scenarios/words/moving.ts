import type { WordTree } from '../../../app/word-tree.ts'

/** The dialog that asks what happens to running executions when a flow is saved. */
export const movingWords = {
  moving: {
    title: { ja: '実行中の顧客をどうしますか？', en: 'What should happen to running executions?' },
    body: {
      ja: '現在、{{n}}が実行中です。保存後に参加する顧客は、新しいバージョンで始まります。',
      en: {
        one: '{{n}} execution is running. Customers who enter after you save start on the new version.',
        other: '{{n}} executions are running. Customers who enter after you save start on the new version.',
      },
    },
    part: {
      start: { ja: '開始の条件', en: 'who enters and when' },
      steps: { ja: 'ステップ', en: 'steps' },
    },
    stay: { ja: '今のバージョンのまま最後まで進める', en: 'Finish on the current version' },
    stayText: {
      ja: '実行中の顧客には、変更前のフローで配信します。',
      en: 'Running executions continue with the flow as it was before this change.',
    },
    move: { ja: '新しいバージョンに移す', en: 'Move to the new version' },
    moveText: {
      ja: '今いるステップから、変更後のフローで続けます。待機の終わる日時は変わりません。',
      en: 'They continue from their current step in the changed flow. Their waits still end at the same time.',
    },
    nobodyMoves: {
      ja: '移せる顧客がいません。全員が、今のバージョンのまま進みます。',
      en: 'None can be moved. All finish on the current version.',
    },
    what: { ja: '移すと、次のようになります。', en: 'If you move them:' },
    whatOfSome: {
      ja: '移すと、次のようになります（{{n}}件まで数えた結果）。',
      en: 'If you move them (of the first {{n}} counted):',
    },
    goOn: {
      ja: '{{n}}件：今いるステップから、新しいバージョンで続けます。',
      en: {
        one: '{{n}} continues on the new version from its current step.',
        other: '{{n}} continue on the new version from their current step.',
      },
    },
    removed: {
      ja: '{{n}}件：今いるステップがなくなるため、今のバージョンのまま最後まで進みます。',
      en: {
        one: '{{n}} is at a removed step and finishes on its current version.',
        other: '{{n}} are at a removed step and finish on their current version.',
      },
    },
    repeat: {
      ja: '{{n}}件：同じメッセージやクーポンが再び届かないように、今のバージョンのまま最後まで進みます。',
      en: {
        one: '{{n}} would get the same message or coupon again, so it finishes on its current version.',
        other: '{{n}} would get the same message or coupon again, so they finish on their current version.',
      },
    },
    changed: { ja: '変更した項目：{{names}}', en: 'Changed: {{names}}' },
    liveTitle: { ja: '有効なシナリオを変更しますか？', en: 'Change an active scenario?' },
    liveEntering: {
      ja: '保存すると、これから参加する顧客にすぐ適用されます。',
      en: 'Once saved, this applies to every customer who enters from now on.',
    },
    liveRunning: {
      ja: '配信対象と配信頻度の上限の変更は、すでに実行中の顧客にも適用されます。',
      en: 'Who is sent to and the frequency cap also change for executions that are running.',
    },
    liveNote: {
      ja: '有効なシナリオです。保存した変更は、これから参加する顧客にすぐ適用されます。保存する前に、変更した項目を確認できます。',
      en: 'This scenario is active. Saved changes apply at once to customers who enter. Before saving, you see what you changed.',
    },
    liveSave: { ja: '保存して適用', en: 'Save and apply' },
    save: { ja: '保存', en: 'Save' },
    saveAndMove: { ja: '保存して移す', en: 'Save and move' },
  },
} satisfies WordTree
