import { Select, Stack, Text } from '@mantine/core'
import { channelOfKind } from '@okaeri/contract/scenarios/flow/flow'
import { type Reaction, reactions } from '@okaeri/contract/scenarios/node-kinds/wait-for-reaction'
import { ownWords } from '../../../../app/i18n.ts'
import { DurationField } from '../fields.tsx'
import { useTitles } from '../titles.ts'
import type { NodeFormProps } from './node-form.ts'

const useText = ownWords({
  help: {
    ja: '配信されてから期限がたったときに確認します。配信できる時間帯を待っている間は、期限に数えません。',
    en: 'Checked when the time limit has passed since the message was sent. Waiting for the sending hours does not count.',
  },
  step: { ja: '配信のステップ', en: 'Sending step' },
  choose: { ja: 'ステップを選んでください', en: 'Choose a step' },
  noSteps: { ja: '配信のステップがありません', en: 'No sending steps yet' },
  what: { ja: '反応', en: 'Reaction' },
  opened: { ja: '開封した', en: 'Opened' },
  clicked: { ja: 'リンクをクリックした', en: 'Clicked a link' },
  limit: { ja: '待つ期限', en: 'Time limit' },
  noOpens: {
    ja: 'LINEでは、誰が開封したか分かりません。クリックだけを確認できます。',
    en: 'LINE does not say who opened a message. Only clicks can be checked.',
  },
  rehearsal: {
    ja: '配信されなかった顧客は「反応なし」へ進みます。リハーサルでは全員が「反応なし」へ進みます。',
    en: 'Customers who were not sent it follow “No reaction”. In a rehearsal everyone follows it.',
  },
})

/** Which message, and what the customer did with it. */
export function WaitForReactionForm({ node, flow, onChange, strict }: NodeFormProps<'wait_for_reaction'>) {
  const t = useText()
  const titles = useTitles(flow)
  const { node_id, reaction } = node.settings
  const steps = flow.nodes.filter(({ kind }) => channelOfKind(kind) !== null)
  const asked = steps.find(({ id }) => id === node_id)
  const isLine = asked !== undefined && channelOfKind(asked.kind) === 'line'
  const set = (settings: Partial<typeof node.settings>) =>
    onChange({ ...node, settings: { ...node.settings, ...settings } })
  const choose = (id: string | null) => {
    const chosen = steps.find((each) => each.id === id)
    const onlyClicks = chosen !== undefined && channelOfKind(chosen.kind) === 'line'
    set({ node_id: id, ...(onlyClicks && { reaction: 'clicked' as const }) })
  }
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('help')}
      </Text>
      <Select
        label={t('step')}
        placeholder={t(steps.length === 0 ? 'noSteps' : 'choose')}
        data={steps.map(({ id }) => ({ value: id, label: titles.get(id) ?? id }))}
        value={asked ? node_id : null}
        disabled={steps.length === 0}
        onChange={choose}
        error={strict && !asked ? t('choose') : undefined}
      />
      <Select
        label={t('what')}
        data={reactions.map((each) => ({
          value: each,
          label: t(each),
          disabled: isLine && each === 'opened',
        }))}
        value={reaction}
        allowDeselect={false}
        onChange={(next) => set({ reaction: (next ?? reaction) as Reaction })}
        description={isLine ? t('noOpens') : undefined}
      />
      <DurationField
        label={t('limit')}
        value={node.settings}
        onChange={(duration, typing) => onChange({ ...node, settings: { ...node.settings, ...duration } }, typing)}
      />
      <Text size="xs" c="dimmed">
        {t('rehearsal')}
      </Text>
    </Stack>
  )
}
