import { z } from 'zod'
import { TimeOfDay } from '../../fields.ts'
import { amountOf } from '../phrases.ts'
import { MAX_DAYS, triggerKind } from './trigger-kind.ts'

/** A date in a metafield of the customer: `offset_days` negative is before it. */
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
    words: {
      name_ja: 'メタフィールドの日付',
      name_en: 'Date in a metafield',
      description_ja: '顧客のメタフィールドの日付、またはその前後',
      description_en: 'On a date in a metafield of the customer, or before or after it',
    },
    initial: { metafield: null, offset_days: 0, every_year: false, time: '10:00' },
    fills: ['day'],
    onlyStarts: true,
    missing: ({ metafield }) => (metafield === null || metafield === '' ? 'metafield' : null),
    sentence({ metafield, offset_days: offset, every_year, time }, { language }) {
      const apart = amountOf(Math.abs(offset), 'days', language)
      if (language === 'ja') {
        const when = offset === 0 ? 'の日付の当日' : offset < 0 ? `の日付の${apart}前` : `の日付の${apart}後`
        return `顧客のメタフィールド${metafield || '（未選択）'}${when}の${time}に始まります${every_year ? '（毎年）' : ''}。`
      }
      const when = offset === 0 ? 'on' : offset < 0 ? `${apart} before` : `${apart} after`
      const field = metafield || '(not selected)'
      return `Starts ${when} the date in the metafield ${field} at ${time}${every_year ? ', every year' : ''}.`
    },
  },
)
