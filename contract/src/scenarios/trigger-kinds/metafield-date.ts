import { z } from 'zod'
import { TimeOfDay } from '../../fields.ts'
import { amountOf } from '../flow/phrases.ts'
import { MAX_DAYS, notSelected, triggerKind } from './trigger-kind.ts'

/** A date in a metafield of the customer; a negative `offset_days` is before it. */
export const metafieldDate = triggerKind(
  'metafield_date',
  {
    metafield: z.string().max(100, 'too_long').nullable(),
    offset_days: z.int('not_a_number').min(-MAX_DAYS, 'too_small').max(MAX_DAYS, 'too_big'),
    every_year: z.boolean('not_a_boolean'),
    time: TimeOfDay,
  },
  { ja: 'メタフィールドの日付', en: 'date in a metafield' },
  {
    icon: 'calendar',
    words: {
      name: { ja: 'メタフィールドの日付', en: 'Date in a metafield' },
      description: {
        ja: '顧客のメタフィールドの日付、またはその前後',
        en: 'On a date in a metafield of the customer, or before or after it',
      },
    },
    initial: { metafield: null, offset_days: 0, every_year: false, time: '10:00' },
    fills: ['day'],
    onlyStarts: true,
    missing: ({ metafield }) => (metafield === null || metafield === '' ? 'metafield' : null),
    sentence({ metafield, offset_days: offset, every_year, time }, { language }) {
      const apart = amountOf(Math.abs(offset), 'days', language)
      const field = metafield || notSelected[language]
      const when =
        offset === 0
          ? { ja: '当日', en: 'on' }
          : offset < 0
            ? { ja: `${apart}前`, en: `${apart} before` }
            : { ja: `${apart}後`, en: `${apart} after` }
      return {
        ja: `顧客のメタフィールド${field}の日付の${when.ja}の${time}に始まります${every_year ? '（毎年）' : ''}。`,
        en: `Starts ${when.en} the date in the metafield ${field} at ${time}${every_year ? ', every year' : ''}.`,
      }
    },
  },
)
