import { TimeOfDay } from '../../fields.ts'
import { amountOf } from '../flow/phrases.ts'
import { days, triggerKind } from './trigger-kind.ts'

/** `days_before` 0 is the birthday itself. In a common year, 29 February counts as 28 February. */
export const birthday = triggerKind(
  'birthday',
  { days_before: days(0), time: TimeOfDay },
  { ja: '誕生日', en: 'birthday' },
  {
    icon: 'cake',
    words: {
      name: { ja: '誕生日', en: 'Birthday' },
      description: { ja: '顧客の誕生日、またはその何日か前', en: 'On the customer’s birthday, or some days before it' },
    },
    initial: { days_before: 0, time: '10:00' },
    fills: ['day'],
    onlyStarts: true,
    sentence({ days_before, time }, { language }) {
      if (days_before === 0)
        return { ja: `顧客の誕生日当日の${time}に始まります。`, en: `Starts on the customer’s birthday at ${time}.` }
      const before = amountOf(days_before, 'days', language)
      return {
        ja: `顧客の誕生日の${before}前の${time}に始まります。`,
        en: `Starts ${before} before the customer’s birthday at ${time}.`,
      }
    },
  },
)
