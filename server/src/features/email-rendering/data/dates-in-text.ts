import { isInLiquid, liquidSpans } from '../checks/liquid-spans.ts'

/** A year and a day later a member may send last year's mail again; older dates are meant as history. */
const FORGOTTEN_DAYS = 400
/** Without a year: what was two months ago is meant to be past, what was longer ago will come. */
const JUST_PAST_DAYS = 60
const DAY_MS = 86_400_000

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = '(?<name>(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6})\\.?'
const FORMS: readonly RegExp[] = [
  /(?<![\d第])(?:(?<year>20\d\d) {0,2}年 {0,2})?(?<month>1[0-2]|0?[1-9]) {0,2}月 {0,2}(?<day>3[01]|[12]\d|0?[1-9]) {0,2}日(?!間|[目に]?[々])/gu,
  /(?<![\d/.-])(?<year>20\d\d)(?<sign>[/.-])(?<month>1[0-2]|0?[1-9])\k<sign>(?<day>3[01]|[12]\d|0?[1-9])(?![\d/-]|\.\d)/gu,
  // Two numbers alone may be a share, a size or "24/7": only a weekday or the words of a term make a date of them.
  new RegExp(
    `(?<![\\d/.-])(?<month>1[0-2]|0?[1-9])/(?<day>3[01]|[12]\\d|0?[1-9])(?![\\d/])(?=[(（][日月火水木金土](?:・祝)?[)）]|まで|から|より|必着|締切|開催|発売| ?[〜～])`,
    'gu',
  ),
  new RegExp(`\\b${MONTH} (?<day>3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th)?(?:,? (?<year>20\\d\\d))?(?![\\d:%])`, 'giu'),
  new RegExp(
    `(?<!\\d)(?<day>3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th)? (?:of )?${MONTH}(?:,? (?<year>20\\d\\d))?(?!\\d)`,
    'giu',
  ),
]
/** Said of what is meant to be past, or comes again every year. */
const OF_THE_PAST = /創業|設立|創立|創刊|開業|生まれ|誕生日|以来|毎年|例年|since|founded|established|born|every year/iu
const WAS =
  /(?:しました|致しました|でした|ました|おりました|だった)|\b(?:was|were|launched|opened|started|thank you for)\b/iu
/** Between the two days of a term: the first one may be over. */
const TERM =
  /^(?:[(（][^)）\n]{1,6}[)）])?[^。\n]{0,14}?(?:[〜～–—~-]|から|より|\bto\b|\bthrough\b|\buntil\b)[^。\n]{0,8}$/u
const SHORT_TERM =
  /^(?:[(（][^)）\n]{1,6}[)）])? {0,2}[〜～–—~-] {0,2}(?<day>3[01]|[12]\d|0?[1-9])(?!\d|月|\/| {0,2}:)/u

interface FoundDate {
  text: string
  at: number
  end: number
  /** Days since 1970. */
  day: number
}

/**
 * Dates written into a text (a template: what its tags say is not looked at) that are over on `today` (`2026-11-03`, the merchant's day
 * on which it is sent). Of a term (3rd to 10th) the last day counts.
 */
export function pastDatesIn(template: string, today: string): { text: string; at: number }[] {
  const day = Date.parse(`${today}T00:00:00Z`) / DAY_MS
  const spans = liquidSpans(template)
  const dates = FORMS.flatMap((form) => [...template.matchAll(form)])
    .filter(({ index, 0: text }) => !isInLiquid(spans, { start: index, end: index + text.length }))
    .flatMap((match) => dateOf(match, template, day) ?? [])
    .sort((a, b) => a.at - b.at || b.end - a.end)
  const apart = dates.filter(({ at }, n) => n === 0 || at >= (dates[n - 1] as FoundDate).end)
  return apart.filter((date, n) => {
    const next = apart[n + 1]
    if (next && next.at - date.end < 30 && TERM.test(template.slice(date.end, next.at))) return false
    return date.day < day && day - date.day <= FORGOTTEN_DAYS && !isOfThePast(template, date)
  })
}

function dateOf(match: RegExpExecArray, template: string, today: number): FoundDate | null {
  const { year, month, name, day = '' } = match.groups ?? {}
  const number = name ? MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1 : Number(month)
  const end = match.index + match[0].length
  const last = SHORT_TERM.exec(template.slice(end, end + 30))?.groups?.['day']
  const found = nearest(year === undefined ? null : Number(year), number, Number(last ?? day), today)
  return found === null ? null : { text: match[0].trim(), at: match.index, end, day: found }
}

/** Without a year the one in which the day was just past, else the next. */
function nearest(year: number | null, month: number, day: number, today: number): number | null {
  if (year !== null) return daysOf(year, month, day)
  const thisYear = new Date(today * DAY_MS).getUTCFullYear()
  return (
    [thisYear - 1, thisYear, thisYear + 1]
      .map((one) => daysOf(one, month, day))
      .find((one) => one !== null && one >= today - JUST_PAST_DAYS) ?? null
  )
}

function daysOf(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 ? date.getTime() / DAY_MS : null
}

function isOfThePast(template: string, { at, end }: FoundDate): boolean {
  const before =
    template
      .slice(Math.max(0, at - 20), at)
      .split(/[。\n]/u)
      .at(-1) ?? ''
  const after = template.slice(end, end + 60).split(/[。\n!！]/u)[0] ?? ''
  return OF_THE_PAST.test(before) || OF_THE_PAST.test(after.slice(0, 12)) || WAS.test(after) || /\bwas\b/i.test(before)
}
