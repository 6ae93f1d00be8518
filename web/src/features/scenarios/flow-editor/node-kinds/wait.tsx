import { Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { MAX_WAIT_DAYS } from '@okaeri/contract/scenarios/duration'
import type { Waiting } from '@okaeri/contract/scenarios/node-kinds/wait'
import { useLanguage, ownWords, useWords } from '../../../../app/i18n.ts'
import { useMerchant } from '../../../../app/merchant.tsx'
import { DurationField, TimeField } from '../fields.tsx'
import { WholeNumber } from '../../../../ui/whole-number.tsx'
import type { NodeFormProps } from './node-form.ts'

const useText = ownWords({
  mode: { ja: '待ち方', en: 'Wait type' },
  for: { ja: '期間', en: 'Duration' },
  until_time: { ja: '時刻まで', en: 'Until a time' },
  until_weekday: { ja: '曜日まで', en: 'Until a weekday' },
  usual_interval: { ja: '購入間隔', en: 'Purchase interval' },
  amount: { ja: '長さ', en: 'Length' },
  time: { ja: '時刻', en: 'Time' },
  weekdays: { ja: '曜日', en: 'Weekdays' },
  untilHelp: {
    ja: 'ストアのタイムゾーン（{{zone}}）で、次にその時刻になるまで待ちます。',
    en: 'Waits for the next occurrence of this time in your store’s time zone ({{zone}}).',
  },
  weekdayHelp: {
    ja: '選んだ曜日のうち、次に来る日のその時刻まで待ちます（{{zone}}）。',
    en: 'Waits until this time on the next selected day ({{zone}}).',
  },
  forHelp: { ja: 'このステップに着いてから数えます。', en: 'Starts when the customer reaches this step.' },
  hoursHelp: {
    ja: '前のメッセージが配信できる時間帯を待っている間は数えません。待機は、そのメッセージが配信される時刻から始まります。',
    en: 'While a message before it waits for the sending hours, the wait does not run. It starts when they begin.',
  },
  usualHelp: {
    ja: '顧客が同じ商品をまた買うまでの、いつもの日数だけ待ちます。日数は、注文から商品ごとに毎晩計算します。',
    en: 'Waits as long as customers usually take to buy the same product again, calculated nightly from your orders.',
  },
  usualDays: { ja: '間隔が分からない商品の日数', en: 'Days to wait if unknown' },
})

const waitModes: readonly Waiting['mode'][] = ['for', 'until_time', 'until_weekday', 'usual_interval']
const USUAL_DAYS = 30
/** The usual sending time of stores. */
const USUAL_TIME = '10:00'

export function WaitForm({ node, onChange }: NodeFormProps<'wait'>) {
  const t = useText()
  const flow = useWords('flow')
  const language = useLanguage()
  const { setting } = useMerchant()
  const zone = setting.timezone
  const { wait } = node.settings
  const set = (next: Waiting, typing?: string) => onChange({ ...node, settings: { wait: next } }, typing)
  const time = 'time' in wait ? wait.time : USUAL_TIME
  const choose = (mode: Waiting['mode']) => {
    if (mode === wait.mode) return
    if (mode === 'for') set({ mode, amount: 1, unit: 'days' })
    else if (mode === 'until_time') set({ mode, time })
    else if (mode === 'usual_interval') set({ mode, days: USUAL_DAYS })
    else set({ mode, weekdays: [1], time })
  }
  // 2024-01-01 was a Monday.
  const weekday = (day: number, style: 'short' | 'long') =>
    new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-US', { weekday: style, timeZone: 'UTC' }).format(
      Date.UTC(2024, 0, day),
    )
  return (
    <Stack gap="sm">
      <SegmentedControl
        fullWidth
        size="sm"
        aria-label={t('mode')}
        value={wait.mode}
        onChange={(mode) => choose(waitModes.find((each) => each === mode) ?? 'for')}
        data={waitModes.map((mode) => ({ value: mode, label: t(mode) }))}
      />
      {wait.mode === 'for' && (
        <>
          <DurationField
            label={t('amount')}
            value={wait}
            onChange={(duration, typing) => set({ ...wait, ...duration }, typing)}
          />
          <Text size="xs" c="dimmed">
            {t('forHelp')}
          </Text>
        </>
      )}
      {wait.mode === 'until_weekday' && (
        <Checkbox.Group
          label={t('weekdays')}
          value={wait.weekdays.map(String)}
          onChange={(days) => {
            const weekdays = days.map(Number).sort((a, b) => a - b)
            // At least one day: the last one cannot be removed.
            if (weekdays.length > 0) set({ ...wait, weekdays })
          }}
        >
          <Group gap="sm" mt={6}>
            {[1, 2, 3, 4, 5, 6, 7].map((day) => (
              <Checkbox key={day} value={String(day)} label={weekday(day, 'short')} aria-label={weekday(day, 'long')} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      {wait.mode === 'usual_interval' && (
        <>
          <Text size="xs" c="dimmed">
            {t('usualHelp')}
          </Text>
          <WholeNumber
            label={t('usualDays')}
            value={wait.days}
            min={1}
            max={MAX_WAIT_DAYS}
            unit={flow('duration.days')}
            w={220}
            onChange={(days) => set({ ...wait, days }, 'days')}
          />
        </>
      )}
      {'time' in wait && (
        <TimeField
          label={t('time')}
          description={t(wait.mode === 'until_time' ? 'untilHelp' : 'weekdayHelp', { zone })}
          value={wait.time}
          onChange={(next) => set({ ...wait, time: next }, 'time')}
        />
      )}
      {setting.sending_hours.enabled && (
        <Text size="xs" c="dimmed">
          {t('hoursHelp')}
        </Text>
      )}
    </Stack>
  )
}
