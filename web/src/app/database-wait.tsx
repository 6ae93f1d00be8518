import { Loader } from '@mantine/core'
import { readiness } from '@okaeri/contract/system/routes'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { queryClient, queryOf } from '../api/queries.ts'
import { isWaiting, onWaitingChanged } from '../api/waiting.ts'
import classes from './database-wait.module.css'
import { useWords } from './i18n.ts'

/** Pages that wait do not all ask in the moment it is back. */
const SPREAD_MS = 1500

/** Says that Okaeri waits for its database, looks whether it is back, and has what is shown asked anew then. */
export function DatabaseWait() {
  const t = useWords('shell')
  const waiting = useSyncExternalStore(onWaitingChanged, isWaiting)
  useQuery({ ...queryOf(readiness, {}), enabled: waiting, refetchInterval: 5000 })
  const waited = useRef(false)
  useEffect(() => {
    const isBack = waited.current && !waiting
    waited.current = waiting
    if (!isBack) return
    const timer = setTimeout(() => void queryClient.invalidateQueries(), Math.random() * SPREAD_MS)
    return () => clearTimeout(timer)
  }, [waiting])
  return (
    <div role="status">
      {waiting && (
        <div className={classes.wait}>
          <Loader size={16} color="currentColor" aria-hidden />
          {t('databaseWait')}
        </div>
      )}
    </div>
  )
}
