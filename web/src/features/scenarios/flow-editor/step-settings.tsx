import { Button, Checkbox, Group, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core'
import { type EventKind, eventKinds } from '@okaeri/contract/scenarios/event'
import { type FlowNode, MAX_SHARES, MAX_WAIT_DAYS, type NodeOf, sharePorts } from '@okaeri/contract/scenarios/flow'
import { eventKindWords } from '@okaeri/contract/scenarios/kind-words'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { ActionIcon } from '@mantine/core'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextsField } from '../../segments/pickers.tsx'
import { ConditionField } from './condition-field.tsx'
import { CouponSettings } from './coupon-settings.tsx'
import { EmailSettings } from './email-settings.tsx'
import { DurationField, TimeField, WholeNumber } from './fields.tsx'
import { withShares } from './flow-model.ts'
import { WebhookSettings } from './webhook-settings.tsx'

interface SettingsProps<N extends FlowNode> {
  node: N
  onChange: (node: FlowNode, typing?: string) => void
  /** Errors were asked for: all that is missing is told. */
  strict: boolean
}

/** The settings of a step, by its kind. */
export function StepSettings({ node, ...rest }: SettingsProps<FlowNode>) {
  const t = useWords('flow')
  switch (node.kind) {
    case 'send_email':
      return <EmailSettings node={node} {...rest} />
    case 'send_line':
      return <Notice>{t('line.text')}</Notice>
    case 'wait':
      return <WaitSettings node={node} {...rest} />
    case 'wait_for_event':
      return <EventSettings node={node} {...rest} />
    case 'branch':
      return <BranchSettings node={node} {...rest} />
    case 'random_split':
      return <SplitSettings node={node} {...rest} />
    case 'issue_coupon':
      return (
        <CouponSettings
          value={node.settings.coupon}
          onChange={(coupon, typing) => rest.onChange({ ...node, settings: { coupon } }, typing)}
        />
      )
    case 'tag_customer':
      return <TagSettings node={node} {...rest} />
    case 'add_note':
      return (
        <Textarea
          label={t('note.label')}
          description={t('note.help')}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={1000}
          value={node.settings.text}
          onChange={(event) => rest.onChange({ ...node, settings: { text: event.currentTarget.value } }, 'text')}
        />
      )
    case 'call_webhook':
      return <WebhookSettings node={node} {...rest} />
    case 'end':
      return (
        <Text size="sm" c="dimmed">
          {t('end.text')}
        </Text>
      )
  }
}

type WaitMode = NodeOf<'wait'>['settings']['wait']['mode']
const waitModes: readonly WaitMode[] = ['for', 'until_time', 'until_weekday', 'usual_interval']
const USUAL_DAYS = 30
/** When shops mostly write. */
const USUAL_TIME = '10:00'

function WaitSettings({ node, onChange }: SettingsProps<NodeOf<'wait'>>) {
  const t = useWords('flow')
  const language = useLanguage()
  const zone = useMerchant().setting.timezone
  const { wait } = node.settings
  const set = (next: typeof wait, typing?: string) => onChange({ ...node, settings: { wait: next } }, typing)
  const time = 'time' in wait ? wait.time : USUAL_TIME
  const choose = (mode: WaitMode) => {
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
        aria-label={t('wait.mode')}
        value={wait.mode}
        onChange={(mode) => choose(waitModes.find((each) => each === mode) ?? 'for')}
        data={waitModes.map((mode) => ({ value: mode, label: t(`wait.${mode}`) }))}
      />
      {wait.mode === 'for' && (
        <>
          <DurationField
            label={t('wait.amount')}
            value={wait}
            onChange={(duration, typing) => set({ ...wait, ...duration }, typing)}
          />
          <Text size="xs" c="dimmed">
            {t('wait.forHelp')}
          </Text>
        </>
      )}
      {wait.mode === 'until_weekday' && (
        <Checkbox.Group
          label={t('wait.weekdays')}
          value={wait.weekdays.map(String)}
          onChange={(days) => {
            const weekdays = days.map(Number).sort((a, b) => a - b)
            // At least one day: the last one stays.
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
            {t('wait.usualHelp')}
          </Text>
          <WholeNumber
            label={t('wait.usualDays')}
            value={wait.days}
            min={1}
            max={MAX_WAIT_DAYS}
            unit={t('wait.days')}
            w={220}
            onChange={(days) => set({ ...wait, days }, 'days')}
          />
        </>
      )}
      {'time' in wait && (
        <TimeField
          label={t('wait.time')}
          description={t(wait.mode === 'until_time' ? 'wait.untilHelp' : 'wait.weekdayHelp', { zone })}
          value={wait.time}
          onChange={(next) => set({ ...wait, time: next }, 'time')}
        />
      )}
    </Stack>
  )
}

/** What can happen to a customer while they are in a scenario; the clock's own events begin scenarios, nobody waits for them. */
const awaited = eventKinds.filter(
  (kind) => !['customer_created', 'birthday', 'metafield_date', 'days_without_order', 'manual'].includes(kind),
)

function EventSettings({ node, onChange }: SettingsProps<NodeOf<'wait_for_event'>>) {
  const t = useWords('flow')
  const language = useLanguage()
  const { event } = node.settings
  const name = (kind: EventKind): string => {
    const text = eventKindWords[kind][language]
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  }
  const offered = awaited.includes(event) ? awaited : [event, ...awaited]
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('event.help')}
      </Text>
      <Select
        label={t('event.label')}
        value={event}
        data={offered.map((kind) => ({ value: kind, label: name(kind) }))}
        onChange={(next) =>
          onChange({ ...node, settings: { ...node.settings, event: offered.find((kind) => kind === next) ?? event } })
        }
      />
      <DurationField
        label={t('event.limit')}
        value={node.settings}
        onChange={(duration, typing) => onChange({ ...node, settings: { ...node.settings, ...duration } }, typing)}
      />
    </Stack>
  )
}

