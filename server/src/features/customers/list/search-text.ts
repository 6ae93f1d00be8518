import { foldText } from '../../../kernel/folding.ts'

/** Direction marks: invisible, so no one types them. */
const DIRECTIONS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g
const fold = (text: string | null): string => foldText(text ?? '').replace(DIRECTIONS, '')

/** Digits of a phone number as people type it, and the Japanese domestic form of an international one (+81 90 … is 090 …). */
function phoneForms(phone: string): string[] {
  const digits = fold(phone).replace(/\D/g, '')
  if (digits === '') return []
  return digits.startsWith('81') ? [digits, `0${digits.slice(2)}`] : [digits]
}
/** Also the last four digits, which callers are asked for. */
const phoneWords = (phone: string): string[] => phoneForms(phone).flatMap((digits) => [digits, digits.slice(-4)])

/** Longer words are cut; the index takes words of 2,046 bytes. */
const MAX_WORD = 250
/** Enough for the 250 tags of 255 characters a customer can have. */
export const MAX_SEARCH_TEXT = 80_000

const wordsIn = (text: string): string[] =>
  /\s/.test(text) ? text.split(/\s+/).filter((word) => word !== '') : text === '' ? [] : [text]

/** The name as one word in both orders, because many type 山田太郎; and its parts between spaces (van der Berg). */
function nameForms(firstName: string | null, lastName: string | null): string[] {
  const parts = [lastName, firstName].map((name) => wordsIn(fold(name)))
  const [last, first] = parts.map((words) => words.join(''))
  const whole = last && first ? [`${last}${first}`, `${first}${last}`] : [last || first || '']
  return [...whole, ...parts.flatMap((words) => (words.length > 1 ? words : []))]
}

/** The address, its domain, and its parts between dots etc. */
function mailForms(email: string): string[] {
  const at = email.lastIndexOf('@')
  if (at < 1) return [email]
  const parts = email.slice(0, at).split(/[._+-]+/)
  return [email, email.slice(at + 1), ...parts.slice(1)]
}

/** A tag as one word, its parts between spaces, and a marked form to search the whole tag. */
function tagForms(tag: string): string[] {
  const words = wordsIn(fold(tag))
  const whole = words.join('')
  return whole === '' ? [] : [whole, ...(words.length > 1 ? words.slice(1) : []), tagWord(tag)]
}

/** The word that only this tag has; it contains no space. */
export const tagWord = (tag: string): string => `#${wordsIn(fold(tag)).join('_')}`.slice(0, MAX_WORD).toWellFormed()

/**
 * The search text of a customer: words separated by single spaces, each found by its beginning. The only place that defines what a customer is
 * found by.
 */
export function searchTextOf(person: {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  tags: readonly string[] | null
}): string {
  const kept = new Set<string>()
  const keep = (words: readonly string[]): void => {
    for (const word of words) if (word !== '') kept.add(word.length > MAX_WORD ? word.slice(0, MAX_WORD) : word)
  }
  keep(nameForms(person.firstName, person.lastName))
  if (person.email) keep(mailForms(fold(person.email).replace(/\s+/g, '')))
  if (person.phone) keep(phoneWords(person.phone))
  if (person.tags) for (const tag of person.tags) keep(tagForms(tag))
  // Cutting a word may leave half a surrogate pair.
  return [...kept].join(' ').slice(0, MAX_SEARCH_TEXT).toWellFormed()
}

/** The words of a search, folded like the texts: each must be a prefix of a word. A phone number with hyphens is one word. */
export function searchWords(query: string): string[] {
  const folded = fold(query).trim()
  if (/^[\d\s()+‐-―ー-]{4,}$/.test(folded)) return phoneForms(folded).slice(0, 1)
  return [...new Set(wordsIn(folded))].map((word) => word.slice(0, MAX_WORD).toWellFormed())
}
