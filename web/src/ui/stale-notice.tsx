import { ApiError } from '@okaeri/contract/client'
import { useQueryClient } from '@tanstack/react-query'
import { IconCloudOff } from '@tabler/icons-react'
import { useCallback, useSyncExternalStore } from 'react'
import { useFormat } from '../app/format.ts'
import { useWords } from '../app/i18n.ts'
import { useErrorText } from '../app/reasons.ts'
import classes from './stale-notice.module.css'

interface Stale {
  /** When the shown data was last fetched, in milliseconds; 0 if never. */
  dataUpdatedAt: number
  error: Error | null
}

/** The oldest shown data that could not be loaded again; null if all data on the page is fresh. */
function useOldestStale(): Stale | null {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((changed: () => void) => cache.subscribe(changed), [cache])
  return useSyncExternalStore(subscribe, () => {
    let oldest: Stale | null = null
    for (const query of cache.getAll()) {
      const { data, status, fetchStatus, dataUpdatedAt } = query.state
      // `paused`: the browser knows that there is no network. A failed query without earlier data shows its own error.
      const failing = (fetchStatus === 'paused' || (data !== undefined && status === 'error')) && query.isActive()
      if (failing && (oldest === null || dataUpdatedAt < oldest.dataUpdatedAt)) oldest = query.state
    }
    return oldest
  })
}

/** Shows that the data on the page is old because the server did not answer; disappears when it does. */
export function StaleNotice() {
  const t = useWords('ui')
  const format = useFormat()
  const errorText = useErrorText()
  const stale = useOldestStale()
  if (!stale) return null
  if (stale.dataUpdatedAt === 0)
    return (
      <div className={classes.stale} role="status">
        <IconCloudOff size={18} aria-hidden />
        {t('stale.offline')}
      </div>
    )
  const since = new Date(stale.dataUpdatedAt).toISOString()
  const today = format.date(since) === format.date(new Date().toISOString())
  const time = today ? format.time(since) : format.dateTime(since)
  const refused = stale.error instanceof ApiError && stale.error.status >= 400 && stale.error.status < 500
  return (
    <div className={classes.stale} role="status">
      <IconCloudOff size={18} aria-hidden />
      {refused ? t('stale.refused', { time, error: errorText(stale.error) }) : t('stale.trying', { time })}
    </div>
  )
}
