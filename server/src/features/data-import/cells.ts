import { isEmailAddress, normalizeEmail } from '@okaeri/contract/fields'
import type { RowReason } from '@okaeri/contract/imports/import'
import { DateTime } from 'luxon'

/** What a cell says, or what is wrong with it. An empty cell says nothing and is not read. */
export type Read<T> = { value: T } | { wrong: RowReason }
const good = <T>(value: T): Read<T> => ({ value })
const wrong = (reason: RowReason): { wrong: RowReason } => ({ wrong: reason })

/** Spreadsheets put an apostrophe before what must stay text. Before a letter it is the text's own ('t Hooft). */
export const tidyCell = (cell: string): string => cell.trim().replace(/^['’](?=[\d+\-=@('’])/, '')

/** Longer than any valid address, number, date or word. */
const LONGEST_WORD = 400
/** Half width, without a spreadsheet's apostrophe. A long cell matches no word. */
export const plain = (cell: string): string => {
  const word = cell.trim()
  return word.length > LONGEST_WORD ? '\0' : tidyCell(word.normalize('NFKC').trim().replace(/^'/, ''))
}

/** The largest id that is a number here; no store has one so large. */
const MAX_ID = Number.MAX_SAFE_INTEGER

/** An id of the store platform: digits, or its global form (`gid://shopify/Customer/1`). An id in exponent form has lost digits and is refused. */
export function readId(cell: string): Read<number> {
  const text = plain(cell).replace(/^gid:\/\/shopify\/\w+\//, '')
  if (/^\d+(\.\d+)?e\+?\d+$/i.test(text)) return wrong('id_damaged')
  const digits = /^(\d+)(\.0+)?$/.exec(text)?.[1]
  if (!digits || Number(digits) > MAX_ID) return wrong('not_an_id')
  return good(Number(digits))
}

export function readEmail(cell: string): Read<{ email: string; key: string }> {
  const email = plain(cell).replace(/^mailto:/i, '')
  return isEmailAddress(email) ? good({ email, key: normalizeEmail(email) }) : wrong('not_an_email')
}

/** A number of points: an integer, also with thousands separators. A fraction is refused, not rounded. */
export function readPoints(cell: string): Read<number> {
  const text = plain(cell)
    .replace(/(pt|points?|ポイント|点)$/i, '')
    .trim()
  if (!/^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.0+)?$/.test(text)) return wrong('not_a_number')
  const value = Number(text.replaceAll(',', ''))
  return Math.abs(value) <= 1_000_000_000_000 ? good(value) : wrong('not_a_number')
}

const GRANTED =
  /^(yes|y|true|t|1|on|ok|subscribed|granted|permitted|opt-?in|accepted|confirmed|はい|許可|同意|同意する|あり|有|オン|受信|受信する|配信|配信可|購読|購読中|希望|希望する|可|[○◯〇])$/
const WITHDRAWN =
  /^(unsubscribed|withdrawn|opt-?out|opted out|stopped|cleaned|配信停止|停止|解除|購読解除|拒否|配信拒否|受信拒否|オプトアウト)$/
const SILENT =
  /^(no|n|false|f|0|off|none|never|never subscribed|not subscribed|not_subscribed|not known|pending|to be confirmed|unknown|いいえ|なし|無|オフ|未|未設定|未同意|未確認|確認待ち|不可|希望しない|受信しない|配信しない|不要|[×✕✗])$/

/** Consent given, or clearly withdrawn. A mere "no" may only mean that the customer was never asked, so nothing is written. */
export function readConsent(cell: string): Read<'granted' | 'withdrawn' | null> {
  const text = plain(cell).toLowerCase()
  if (GRANTED.test(text)) return good('granted')
  if (WITHDRAWN.test(text)) return good('withdrawn')
  return SILENT.test(text) ? good(null) : wrong('not_a_consent')
}

const PHONE = /^(\+[1-9]\d{6,14}|0\d{9,10})$/
export function readPhone(cell: string): Read<string> {
  const text = plain(cell).replace(/[\s()‐-―ー−-]/g, '')
  if (PHONE.test(text)) return good(text)
  // Spreadsheets drop the leading zero of 09012345678.
  if (/^[1-9]\d{8,9}$/.test(text)) return good(`0${text}`)
  return wrong('not_a_phone')
}

const LANGUAGES: Record<string, string> = { 日本語: 'ja', japanese: 'ja', jp: 'ja', 英語: 'en', english: 'en' }
export function readLanguage(cell: string): Read<string> {
  const text = plain(cell)
  const named = LANGUAGES[text.toLowerCase()]
  if (named) return good(named)
  return /^[a-z]{2,3}([-_][a-z0-9]{2,8}){0,2}$/i.test(text)
    ? good(text.replaceAll('_', '-').replace(/^[A-Z]+/i, (language) => language.toLowerCase()))
    : wrong('unknown_language')
}

const MAX_TAGS = 250
const MAX_TAG_LENGTH = 255
export function readTags(cell: string): Read<string[]> {
  const tags = tidyCell(cell)
    .split(/[,、，;\n]/)
    .map((tag) => oneLine(tag))
    .filter((tag) => tag !== '')
  if (tags.length > MAX_TAGS) return wrong('too_many_tags')
  return tags.some((tag) => tag.length > MAX_TAG_LENGTH) ? wrong('text_too_long') : good([...new Set(tags)])
}

const oneLine = (text: string): string => text.replace(/[\s\u2028\u2029]+/g, ' ').trim()
const UNREADABLE = /(?![\n\r\t])\p{Cc}/u

/** One line of text; several are joined. */
export function readLine(cell: string, maxLength: number): Read<string> {
  const text = oneLine(tidyCell(cell))
  if (UNREADABLE.test(text) || !text.isWellFormed()) return wrong('unreadable_characters')
  return text.length > maxLength ? wrong('text_too_long') : good(text)
}
export function readText(cell: string, maxLength: number): Read<string> {
  const text = tidyCell(cell)
  if (UNREADABLE.test(text) || !text.isWellFormed()) return wrong('unreadable_characters')
  return text.length > maxLength ? wrong('text_too_long') : good(text)
}

const DAY =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T\s]+(\d{1,2})[:時](\d{1,2})(?:[:分](\d{1,2})(?:\.\d+)?秒?)?\s*(.*))?$/
const OFFSET = /^(?:Z|UTC|GMT|JST|(?:UTC|GMT)?\s*[+-]\d{1,2}:?\d{2})$/i
const FIRST_YEAR = 1900
const LAST_YEAR = 2199

