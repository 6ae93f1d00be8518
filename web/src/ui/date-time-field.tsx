import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates'
import { useFormat } from '../app/format.ts'
import { useWords } from '../app/i18n.ts'
import { useCalendar } from './calendar.ts'
import classes from './date-time-field.module.css'

/** A day and a time of day, as wall time. */
export function DateTimeField(props: DateTimePickerProps) {
  const t = useWords('ui')
  const { pickers } = useFormat()
  const calendar = useCalendar(props)
  return (
    <DateTimePicker
      valueFormat={pickers.dateTime}
      {...calendar}
      // A larger level drops the focus out of the calendar; times to plan are a few months away at most.
      maxLevel="month"
      timePickerProps={{
        format: '24h',
        hoursInputLabel: t('time.hours'),
        minutesInputLabel: t('time.minutes'),
      }}
      submitButtonProps={{ 'aria-label': t('time.take') }}
      clearButtonProps={{ 'aria-label': t('time.clear') }}
      classNames={{ day: classes.day ?? '' }}
      {...props}
    />
  )
}
