import { foldText } from '../../kernel/folding.ts'

/** What turns the direction of writing: not seen, so not typed either. */
const DIRECTIONS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g
const fold = (text: string | null): string => foldText(text ?? '').replace(DIRECTIONS, '')

/** Digits of a phone number as people type it, and the Japanese domestic form of an international one (+81 90 … is 090 …). */
function phoneForms(phone: string): string[] {
  const digits = fold(phone).replace(/\D/g, '')
  if (digits === '') return []
  return digits.startsWith('81') ? [digits, `0${digits.slice(2)}`] : [digits]
}
/** Also the last four digits, as a caller is asked for them. */
const phoneWords = (phone: string): string[] => phoneForms(phone).flatMap((digits) => [digits, digits.slice(-4)])

/** More of a word is not searched by; the index takes words of 2,046 bytes. */
const MAX_WORD = 250
/** Enough for the 250 tags of 255 characters a customer can have. */
export const MAX_SEARCH_TEXT = 80_000

const wordsIn = (text: string): string[] =>
  /\s/.test(text) ? text.split(/\s+/).filter((word) => word !== '') : text === '' ? [] : [text]

/** The name in one word in both orders, since many type 山田太郎; and what stands in it between spaces (van der Berg). */
function nameForms(firstName: string | null, lastName: string | null): string[] {
  const parts = [lastName, firstName].map((name) => wordsIn(fold(name)))
  const [last, first] = parts.map((words) => words.join(''))
  const whole = last && first ? [`${last}${first}`, `${first}${last}`] : [last || first || '']
  return [...whole, ...parts.flatMap((words) => (words.length > 1 ? words : []))]
}

/** The address, what follows its @, and what stands in it between dots and the like. */
function mailForms(email: string): string[] {
  const at = email.lastIndexOf('@')
  if (at < 1) return [email]
  const parts = email.slice(0, at).split(/[._+-]+/)
  return [email, email.slice(at + 1), ...parts.slice(1)]
}

/** A tag in one word, what stands in it between spaces, and marked, so that the whole tag can be asked for. */
function tagForms(tag: string): string[] {
  const words = wordsIn(fold(tag))
  const whole = words.join('')
  return whole === '' ? [] : [whole, ...(words.length > 1 ? words.slice(1) : []), tagWord(tag)]
}

/** The word that only this tag gives; it contains no space. */
export const tagWord = (tag: string): string => `#${wordsIn(fold(tag)).join('_')}`.slice(0, MAX_WORD).toWellFormed()

/**
 * What people type to find someone: words separated by single spaces, each found by its beginning. The one place that says what a
 * customer is found by.
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
  // Where a word was cut a half character may be left.
  return [...kept].join(' ').slice(0, MAX_SEARCH_TEXT).toWellFormed()
}

/** The words of a search, folded as the texts are: each must begin one of them. A phone number with its hyphens is one word. */
export function searchWords(query: string): string[] {
  const folded = fold(query).trim()
  if (/^[\d\s()+‐-―ー-]{4,}$/.test(folded)) return phoneForms(folded).slice(0, 1)
  return [...new Set(wordsIn(folded))].map((word) => word.slice(0, MAX_WORD).toWellFormed())
}
