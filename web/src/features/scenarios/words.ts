import type { ScenarioStatus } from '@okaeri/contract/scenarios/scenario'
import type { Localized } from '@okaeri/contract/locale'
import type { WordTree } from '../../app/word-tree.ts'
import { askingWords } from './words/asking.ts'
import { conditionsWords } from './words/conditions.ts'
import { enablingWords } from './words/enabling.ts'
import { executionWords } from './words/execution.ts'
import { makingWords } from './words/making.ts'
import { movingWords } from './words/moving.ts'
import { pageWords } from './words/page.ts'

/** A status without words does not compile. */
type Statuses = Record<ScenarioStatus, Localized>

/** The list and the actions of scenarios. */
export const words = {
  title: { ja: 'シナリオ', en: 'Scenarios' },
  description: {
    ja: '誕生日、購入後、カゴ落ちなどをきっかけに、顧客一人ひとりへ自動でメールやLINEメッセージを配信します。',
    en: 'Automated emails and LINE messages for birthdays, purchases, abandoned carts and more.',
  },
  add: { ja: 'シナリオを作成', en: 'Add New Scenario' },
  search: { ja: 'シナリオ名で検索', en: 'Search by name' },
  back: { ja: 'シナリオ一覧', en: 'Scenarios' },
  backToScenario: { ja: 'シナリオ詳細', en: 'Scenario details' },
  name: { ja: 'シナリオ名', en: 'Scenario name' },
  statusLabel: { ja: 'ステータス', en: 'Status' },
  executionCount: { ja: '実行数', en: 'Executions' },
  atLeast: { ja: '{{n}}件以上', en: '{{n}} or more' },
  pieces: { ja: '{{n}}件', en: '{{n}}' },
  totalSales: { ja: '売上合計', en: 'Total sales amount' },
  createdAt: { ja: '作成日時', en: 'Created at' },
  readOnly: {
    ja: '閲覧のみの権限のため、変更できません。',
    en: 'You have view-only access, so you cannot change this.',
  },
  empty: {
    title: { ja: 'シナリオはまだありません', en: 'No scenarios yet' },
    text: {
      ja: 'テンプレートを選び、配信するメールやLINEメッセージとタイミングを決めるだけで始められます。有効にするまで配信されません。',
      en: 'Choose a template, then pick the message and timing. Nothing is sent until you enable it.',
    },
  },
  status: {
    draft: { ja: '下書き', en: 'Draft' },
    active: { ja: '有効', en: 'Active' },
    stopped: { ja: '停止中', en: 'Stopped' },
    deleted: { ja: '削除済み', en: 'Deleted' },
  } satisfies Statuses,
  sign: {
    problems: { ja: '設定が未完了', en: 'Incomplete' },
    failed: { ja: 'エラー{{n}}件', en: '{{n}} failed' },
    failedEntries: { ja: '参加エラー{{n}}件', en: { one: '{{n}} entry error', other: '{{n}} entry errors' } },
    late: { ja: '遅延の確認待ち{{n}}件', en: '{{n}} late, needs review' },
    braked: { ja: '流入を保留中：{{n}}件', en: '{{n}} on hold' },
    heldStep: { ja: '配信を停止中', en: 'Emails held back' },
  },
  do: {
    details: { ja: '詳細', en: 'Details' },
    edit: { ja: '編集', en: 'Edit' },
    duplicate: { ja: '複製', en: 'Duplicate' },
    delete: { ja: '削除', en: 'Delete' },
    enable: { ja: '有効にする', en: 'Enable' },
    stop: { ja: '停止する', en: 'Stop' },
    test: { ja: 'テスト実行', en: 'Test run' },
    enterSegment: { ja: '対象者に配信を開始', en: 'Start for audience' },
    settings: { ja: '設定を変更', en: 'Change settings' },
    editFlow: { ja: 'フローを編集', en: 'Edit flow' },
    openFlow: { ja: 'フローエディターで開く', en: 'Open in flow editor' },
  },
  forbidden: {
    deleted: { ja: '削除されたシナリオです。', en: 'This scenario was deleted.' },
    delete: {
      ja: '有効なシナリオは削除できません。先に停止してください。',
      en: 'An active scenario cannot be deleted. Stop it first.',
    },
    enterSegment: { ja: '開始できるのは有効なシナリオだけです。', en: 'Only an active scenario can be started.' },
    noSegment: { ja: '対象のセグメントが選択されていません。', en: 'No segment is selected.' },
  },
  ask: {
    duplicateTitle: { ja: '「{{name}}」を複製しますか？', en: 'Duplicate “{{name}}”?' },
    duplicateBody: {
      ja: '同じ設定の新しいシナリオを、下書きとして作成します。',
      en: 'A new draft with the same settings will be created.',
    },
    deleteTitle: { ja: '「{{name}}」を削除しますか？', en: 'Delete “{{name}}”?' },
    deleteBody: {
      ja: '配信済みのメッセージの記録は、顧客の履歴に残ります。',
      en: 'Sent messages stay in the customers’ history.',
    },
    deleteBodyRunning: {
      ja: '途中の{{n}}も終了し、残りのメッセージは配信されません。配信済みのメッセージの記録は、顧客の履歴に残ります。',
      en: {
        one: 'The {{n}} unfinished execution ends, and its remaining messages are not sent. Sent messages stay in the customers’ history.',
        other:
          'The {{n}} unfinished executions end, and their remaining messages are not sent. Sent messages stay in the customers’ history.',
      },
    },
    stopTitle: { ja: '「{{name}}」を停止しますか？', en: 'Stop “{{name}}”?' },
    stopBody: {
      ja: '新しい顧客は参加しなくなります。実行中の{{n}}は現在の位置で止まり、再び有効にすると続きから進みます。',
      en: {
        one: 'No new customers enter. The {{n}} running execution stops where it is and continues when you enable the scenario again.',
        other:
          'No new customers enter. The {{n}} running executions stop where they are and continue when you enable the scenario again.',
      },
    },
    stopBodyNone: {
      ja: '新しい顧客は参加しなくなります。再び有効にすると、それ以降のイベントから始まります。',
      en: 'No new customers enter. Once enabled again, the scenario starts with new events.',
    },
    enableTitle: { ja: '「{{name}}」を有効にしますか？', en: 'Enable “{{name}}”?' },
    enableHeld: {
      ja: '途中で止まっている{{n}}も、続きから進みます。',
      en: { one: 'The {{n}} stopped execution also continues.', other: 'The {{n}} stopped executions also continue.' },
    },
    enableTestMode: {
      ja: 'テストモードのため、メッセージは顧客ではなくテスト用の宛先に送られます。',
      en: 'In test mode messages go to the test recipients, not to customers.',
    },
    segmentTitle: {
      ja: '{{n}}人に「{{name}}」を開始しますか？',
      en: { one: 'Start “{{name}}” for {{n}} person?', other: 'Start “{{name}}” for {{n}} people?' },
    },
    segmentBody: {
      ja: 'セグメント「{{segment}}」の顧客全員が対象です。参加条件や再参加の設定により、対象外になる顧客もいます。',
      en: 'Starts for everyone in the segment “{{segment}}”. The entry condition and the re-entry setting may exclude some customers.',
    },
    segmentNotMailable: {
      ja: 'このうち今メールを配信できるのは{{m}}人です。{{n}}人には配信できません（マーケティング許可がない、アドレスがない、配信除外など）。',
      en: '{{m}} can be emailed now, {{n}} cannot (no marketing permission, no address, suppressed, etc.).',
    },
    segmentByLine: { ja: 'LINEで配信できるのは{{n}}人です。', en: '{{n}} can be reached by LINE.' },
    segmentBefore: {
      ja: 'すでに{{n}}の実行があります。再参加の設定によっては、同じ顧客にもう一度届きます。',
      en: {
        one: 'There is already {{n}} execution. Depending on the re-entry setting, the customer may receive it again.',
        other: 'There are already {{n}} executions. Depending on the re-entry setting, customers may receive it again.',
      },
    },
    segmentConfirm: { ja: '開始する', en: 'Start' },
    segmentEmpty: { ja: '「{{segment}}」に該当する顧客がいません。', en: 'No customers in “{{segment}}”.' },
    flowTitle: { ja: 'フローエディターに切り替えますか？', en: 'Switch to the flow editor?' },
    flowBody: {
      ja: 'フローエディターでは、待機や分岐を自由に組み立てられます。一度保存すると、かんたん設定（フォーム）には戻せません。',
      en: 'In the flow editor you can build waits and branches freely. Once saved, you cannot go back to the simple form.',
    },
    flowConfirm: { ja: 'フローエディターを開く', en: 'Open flow editor' },
  },
  done: {
    enabled: { ja: 'シナリオを有効にしました', en: 'Scenario enabled' },
    stopped: { ja: 'シナリオを停止しました', en: 'Scenario stopped' },
    entering: {
      ja: '{{n}}人への開始を受け付けました',
      en: { one: 'Starting for {{n}} person', other: 'Starting for {{n}} people' },
    },
    released: { ja: '保留していた顧客の流入を再開しました', en: 'Entry resumed for the customers on hold' },
    dropped: { ja: '保留していた顧客を対象から外しました', en: 'Customers on hold were removed' },
    lateSent: { ja: '遅れていた実行を再開しました', en: 'Late executions resumed' },
    lateSkipped: { ja: '遅れていた実行を終了しました', en: 'Late executions ended' },
    failedPlayed: { ja: 'エラーの実行を再開しました', en: 'Failed executions resumed' },
    failedResolved: { ja: 'エラーの実行を対応済みにしました', en: 'Failed executions marked as resolved' },
    entriesRetried: { ja: 'もう一度確認しています', en: 'Checking again' },
    entriesDropped: { ja: '対象から外しました', en: 'Removed' },
  },
  statusFailed: { ja: 'エラーが発生しました：{{detail}}', en: 'An error occurred: {{detail}}' },
  ...makingWords,
  ...conditionsWords,
  ...enablingWords,
  ...movingWords,
  ...pageWords,
  ...executionWords,
  ...askingWords,
} satisfies WordTree
