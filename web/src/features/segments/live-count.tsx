import { Button, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Group } from '@okaeri/contract/segments/condition'
import { previewConditions } from '@okaeri/contract/segments/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useErrorText } from '../../app/reasons.ts'
import classes from './live-count.module.css'
import { useSync } from '../customers/sync-progress.tsx'
import { Reach } from './reach.tsx'

/** Short enough to show the number within a second of the last change, long enough not to count at every key. */
const COUNT_DELAY_MS = 300
/** This many of the chosen customers are named. */
const NAMED = 5

/**
 * Counts unsaved conditions as they change; `usable`: they can be counted. A running request is cancelled when they change, and each answer
 * belongs to its conditions, so that a late one changes nothing.
 */
export function usePreview(conditions: Group, usable: boolean, unfinished = 0) {
  const now = JSON.stringify(conditions)
  const [settled] = useDebouncedValue(usable ? now : '', COUNT_DELAY_MS)
  const asked = useMemo(() => (settled === '' ? null : (JSON.parse(settled) as Group)), [settled])
  const query = useQuery({
    queryKey: ['segments', 'preview', settled],
    queryFn: ({ signal }) => call(previewConditions, { body: { conditions: JSON.parse(settled) as Group }, signal }),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const counting = usable && (settled !== now || query.isFetching)
  return { query, usable, counting, asked, unfinished }
}

/** For narrow windows, where the card is below the editor: only the number, always visible. */
export function CountLine({ preview }: { preview: ReturnType<typeof usePreview> }) {
  const t = useWords('segments')
  const format = useFormat()
  const { query, usable, counting } = preview
  const counts = query.data?.target_counts
  return (
    <div className={classes.bar} aria-hidden data-old={counting || undefined}>
      {t('count.title')}
      <b>{counts && usable ? t('count.people', { count: counts.total, total: format.number(counts.total) }) : '—'}</b>
      {counting && <Loader size={12} />}
    </div>
  )
}

/** The number next to the editor: it keeps its place and its last value while a newer one is counted. */
export function LiveCount({ preview }: { preview: ReturnType<typeof usePreview> }) {
  const t = useWords('segments')
  const ui = useWords('ui')
  const format = useFormat()
  const errorText = useErrorText()
  const { query, usable, counting, unfinished } = preview
  const copying = useSync()?.status === 'running'
  const counts = query.data?.target_counts
  const customers = query.data?.customers.slice(0, NAMED) ?? []
  const more = (counts?.total ?? 0) - customers.length
  const failed = query.error && !counting

  return (
    <Paper withBorder p="lg" component="section" aria-label={t('count.title')} className={classes.card}>
      <Stack gap="sm">
        <div className={classes.head}>
          <Title order={2} size="h4">
            {t('count.title')}
          </Title>
          <Text span size="xs" c="dimmed" className={classes.state} role="status">
            {counting && <Loader size={12} aria-hidden />}
            {usable && !failed && t(counting ? 'count.counting' : 'count.live')}
          </Text>
        </div>
        {failed ? (
          <Stack gap="sm" align="flex-start">
            <Text size="sm" c="error" role="alert">
              {errorText(query.error)}
            </Text>
            <Button variant="default" size="compact-sm" onClick={() => void query.refetch()}>
              {ui('retry')}
            </Button>
          </Stack>
        ) : (
          <div className={classes.body} data-old={counting || !usable || undefined}>
            <div className={classes.number}>
              {counts && usable ? t('count.people', { count: counts.total, total: format.number(counts.total) }) : '—'}
            </div>
            <Text size="sm" c="dimmed" className={classes.share}>
              {counts && usable
                ? counts.total > 0 &&
                  t('count.share', { percent: format.share(counts.total, counts.customer_percentage) })
                : !usable && t('editor.fixFirst')}
            </Text>
            {usable && unfinished > 0 && (
              <Text size="sm" mt="xs">
                {t('count.unfinished', { count: unfinished, total: format.number(unfinished) })}
              </Text>
            )}
            {copying && (
              <Text size="sm" mt="xs">
                {t('count.copying')}
              </Text>
            )}
            {counts && usable && (
              <Stack gap="md" mt="md">
                {counts.total === 0 ? <Text size="sm">{t('count.nobody')}</Text> : <Reach counts={counts} />}
                {customers.length > 0 && (
                  <div>
                    <Text size="sm" fw={600} mb={4}>
                      {t('count.first')}
                    </Text>
                    <ul className={classes.people}>
                      {customers.map((customer) => (
                        <li key={customer.id}>
                          {customer.name || customer.email || t('table.noName')}
                          {customer.email && customer.name && <span>{customer.email}</span>}
                        </li>
                      ))}
                    </ul>
                    {more > 0 && (
                      <Text size="sm" c="dimmed">
                        {t('count.more', { total: format.number(more) })}
                      </Text>
                    )}
                  </div>
                )}
              </Stack>
            )}
          </div>
        )}
      </Stack>
    </Paper>
  )
}
