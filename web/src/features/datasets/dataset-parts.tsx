import { Text } from '@mantine/core'
import type { Dataset, DatasetDifference, DatasetStore } from '@okaeri/contract/datasets/dataset'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { reasonTexts } from '../../app/reasons.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

const tones = { never_fetched: 'neutral', fetching: 'progress', done: 'success', failed: 'danger' } as const

export function DatasetStatus({ dataset }: { dataset: Pick<Dataset, 'status'> }) {
  const t = useWords('datasets')
  return <StatusBadge tone={tones[dataset.status]}>{t(`status.${dataset.status}`)}</StatusBadge>
}

/** The progress of a fetch. */
export function DatasetProgressBar({ dataset }: { dataset: Pick<Dataset, 'progress'> }) {
  const t = useWords('datasets')
  if (!dataset.progress) return null
  const { phase, exported_count, loaded_count, seconds_left } = dataset.progress
  if (phase === 'waiting')
    return (
      <Text size="sm" c="dimmed">
        {t('phase.waiting')}
      </Text>
    )
  const isLoading = phase === 'loading'
  return (
    <Progress
      label={t(`phase.${phase}`)}
      done={isLoading ? loaded_count : exported_count}
      total={isLoading ? Math.max(exported_count, loaded_count) : null}
      secondsLeft={seconds_left}
    />
  )
}

export function DifferenceKinds({ kinds }: { kinds: DatasetDifference['kinds'] }) {
  const t = useWords('datasets')
  const format = useFormat()
  return kinds.map(({ kind, count }) => (
    <Text key={kind} size="sm">
      {t(`kind.${kind}`, { count, total: format.number(count) })}
    </Text>
  ))
}

/** Our reason in the current language; the store's own message unchanged. */
export function FetchError({ error }: { error: string }) {
  const language = useLanguage()
  if (Object.hasOwn(reasonTexts, error)) return reasonTexts[error as keyof typeof reasonTexts][language]
  return <span lang="en">{error}</span>
}

/** Why the store does not answer, and that nothing is lost; or how many webhooks are not processed yet. */
export function StoreNotice({ store }: { store: DatasetStore }) {
  const t = useWords('datasets')
  const format = useFormat()
  if (store.connected)
    return store.webhooks_waiting > 0 ? (
      <Notice>{t('waiting', { count: store.webhooks_waiting, total: format.number(store.webhooks_waiting) })}</Notice>
    ) : null
  const reason = store.reason ?? 'never'
  return (
    <Notice
      tone={reason === 'never' ? 'info' : 'warning'}
      title={t(`absence.${reason}`)}
      action={
        <ButtonLink to={paths.settings()} search={{ tab: 'store' }} variant="default">
          {t('connect')}
        </ButtonLink>
      }
    >
      {reason === 'never'
        ? t('neverText')
        : [store.shop_domain, store.since && t('since', { time: format.dateTime(store.since) }), t('absenceText')]
            .filter(Boolean)
            .join(' · ')}
    </Notice>
  )
}
