import { defineWords } from '../../../app/define-words.ts'

/** Of who may enter a scenario that is edited in its form. */
export const conditionsWords = defineWords({
  ja: {
    conditions: {
      title: '参加条件',
      help: 'きっかけが起きた顧客のうち、誰に配信するかを決めます。',
      who: '対象の顧客',
      everyone: 'きっかけが起きた顧客すべてが対象です。',
      narrowed: 'きっかけが起きたときに、次の条件に当てはまる顧客だけが対象です。',
      add: '条件を追加',
      remove: '条件をなくす',
      reentry: '同じ顧客の再参加',
      templates: 'テンプレートの設定のまま',
      once: '1人1回だけ',
      every_days: '前回の参加から一定の日数が過ぎたら、もう一度',
      when_none_runs: '実行中でなければ、何度でも',
      always: 'きっかけが起きるたびに、実行中でも',
      days: '前回の参加からの日数',
      daysUnit: '日',
      coupon: 'クーポンが使える注文',
    },
  },
  en: {
    conditions: {
      title: 'Who can enter',
      help: 'Decide which of the customers who trigger this scenario receive it.',
      who: 'Audience',
      everyone: 'Every customer who triggers this scenario enters it.',
      narrowed: 'Only customers who meet these conditions when they trigger the scenario enter it.',
      add: 'Add conditions',
      remove: 'Remove conditions',
      reentry: 'Re-entry',
      templates: 'Use the template’s setting',
      once: 'Only once per customer',
      every_days: 'Again after a number of days',
      when_none_runs: 'Any number of times, one at a time',
      always: 'Every time it is triggered, even while one is running',
      days: 'Days since the last entry',
      daysUnit: 'days',
      coupon: 'Orders the coupon applies to',
    },
  },
})
