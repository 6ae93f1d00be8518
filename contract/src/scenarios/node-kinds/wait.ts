import { z } from 'zod'
import { TimeOfDay } from '../../fields.ts'
import type { Locale, Localized } from '../../locale.ts'
import { duration, isAllowedDuration, MAX_WAIT_DAYS } from '../duration.ts'
import { alike, amountOf, capitalized, doing, languageTag, orInEnglish } from '../flow/phrases.ts'
import { nodeKind } from './node-kind.ts'

const Waiting = z.discriminatedUnion(
  'mode',
  [
    z.strictObject({ mode: z.literal('for'), ...duration }),
    /** The next time of day in the merchant's zone. */
    z.strictObject({ mode: z.literal('until_time'), time: TimeOfDay }),
    /** The next of these ISO weekdays (1 Monday to 7 Sunday) at this time. */
    z.strictObject({
      mode: z.literal('until_weekday'),
      weekdays: z.array(z.int().min(1).max(7)).min(1, 'required').max(7),
      time: TimeOfDay,
    }),
    /**
     * The usual interval of the event's product; with several products, the shortest of their intervals. `days` if it is not known.
     */
    z.strictObject({
      mode: z.literal('usual_interval'),
      days: z.int('not_a_number').min(1, 'too_small').max(MAX_WAIT_DAYS, 'too_big'),
    }),
  ],
  'not_allowed',
)
export type Waiting = z.output<typeof Waiting>

/** 2024-01-01 was a Monday. */
const weekdayName = (day: number, language: Locale): string =>
  new Intl.DateTimeFormat(languageTag(language), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

/** 次の10:00まで, until the next 10:00: as part of a sentence. */
function untilText(wait: Extract<Waiting, { time: string }>, language: Locale): Localized {
  if (wait.mode === 'until_time') return { ja: `次の${wait.time}まで`, en: `until the next ${wait.time}` }
  const days = [...wait.weekdays].sort((a, b) => a - b).map((day) => weekdayName(day, language))
  return { ja: `次の${days.join('・')}の${wait.time}まで`, en: `until the next ${orInEnglish(days)} at ${wait.time}` }
}
/** How long, standing alone. */
export function waitText(wait: Waiting, language: Locale): Localized {
  if (wait.mode === 'for') return alike(amountOf(wait.amount, wait.unit, language))
  if (wait.mode === 'usual_interval') {
    const days = amountOf(wait.days, 'days', language)
    return { ja: `いつもの購入間隔（不明なら${days}）`, en: `The product’s usual interval, else ${days}` }
  }
  const { ja, en } = untilText(wait, language)
  return { ja, en: capitalized(en) }
}
/** How long, after "waits". */
function lengthText(wait: Waiting, language: Locale): Localized {
  if (wait.mode === 'for') return alike(amountOf(wait.amount, wait.unit, language))
  if (wait.mode !== 'usual_interval') return untilText(wait, language)
  const days = amountOf(wait.days, 'days', language)
  return {
    ja: `商品のいつもの購入間隔（分からない商品は${days}）だけ`,
    en: `as long as customers usually take to buy the product again (${days} if that is not known)`,
  }
}

export const wait = nodeKind('wait', { wait: Waiting }, ['next'], {
  icon: 'clock',
  words: {
    name: { ja: '待つ', en: 'Wait' },
    description: {
      ja: '一定の期間、または指定した時刻や曜日まで待ちます。',
      en: 'Waits for some time, or until a time of day or a weekday.',
    },
  },
  initial: { wait: { mode: 'for', amount: 1, unit: 'days' } },
  takesTime: 'always',
  waitsUntil: ({ wait }) => ('time' in wait ? wait : null),
  caption({ wait }, language) {
    if (wait.mode === 'for') return amountOf(wait.amount, wait.unit, language)
    // The interval differs by product, so there is only the icon; its title explains it.
    return wait.mode === 'usual_interval' ? null : wait.time
  },
  check: (settings) =>
    settings.wait.mode === 'for' && !isAllowedDuration(settings.wait)
      ? [['duration_out_of_range', 'settings.wait.amount']]
      : [],
  summary: (settings, { language }) => waitText(settings.wait, language),
  clause(settings, { language }) {
    const { ja, en } = lengthText(settings.wait, language)
    return { ja: doing(ja, '待ち', '待ちます'), en: `waits ${en}` }
  },
})
