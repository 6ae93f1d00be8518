import { defineWords } from '../../../app/define-words.ts'

/** Of the question what becomes of those on their way when a flow is saved. */
export const movingWords = defineWords({
  ja: {
    moving: {
      title: '実行中の顧客をどうしますか？',
      body_other: '現在、{{n}}が実行中です。保存後に参加する顧客は、新しいバージョンで始まります。',
      stay: '今のバージョンのまま最後まで進める',
      stayText: '実行中の顧客には、変更前のフローで配信します。',
      move: '新しいバージョンに移す',
      moveText: '今いるステップから、変更後のフローで続けます。待機の終わる日時は変わりません。',
      nobodyMoves: '移せる顧客がいません。全員が、今のバージョンのまま進みます。',
      what: '移すと、次のようになります。',
      whatOfSome: '移すと、次のようになります（{{n}}件まで数えた結果）。',
      goOn_other: '{{n}}件：今いるステップから、新しいバージョンで続けます。',
      removed_other: '{{n}}件：今いるステップがなくなるため、今のバージョンのまま最後まで進みます。',
      repeat_other: '{{n}}件：同じメールやクーポンが再び届かないように、今のバージョンのまま最後まで進みます。',
      save: '保存',
      saveAndMove: '保存して移す',
    },
  },
  en: {
    moving: {
      title: 'What should happen to running executions?',
      body_one: '{{n}} execution is running. Customers who enter after you save start on the new version.',
      body_other: '{{n}} executions are running. Customers who enter after you save start on the new version.',
      stay: 'Finish on the current version',
      stayText: 'Running executions continue with the flow as it was before this change.',
      move: 'Move to the new version',
      moveText: 'They continue from their current step in the changed flow. Waits end when they would have.',
      nobodyMoves: 'None can be moved. All finish on the current version.',
      what: 'If you move them:',
      whatOfSome: 'If you move them (of the first {{n}} counted):',
      goOn_one: '{{n}} continues on the new version from its current step.',
      goOn_other: '{{n}} continue on the new version from their current step.',
      removed_one: '{{n}} is at a removed step and finishes on its current version.',
      removed_other: '{{n}} are at a removed step and finish on their current version.',
      repeat_one: '{{n}} would get the same email or coupon again, so it finishes on its current version.',
      repeat_other: '{{n}} would get the same email or coupon again, so they finish on their current version.',
      save: 'Save',
      saveAndMove: 'Save and move',
    },
  },
})
