import { duration, isAllowedDuration } from '../duration.ts'
import { EventKind } from '../event.ts'
import { amountOf, doing, quoted, same } from '../phrases.ts'
import { eventKinds } from '../trigger-kinds/index.ts'
import { nodeKind } from './node-kind.ts'

export const waitForEvent = nodeKind('wait_for_event', { event: EventKind, ...duration }, ['happened', 'timed_out'], {
  words: {
    name_ja: 'イベントを待つ',
    name_en: 'Wait for an event',
    description_ja: '購入などのイベントを期限まで待ち、起きたかどうかで分かれます。',
    description_en: 'Waits for an event such as an order, then splits by whether it happened in time.',
  },
  initial: { event: 'order_created', amount: 3, unit: 'days' },
  takesTime: true,
  way(port, { amount, unit }, language) {
    const ja = language === 'ja'
    if (port === 'happened')
      return ja ? { name: '起きた', label: '起きた場合' } : { name: 'Happened', label: 'If it happens' }
    const limit = amountOf(amount, unit, language)
    return ja
      ? { name: '時間切れ', label: `${limit}たっても起きない場合` }
      : { name: 'Timed out', label: `If it does not happen within ${limit}` }
  },
  check: (settings) => (isAllowedDuration(settings) ? [] : [['duration_out_of_range', 'settings.amount']]),
  summary(settings, { language }) {
    const event = eventKinds[settings.event].event[language]
    const limit = amountOf(settings.amount, settings.unit, language)
    return language === 'ja'
      ? `${event}（最長${limit}）`
      : `${event.charAt(0).toUpperCase()}${event.slice(1)}, up to ${limit}`
  },
  clause(settings, { language }) {
    const event = quoted(eventKinds[settings.event].event[language], language)
    const limit = amountOf(settings.amount, settings.unit, language)
    return language === 'ja'
      ? doing(`${event}を最長${limit}`, '待ち', '待ちます')
      : same(`waits up to ${limit} for ${event}`)
  },
})
