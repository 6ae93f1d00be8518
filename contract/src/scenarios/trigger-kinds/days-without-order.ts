import { TimeOfDay } from '../../fields.ts'
import { amountOf } from '../phrases.ts'
import { days, triggerKind } from './trigger-kind.ts'

/** So many days after the last order, if none came since. */
export const daysWithoutOrder = triggerKind(
  'days_without_order',
  { days: days(1), time: TimeOfDay },
  { ja: '購入のない期間', en: 'days without an order' },
  {
    words: {
      name_ja: '購入のない期間',
      name_en: 'Days without an order',
      description_ja: '最後の注文から一定の日数、注文がないとき',
      description_en: 'When a number of days have passed since the last order',
    },
    initial: { days: 90, time: '10:00' },
    fills: ['day'],
    onlyStarts: true,
    sentence({ days, time }, { language }) {
      const long = amountOf(days, 'days', language)
      return language === 'ja'
        ? `最後の注文から${long}間注文がないと、${time}に始まります。`
        : `Starts at ${time} when ${long} have passed since the last order.`
    },
  },
)
