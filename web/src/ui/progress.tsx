import { Group, Progress as Bar, Stack, Text } from '@mantine/core'
import { useFormat } from '../app/format.ts'
import { useWords } from '../app/i18n.ts'

interface ProgressProps {
  label: string
  done: number
  /** Null while the total is unknown. */
  total: number | null
  secondsLeft?: number | null
}

/** Long work in progress: done, total, and time left. */
export function Progress({ label, done, total, secondsLeft }: ProgressProps) {
  const t = useWords('ui')
  const format = useFormat()
  const percent = total === null ? 100 : total === 0 ? 0 : Math.min(100, (done / total) * 100)
  const counts =
    total === null ? format.number(done) : t('progress.of', { done: format.number(done), total: format.number(total) })
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Text size="sm" c="dimmed" className="numbers">
          {counts}
          {secondsLeft != null && ` · ${t('progress.left', { time: format.duration(secondsLeft) })}`}
        </Text>
      </Group>
      <Bar value={percent} animated={total === null || percent < 100} aria-label={`${label} ${counts}`} />
    </Stack>
  )
}
