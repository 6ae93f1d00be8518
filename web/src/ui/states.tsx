import { Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { IconMapQuestion, IconMoodEmpty, IconPlugConnectedX } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { useWords } from '../app/i18n.ts'
import { useErrorText } from '../app/reasons.ts'
import classes from './states.module.css'

interface EmptyProps {
  title: string
  /** What this is for. */
  text: string
  /** The button that starts it. */
  action?: ReactNode
  icon?: ComponentType<{ size?: number; stroke?: number }>
  /** The page has nothing else. */
  wholePage?: boolean
}

export const Empty = ({ title, text, action, icon: Icon = IconMoodEmpty, wholePage }: EmptyProps) => (
  <div className={classes.state}>
    <span className={classes.icon} aria-hidden>
      <Icon size={28} stroke={1.6} />
    </span>
    <Title order={wholePage ? 1 : 2} size="h4">
      {title}
    </Title>
    <Text c="dimmed" maw={520} size="sm" lh={1.8}>
      {text}
    </Text>
    {action}
  </div>
)

/** Spec §8: 'Error loading data.' with the reason and a way to try again; what is not there is not tried again. */
export function LoadFailed({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useWords('ui')
  const text = useErrorText()
  if (error instanceof ApiError && error.status === 404)
    return <Empty icon={IconMapQuestion} title={t('list.gone')} text={text(error)} />
  return (
    <div className={classes.state} role="alert">
      <span className={classes.icon} data-tone="danger" aria-hidden>
        <IconPlugConnectedX size={28} stroke={1.6} />
      </span>
      <Title order={2} size="h4">
        {t('list.loadFailed')}
      </Title>
      <Text c="dimmed" size="sm">
        {text(error)}
      </Text>
      <Button variant="default" onClick={retry}>
        {t('retry')}
      </Button>
    </div>
  )
}

/** Bars in the place of what is still loading. */
export const Loading = ({ lines = 4 }: { lines?: number }) => {
  const t = useWords('ui')
  return (
    <Stack gap="md" role="status" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, at) => (
        <Skeleton key={at} height={18} width={`${92 - ((at * 17) % 40)}%`} />
      ))}
    </Stack>
  )
}
