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

/**
 * Reads a birthday in any of these formats: `1990-04-01`, `1990/4/1`, `1990.4.1`, `1990年4月1日`, `19900401`, `04-01`, `4/1`, `4月1日`, full
 * width too. Answers `YYYY-MM-DD`, with {@link YEAR_UNKNOWN} if no year is given; null if it is not a calendar date, is before 1900 or after
 * `today` (`YYYY-MM-DD`).
 */
export function readBirthday(text: string, today: string): string | null {
  if (text.length > LONGEST_SPELLING) return null
  const tidy = text.normalize('NFKC').trim()
  for (const spelling of SPELLINGS) {
    const parts = spelling.exec(tidy)?.groups
    if (!parts) continue
    const year = parts['y'] ?? YEAR_UNKNOWN
    const day = [year, parts['m']?.padStart(2, '0'), parts['d']?.padStart(2, '0')].join('-')
    return isDay(day) && (year === YEAR_UNKNOWN || (Number(year) >= FIRST_YEAR && day <= today)) ? day : null
  }
  return null
}

/** Whether `YYYY-MM-DD` is an existing day. */
export function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
