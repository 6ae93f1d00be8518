import { useMemo } from 'react'
import { useLanguage } from '../../app/i18n.ts'

/** Every zone the browser knows, found by its id, its name in the language shown, or its distance from GMT. */
export function useTimeZones(): { value: string; label: string }[] {
  const language = useLanguage()
  return useMemo(() => {
    const now = new Date()
    const part = (zone: string, timeZoneName: 'long' | 'shortOffset') =>
      new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName })
        .formatToParts(now)
        .find(({ type }) => type === 'timeZoneName')?.value
    return Intl.supportedValuesOf('timeZone').map((zone) => ({
      value: zone,
      label: `${zone} (${part(zone, 'long')}, ${part(zone, 'shortOffset')})`,
    }))
  }, [language])
}
