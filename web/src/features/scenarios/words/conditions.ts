import type { WordTree } from '../../../app/word-tree.ts'

/** Who may enter a scenario in form mode. */
export const conditionsWords = {
  conditions: {
    title: { ja: '参加条件', en: 'Entry conditions' },
    help: {
      ja: 'きっかけが起きた顧客のうち、誰に配信するかを決めます。',
      en: 'Decide which of the customers who trigger this scenario receive it.',
    },
    who: { ja: '対象の顧客', en: 'Customers' },
    everyone: {
      ja: 'きっかけが起きた顧客すべてが対象です。',
      en: 'Every customer who triggers this scenario enters it.',
    },
    narrowed: {
      ja: 'きっかけが起きたときに、次の条件に当てはまる顧客だけが対象です。',
      en: 'Only customers who meet these conditions when they trigger the scenario enter it.',
    },
    add: { ja: '条件を追加', en: 'Add conditions' },
    remove: { ja: '条件をなくす', en: 'Remove conditions' },
    reentry: { ja: '同じ顧客の再参加', en: 'Re-entry' },
    templates: { ja: 'テンプレートの設定のまま', en: 'Use the template’s setting' },
    once: { ja: '1人1回だけ', en: 'Only once per customer' },
    every_days: { ja: '前回の参加から一定の日数が過ぎたら、もう一度', en: 'Again after a number of days' },
    when_none_runs: { ja: '実行中でなければ、何度でも', en: 'Any number of times, one at a time' },
    always: { ja: 'きっかけが起きるたびに（実行中でも）', en: 'Every time it is triggered, even while one is running' },
    days: { ja: '前回の参加からの日数', en: 'Days since the last entry' },
    daysUnit: { ja: '日', en: 'days' },
    coupon: { ja: 'クーポンが使える注文', en: 'Orders the coupon applies to' },
  },
} satisfies WordTree
