import { ActionIcon, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { IconRefresh, IconX } from '@tabler/icons-react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { useErrorText } from '../../app/reasons.ts'
import classes from './media.module.css'
import { cancelUpload, dismissFinished, retryUpload, type Upload, useUploads } from './uploads.ts'

/** What is on its way and what became of it, until the person clears it. */
export function UploadList() {
  const t = useWords('media')
  const { member } = useMerchant()
  const uploads = useUploads(member.id)
  if (uploads.length === 0) return null
  const done = uploads.filter(({ state }) => state === 'done').length
  return (
    <Paper withBorder p="md" component="section" aria-label={t('uploads.title')}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Text fw={700} size="sm" role="status">
          {t('uploads.summary', { done, total: uploads.length })}
        </Text>
        <Button size="xs" variant="default" onClick={dismissFinished}>
          {t('uploads.dismiss')}
        </Button>
      </Group>
      <ul className={classes.uploads}>
        {uploads.map((upload) => (
          <Line key={upload.id} upload={upload} />
        ))}
      </ul>
    </Paper>
  )
}

function Line({ upload: { id, name, state, sent, error } }: { upload: Upload }) {
  const t = useWords('media')
  const format = useFormat()
  const errorText = useErrorText()
  const isUnderWay = state === 'waiting' || state === 'sending' || state === 'looking'
  return (
    <li>
      <Group gap="sm" wrap="nowrap" justify="space-between">
        <Stack gap={4} className={classes.uploadText}>
          <Group gap="xs" justify="space-between" wrap="nowrap">
            <Text size="sm" truncate>
              {name}
            </Text>
            {state !== 'failed' && (
              <Text size="xs" c="dimmed" className={classes.uploadState}>
                {t(`uploads.${state}`, { percent: format.number(Math.round(sent * 100)) })}
              </Text>
            )}
          </Group>
          {isUnderWay && (
            <Progress
              size="sm"
              value={sent * 100}
              animated={state === 'looking'}
              aria-label={t('uploads.progress', { name })}
            />
          )}
          {state === 'failed' && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {errorText(error)}
            </Text>
          )}
        </Stack>
        {isUnderWay && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('uploads.cancel', { name })}
            onClick={() => cancelUpload(id)}
          >
            <IconX size={18} aria-hidden />
          </ActionIcon>
        )}
        {(state === 'failed' || state === 'cancelled') && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('uploads.retry', { name })}
            onClick={() => retryUpload(id)}
          >
            <IconRefresh size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    </li>
  )
}
