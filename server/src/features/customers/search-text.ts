import { foldText } from '../../kernel/folding.ts'

/** Digits of a phone number as people type it, and the Japanese domestic form of an international one (+81 90 … is 090 …). */
function phoneForms(phone: string): string[] {
  const digits = foldText(phone).replace(/\D/g, '')
  if (digits === '') return []
  return digits.startsWith('81') ? [digits, `0${digits.slice(2)}`] : [digits]
}

/** Longer texts are cut: the column stands in an index. */
const MAX_SEARCH_TEXT = 400

/** What people type to find someone. Names stand in both orders without a space, since many type 山田太郎. */
export function searchTextOf(person: {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
}): string {
  const [first, last] = [person.firstName, person.lastName].map((name) => foldText(name ?? '').replace(/\s+/g, ''))
  const names = first && last ? [`${last}${first}`, `${first}${last}`] : [first || last || '']
  return [...names, foldText(person.email ?? ''), ...phoneForms(person.phone ?? '')]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, MAX_SEARCH_TEXT)
}

/** The words of a search, folded as the texts are: all must occur. A phone number with its hyphens is one word. */
export function searchWords(query: string): string[] {
  const folded = foldText(query).trim()
  if (/^[\d\s()+‐-―ー-]{4,}$/.test(folded)) return phoneForms(folded).slice(0, 1)
  return folded.split(/\s+/).filter((word) => word !== '')
}
