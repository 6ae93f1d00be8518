import { duration, isAllowedDuration } from '../duration.ts'
import { EventKind } from '../event.ts'
import { amountOf, capitalized, doing, quoted } from '../flow/phrases.ts'
import { eventKinds } from '../trigger-kinds/index.ts'
import { nodeKind } from './node-kind.ts'

export const waitForEvent = nodeKind('wait_for_event', { event: EventKind, ...duration }, ['happened', 'timed_out'], {
  icon: 'hourglass',
  words: {
    name: { ja: 'イベントを待つ', en: 'Wait for an event' },
    description: {
      ja: '購入などのイベントを期限まで待ち、起きたかどうかで分かれます。',
      en: 'Waits for an event such as an order, then splits by whether it happened in time.',
    },
  },
  initial: { event: 'order_created', amount: 3, unit: 'days' },
  takesTime: 'always',
  caption: ({ amount, unit }, language) => amountOf(amount, unit, language),
  way(port, { amount, unit }, language) {
    if (port === 'happened')
      return { name: { ja: '起きた', en: 'Happened' }, label: { ja: '起きた場合', en: 'If it happens' } }
    const limit = amountOf(amount, unit, language)
    return {
      name: { ja: '時間切れ', en: 'Timed out' },
      label: { ja: `${limit}たっても起きない場合`, en: `If it does not happen within ${limit}` },
    }
  },
  check: (settings) => (isAllowedDuration(settings) ? [] : [['duration_out_of_range', 'settings.amount']]),
  summary(settings, { language }) {
    const event = eventKinds[settings.event].event[language]
    const limit = amountOf(settings.amount, settings.unit, language)
    return { ja: `${event}（最長${limit}）`, en: capitalized(`${event}, up to ${limit}`) }
  },
  clause(settings, { language }) {
    const event = quoted(eventKinds[settings.event].event[language], language)
    const limit = amountOf(settings.amount, settings.unit, language)
    return { ja: doing(`${event}を最長${limit}`, '待ち', '待ちます'), en: `waits up to ${limit} for ${event}` }
  },
})
