import { useFormat } from '../app/format.ts'
import { useWords } from '../app/i18n.ts'

/** What a calendar says in the current language, to the eye and to screen readers. */
export function useCalendar() {
  const t = useWords('ui')
  const { pickers, spokenDay } = useFormat()
  return {
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
