import { Button, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { IconMapQuestion, IconMoodEmpty, IconPlugConnectedX } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { useWords } from '../app/i18n.ts'
import { placeOf } from '../app/navigation.ts'
import { useErrorText } from '../app/reasons.ts'
import { ButtonLink } from './links.tsx'
import classes from './states.module.css'

interface EmptyProps {
  title: string
  /** The purpose of the page. */
  text: string
  /** The button that starts it. */
  action?: ReactNode
  icon?: ComponentType<{ size?: number; stroke?: number }>
  /** The page has no other content. */
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

/** Spec §8: 'Error loading data.' with the reason and a retry button; for a missing item, a link back to its list. */
export function LoadFailed({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useWords('ui')
  const text = useErrorText()
  const place = useRouterState({ select: (state) => placeOf(state.location.pathname) })
  if (error instanceof ApiError && error.status === 404)
    return (
      <Empty
        icon={IconMapQuestion}
        title={t('list.gone')}
        text={t('list.goneText')}
        action={place && <ButtonLink to={place}>{t('list.toList')}</ButtonLink>}
      />
    )
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

/** Bars in place of content that is still loading. */
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

/** In place of a page without any data yet; like the skeleton in index.html. */
export const PageLoading = () => (
  <Stack gap="lg" maw={1240} mx="auto">
    <Skeleton height={28} width={220} />
    <Paper withBorder p="lg" h={420}>
      <Loading />
    </Paper>
  </Stack>
)
