import { TimeOfDay } from '../../fields.ts'
import { amountOf } from '../phrases.ts'
import { days, triggerKind } from './trigger-kind.ts'

/** `days_before` 0 is the birthday itself. 29 February is 28 February in a common year. */
export const birthday = triggerKind(
  'birthday',
  { days_before: days(0), time: TimeOfDay },
  { ja: '誕生日', en: 'birthday' },
  {
    words: {
      name_ja: '誕生日',
      name_en: 'Birthday',
      description_ja: '顧客の誕生日、またはその何日か前',
      description_en: 'On the customer’s birthday, or some days before it',
    },
    initial: { days_before: 0, time: '10:00' },
    fills: ['day'],
    onlyStarts: true,
    sentence({ days_before, time }, { language }) {
      const ja = language === 'ja'
      if (days_before === 0)
        return ja ? `顧客の誕生日当日の${time}に始まります。` : `Starts on the customer’s birthday at ${time}.`
      const before = amountOf(days_before, 'days', language)
      return ja
        ? `顧客の誕生日の${before}前の${time}に始まります。`
        : `Starts ${before} before the customer’s birthday at ${time}.`
    },
  },
)
