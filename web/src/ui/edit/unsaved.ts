import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'

let unsavedForms = 0
/** Whether a form on the page has unsaved changes, so that the page must not be left without a question. */
export const hasUnsavedWork = (): boolean => unsavedForms > 0

/** Counts a form's unsaved changes and asks before the page is left by a link, the back button or closing the tab. */
export function useUnsavedGuard(dirty: boolean) {
  useEffect(() => {
    if (!dirty) return
    unsavedForms += 1
    return () => {
      unsavedForms -= 1
    }
  }, [dirty])
  return useBlocker({
    // A change of query on the same page (a tab, a filter) loses nothing.
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })
}
