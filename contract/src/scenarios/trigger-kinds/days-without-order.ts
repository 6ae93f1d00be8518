import { TimeOfDay } from '../../fields.ts'
import { amountOf } from '../flow/phrases.ts'
import { days, triggerKind } from './trigger-kind.ts'

export const daysWithoutOrder = triggerKind(
  'days_without_order',
  { days: days(1), time: TimeOfDay },
  { ja: '購入のない期間', en: 'days without an order' },
  {
    icon: 'calendar',
    words: {
      name: { ja: '購入のない期間', en: 'Days without an order' },
      description: {
        ja: '最後の注文から一定の日数、注文がないとき',
        en: 'When a customer has not ordered for a number of days',
      },
    },
    initial: { days: 90, time: '10:00' },
    fills: ['day'],
    onlyStarts: true,
    sentence({ days, time }, { language }) {
      const long = amountOf(days, 'days', language)
      return {
        ja: `最後の注文から${long}間注文がないと、${time}に始まります。`,
        en: `Starts at ${time} when a customer has not ordered for ${long}.`,
      }
    },
  },
)
