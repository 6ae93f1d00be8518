import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import type { NodeOf } from '@okaeri/contract/scenarios/flow/flow'
import { MAX_SHARES, sharePorts } from '@okaeri/contract/scenarios/node-kinds/random-split'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { ownWords } from '../../../../app/i18n.ts'
import { WholeNumber } from '../../../../ui/whole-number.tsx'
import type { NodeFormProps } from './node-form.ts'

const useText = ownWords({
  help: { ja: '同じ顧客は、何度通っても同じほうへ進みます。', en: 'A customer always takes the same path.' },
  share: { ja: '{{port}}の割合', en: '{{port}} percentage' },
  add: { ja: '分岐を追加', en: 'Add path' },
  remove: { ja: '{{port}}を削除', en: 'Remove {{port}}' },
  even: { ja: '均等にする', en: 'Split evenly' },
  sum: { ja: '合計 {{n}}%', en: 'Total {{n}}%' },
  wrong: {
    ja: '合計を100%にしてください（今は{{n}}%）。',
    en: 'Percentages must add up to 100% (currently {{n}}%).',
  },
})

/** Adds or removes shares; the ports of removed shares lead nowhere. */
export function withShares(node: NodeOf<'random_split'>, shares: readonly number[]): NodeOf<'random_split'> {
  const kept = shares.slice(0, MAX_SHARES)
  const next = { ...node.next }
  for (const port of sharePorts.slice(kept.length)) next[port] = null
  return { ...node, settings: { shares: [...kept] }, next }
}

const evenShares = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => Math.floor(100 / count) + (at < 100 % count ? 1 : 0))

export function RandomSplitForm({ node, onChange }: NodeFormProps<'random_split'>) {
  const t = useText()
  const { shares } = node.settings
  const sum = shares.reduce((total, share) => total + share, 0)
  const set = (next: readonly number[], typing?: string) => onChange(withShares(node, next), typing)
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('help')}
      </Text>
      {shares.map((share, at) => {
        const port = sharePorts[at]?.toUpperCase() ?? ''
        const isLast = at === shares.length - 1 && shares.length > 2
        return (
          <Group key={port} gap="xs" align="flex-end" wrap="nowrap">
            <WholeNumber
              label={t('share', { port })}
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
                aria-label={t('remove', { port })}
                onClick={() => set(evenShares(shares.length - 1))}
              >
                <IconTrash size={18} />
              </ActionIcon>
            )}
          </Group>
        )
      })}
      <Text size="sm" fw={600} c={sum === 100 ? 'dimmed' : 'error'} role={sum === 100 ? undefined : 'alert'}>
        {sum === 100 ? t('sum', { n: sum }) : t('wrong', { n: sum })}
      </Text>
      <Group gap="xs">
        {shares.length < MAX_SHARES && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => set(evenShares(shares.length + 1))}
          >
            {t('add')}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => set(evenShares(shares.length))}>
          {t('even')}
        </Button>
      </Group>
    </Stack>
  )
}
