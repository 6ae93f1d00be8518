import dayjs from 'dayjs'
import { useEffect, useRef, useState } from 'react'
import { useFormat } from '../app/format.ts'
import { useWords } from '../app/i18n.ts'

/** What the calendar chooses from. `value`: the chosen day, or the first and last; all begin with YYYY-MM-DD. */
interface Chosen {
  value?: unknown
  minDate?: unknown
  maxDate?: unknown
}

/** What a calendar says in the current language, to the eye and to screen readers; and where its focus goes. */
export function useCalendar(chosen?: Chosen) {
  const t = useWords('ui')
  const { pickers, spokenDay } = useFormat()
  return {
    ...useFocusOfLevels(),
    ...(chosen && focusWhenOpened(chosen)),
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
 * A calendar that opens puts the focus on the chosen day, or today: otherwise it would stand on the arrow to another month, and keys that choose a
 * day would turn months. Where neither may be chosen, it is the nearest day that may.
 */
function focusWhenOpened({ value, minDate, maxDate }: Chosen) {
  const [first] = Array.isArray(value) ? (value as unknown[]) : [value]
  const wanted = dayOf(first) ?? dayjs().format('YYYY-MM-DD')
  const [least, most] = [dayOf(minDate), dayOf(maxDate)]
  const day = least !== null && wanted < least ? least : most !== null && wanted > most ? most : wanted
  return { getDayProps: (date: string) => (date === day ? { 'data-autofocus': true } : {}) }
}
const dayOf = (given: unknown): string | null => (typeof given === 'string' && given !== '' ? given.slice(0, 10) : null)

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
