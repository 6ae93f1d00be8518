import { Select, Stack, Text } from '@mantine/core'
import { channelOfKind } from '@okaeri/contract/scenarios/flow/flow'
import { type Reaction, reactions } from '@okaeri/contract/scenarios/node-kinds/wait-for-reaction'
import { useWords } from '../../../../app/i18n.ts'
import { DurationField } from '../fields.tsx'
import { useTitles } from '../titles.ts'
import type { NodeFormProps } from './node-form.ts'

/** Which message, and what the customer did with it. */
export function WaitForReactionForm({ node, flow, onChange, strict }: NodeFormProps<'wait_for_reaction'>) {
  const t = useWords('flow')
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
        {t('reaction.help')}
      </Text>
      <Select
        label={t('reaction.step')}
        placeholder={t(steps.length === 0 ? 'reaction.noSteps' : 'reaction.choose')}
        data={steps.map(({ id }) => ({ value: id, label: titles.get(id) ?? id }))}
        value={asked ? node_id : null}
        disabled={steps.length === 0}
        onChange={choose}
        error={strict && !asked ? t('reaction.choose') : undefined}
      />
      <Select
        label={t('reaction.what')}
        data={reactions.map((each) => ({
          value: each,
          label: t(`reaction.${each}`),
          disabled: isLine && each === 'opened',
        }))}
        value={reaction}
        allowDeselect={false}
        onChange={(next) => set({ reaction: (next ?? reaction) as Reaction })}
        description={isLine ? t('reaction.noOpens') : undefined}
      />
      <DurationField
        label={t('reaction.limit')}
        value={node.settings}
        onChange={(duration, typing) => onChange({ ...node, settings: { ...node.settings, ...duration } }, typing)}
      />
      <Text size="xs" c="dimmed">
        {t('reaction.rehearsal')}
      </Text>
    </Stack>
  )
}