/** An instant as applications write it: ISO 8601, `2026-03-01 09:12:33 UTC`, `2026/3/1 9:12`, `2026年3月1日`. Without a zone, in the merchant's. */
export function readInstant(cell: string, timezone: string): Read<Date> {
  const parts = DAY.exec(plain(cell))
  if (!parts) return wrong('not_a_date')
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const named = parts[7]?.trim() ?? ''
  if (named !== '' && !OFFSET.test(named)) return wrong('not_a_date')
  const zone = named === '' ? timezone : zoneOf(named)
  const at = DateTime.fromObject({ year, month, day, hour, minute, second }, { zone })
  return at.isValid && year >= FIRST_YEAR && year <= LAST_YEAR ? good(at.toJSDate()) : wrong('not_a_date')
}

function zoneOf(named: string): string {
  if (/^(Z|UTC|GMT)$/i.test(named)) return 'utc'
  if (/^JST$/i.test(named)) return 'Asia/Tokyo'
  const [, sign, hours, minutes] = /([+-])(\d{1,2}):?(\d{2})$/.exec(named) ?? []
  return `utc${sign}${hours}:${minutes}`
}

/** A day without a time, as written: a validity ends with a day. */
export function readDay(cell: string, timezone: string): Read<string> {
  const read = readInstant(cell, timezone)
  return 'wrong' in read ? read : good(DateTime.fromJSDate(read.value, { zone: timezone }).toISODate() ?? '')
}

/** Spec §4's states, by the words of other applications. */
export function readRequestStatus(cell: string): Read<'active' | 'sent' | 'deleted'> {
  const text = plain(cell)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '')
  if (
    /^(active|pending|waiting|open|subscribed|requested|new|queued|待機|待機中|受付|受付中|未送信|未通知|登録|登録済|登録済み|有効)$/.test(
      text,
    )
  )
    return good('active')
  if (/^(sent|notified|done|completed|complete|delivered|送信済|送信済み|通知済|通知済み|完了)$/.test(text))
    return good('sent')
  if (
    /^(deleted|cancelled|canceled|unsubscribed|expired|removed|inactive|closed|削除|削除済|削除済み|キャンセル|取消|解除|無効|期限切れ)$/.test(
      text,
    )
  )
    return good('deleted')
  return wrong('unknown_status')
}

/** Only mail is imported: a request for text messages has no address. */
export const readChannel = (cell: string): Read<'email'> =>
  /^(e-?mail|mail|メール|eメール)$/.test(plain(cell).toLowerCase()) ? good('email') : wrong('unknown_channel')
