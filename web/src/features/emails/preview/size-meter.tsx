import { Group, Progress, Text } from '@mantine/core'
import { SIZE_CLIPPING_BYTES, SIZE_WARNING_BYTES } from '@okaeri/contract/emails/email'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'

/** The final size against the two limits of spec §9. */
export function SizeMeter({ sizeBytes }: { sizeBytes: number | undefined }) {
  const t = useWords('emails')
  const format = useFormat()
  const size = sizeBytes ?? 0
  const level = size > SIZE_CLIPPING_BYTES ? 'clipped' : size > SIZE_WARNING_BYTES ? 'near' : 'ok'
  const colour = { ok: 'teal', near: 'yellow', clipped: 'red' }[level]
  const counts = t('sizeMeter.of', {
    size: sizeBytes === undefined ? '—' : format.bytes(size),
    limit: format.bytes(SIZE_CLIPPING_BYTES),
  })
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {t('sizeMeter.label')}
        </Text>
        <Text size="sm" className="numbers">
          {counts}
        </Text>
      </Group>
      <Progress
        mt={4}
        color={colour}
        value={Math.min(100, (size / SIZE_CLIPPING_BYTES) * 100)}
        aria-label={`${t('sizeMeter.label')} ${counts}`}
      />
      <Text size="xs" c={level === 'ok' ? 'dimmed' : undefined} mt={4} role={level === 'ok' ? undefined : 'status'}>
        {sizeBytes !== undefined && t(`sizeMeter.${level}`)}
      </Text>
    </div>
  )
}
