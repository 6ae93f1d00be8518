import { useEffect, useRef, useState } from 'react'
import { useFormat } from '../app/format.ts'
import { useWords } from '../app/i18n.ts'

/** What a calendar says in the current language, to the eye and to screen readers; and where its focus goes. */
export function useCalendar() {
  const t = useWords('ui')
  const { pickers, spokenDay } = useFormat()
  return {
    ...useFocusOfLevels(),
    monthLabelFormat: pickers.month,
    yearLabelFormat: pickers.year,
    getDayAriaLabel: spokenDay,
    ariaLabels: {
      nextMonth: t('calendar.nextMonth'),
      previousMonth: t('calendar.previousMonth'),
      nextYear: t('calendar.nextYear'),
      previousYear: t('calendar.previousYear'),
      nextDecade: t('calendar.nextDecade'),
      previousDecade: t('calendar.previousDecade'),
    },
  }
}

/**
 * For a calendar that shows months and years too: what was pressed to get there is gone then, and the focus would be lost with it. It goes to
 * the day, month or year that stands for the value.
 */
function useFocusOfLevels(): { onLevelChange: () => void } {
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
