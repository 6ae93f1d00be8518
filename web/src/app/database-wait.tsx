import { Loader } from '@mantine/core'
import { readiness } from '@okaeri/contract/system/routes'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { queryClient, queryOf } from '../api/queries.ts'
import { isWaiting, onWaitingChanged } from '../api/waiting.ts'
import classes from './database-wait.module.css'
import { useWords } from './i18n.ts'

/** Waiting pages do not all reload at the same moment. */
const SPREAD_MS = 1500
/** Pages begin this much lower while it is shown, so that it covers no title. */
const ROOM = '--database-wait'
const GAP_PX = 8

/** Shows that Okaeri waits for its database, checks whether it is back, and then reloads the shown data. */
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
  const shown = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const notice = waiting && shown.current
    if (!notice) return
    const { style } = document.documentElement
    // It has more lines in a narrower window, or in the other language.
    const observer = new ResizeObserver(() => style.setProperty(ROOM, `${notice.offsetHeight + GAP_PX}px`))
    observer.observe(notice)
    return () => {
      observer.disconnect()
      style.removeProperty(ROOM)
    }
  }, [waiting])
  return (
    <div role="status">
      {waiting && (
        <div ref={shown} className={classes.wait}>
          <Loader size={16} color="currentColor" aria-hidden />
          {t('databaseWait')}
        </div>
      )}
    </div>
  )
}
