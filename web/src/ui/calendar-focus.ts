import { useEffect, useRef, useState } from 'react'

/**
 * For a calendar that shows months and years too: what was pressed to get there is gone then, and the focus would be lost with it. It goes to
 * the day, month or year that stands for the value.
 */
export function useCalendarFocus(): { onLevelChange: () => void } {
  const [turns, setTurns] = useState(0)
  const pressedIn = useRef<Element | null>(null)
  useEffect(() => {
    const calendar = pressedIn.current
    pressedIn.current = null
    if (turns > 0) calendar?.querySelector<HTMLElement>('table button[tabindex="0"]')?.focus()
  }, [turns])
  return {
    onLevelChange() {
      pressedIn.current = document.activeElement?.closest('[data-dates-dropdown]') ?? null
      setTurns((before) => before + 1)
    },
  }
}