function BranchSettings({ node, onChange, strict }: SettingsProps<NodeOf<'branch'>>) {
  const t = useWords('flow')
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('branch.help')}
      </Text>
      <ConditionField
        value={node.settings.condition}
        addLabel={t('branch.add')}
        removeLabel={t('branch.remove')}
        strict={strict}
        onChange={(condition, typing) => onChange({ ...node, settings: { condition } }, typing)}
      />
    </Stack>
  )
}

const evenShares = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => Math.floor(100 / count) + (at < 100 % count ? 1 : 0))

function SplitSettings({ node, onChange }: SettingsProps<NodeOf<'random_split'>>) {
  const t = useWords('flow')
  const { shares } = node.settings
  const sum = shares.reduce((total, share) => total + share, 0)
  const set = (next: readonly number[], typing?: string) => onChange(withShares(node, next), typing)
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('split.help')}
      </Text>
      {shares.map((share, at) => {
        const port = sharePorts[at]?.toUpperCase() ?? ''
        const isLast = at === shares.length - 1 && shares.length > 2
        return (
          <Group key={port} gap="xs" align="flex-end" wrap="nowrap">
            <WholeNumber
              label={t('split.share', { port })}
              value={share}
              min={1}
              max={99}
              unit="%"
              w={160}
              onChange={(next) =>
                set(
                  shares.map((each, index) => (index === at ? next : each)),
                  `share${at}`,
                )
              }
            />
            {isLast && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('split.remove', { port })}
                onClick={() => set(evenShares(shares.length - 1))}
              >
                <IconTrash size={18} />
              </ActionIcon>
            )}
          </Group>
        )
      })}
      <Text size="sm" fw={600} c={sum === 100 ? 'dimmed' : 'error'} role={sum === 100 ? undefined : 'alert'}>
        {sum === 100 ? t('split.sum', { n: sum }) : t('split.wrong', { n: sum })}
      </Text>
      <Group gap="xs">
        {shares.length < MAX_SHARES && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => set(evenShares(shares.length + 1))}
          >
            {t('split.add')}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => set(evenShares(shares.length))}>
          {t('split.even')}
        </Button>
      </Group>
    </Stack>
  )
}

const MAX_TAGS = 20
const MAX_TAG_LENGTH = 255

function TagSettings({ node, onChange }: SettingsProps<NodeOf<'tag_customer'>>) {
  const t = useWords('flow')
  const { add, remove } = node.settings
  const kept = (tags: readonly string[]) =>
    tags
      .map((tag) => tag.trim().slice(0, MAX_TAG_LENGTH))
      .filter((tag) => tag !== '')
      .slice(0, MAX_TAGS)
  return (
    <Stack gap="sm">
      {(['add', 'remove'] as const).map((which) => (
        <div key={which}>
          <Text size="sm" fw={600} mb={4}>
            {t(`tag.${which}`)}
          </Text>
          <TextsField
            label={t(`tag.${which}`)}
            placeholder={t('tag.placeholder')}
            value={which === 'add' ? add : remove}
            suggest="customer_tag"
            onChange={(tags) => onChange({ ...node, settings: { add, remove, [which]: kept(tags) } })}
          />
        </div>
      ))}
    </Stack>
  )
}
