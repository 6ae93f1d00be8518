/** The year if only month and day are known; a leap year, so that 29 February exists. */
export const YEAR_UNKNOWN = '1004'
const FIRST_YEAR = 1900
const LONGEST_SPELLING = 40

const SPELLINGS = [
  /^(?<y>\d{4})-(?<m>\d{1,2})-(?<d>\d{1,2})(?:[T ].*)?$/,
  /^(?<y>\d{4})\/(?<m>\d{1,2})\/(?<d>\d{1,2})$/,
  /^(?<y>\d{4})\.(?<m>\d{1,2})\.(?<d>\d{1,2})$/,
  /^(?<y>\d{4})年(?<m>\d{1,2})月(?<d>\d{1,2})日?$/,
  /^(?<y>\d{4})(?<m>\d{2})(?<d>\d{2})$/,
  /^(?:--)?(?<m>\d{1,2})-(?<d>\d{1,2})$/,
  /^(?<m>\d{1,2})\/(?<d>\d{1,2})$/,
  /^(?<m>\d{1,2})月(?<d>\d{1,2})日?$/,
]

/** The calendar day that a text names, {@link YEAR_UNKNOWN} if no year is given; null: none. */
function dayIn(text: string): string | null {
  if (text.length > LONGEST_SPELLING) return null
  const tidy = text.normalize('NFKC').trim()
  for (const spelling of SPELLINGS) {
    const parts = spelling.exec(tidy)?.groups
    if (!parts) continue
    const year = parts['y'] ?? YEAR_UNKNOWN
    const day = [year, parts['m']?.padStart(2, '0'), parts['d']?.padStart(2, '0')].join('-')
    return isDay(day) ? day : null
  }
  return null
}
const hasYear = (day: string): boolean => !day.startsWith(`${YEAR_UNKNOWN}-`)

/**
 * Reads a birthday in any of these formats: `1990-04-01`, `1990/4/1`, `1990.4.1`, `1990年4月1日`, `19900401`, `04-01`, `4/1`, `4月1日`, full
 * width too. Returns `YYYY-MM-DD`, with {@link YEAR_UNKNOWN} if no year is given; null if it is not a calendar date, is before 1900 or after
 * `today` (`YYYY-MM-DD`).
 */
export function readBirthday(text: string, today: string): string | null {
  const day = dayIn(text)
  return day && (!hasYear(day) || (Number(day.slice(0, 4)) >= FIRST_YEAR && day <= today)) ? day : null
}

/** No customer is older than this. */
const OLDEST_YEARS = 120

/** What a person typed as their own birthday: the day as {@link readBirthday} answers it, or what is wrong with it. */
export function judgeBirthday(
  text: string,
  today: string,
): { day: string } | { wrong: 'not_a_date' | 'in_future' | 'too_long_ago' } {
  const day = dayIn(text)
  if (day === null) return { wrong: 'not_a_date' }
  if (!hasYear(day)) return { day }
  if (day > today) return { wrong: 'in_future' }
  const oldest = `${String(Number(today.slice(0, 4)) - OLDEST_YEARS).padStart(4, '0')}${today.slice(4)}`
  return day <= oldest ? { wrong: 'too_long_ago' } : { day }
}

/** Whether `YYYY-MM-DD` is an existing day. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
