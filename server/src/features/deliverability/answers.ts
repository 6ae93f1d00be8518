import { OTHERS } from '@okaeri/contract/deliverability/routes'
import { receiverOf } from '@okaeri/contract/emails/receivers'
import type { Answer, AnswerRow } from './queries.ts'

/** Different ones that are shown of a receiver. */
const SHOWN = 3
const LONGEST = 300
const HIDDEN = '…'

/**
 * The words of a server without the person: no address, not the part of theirs before the @, and no number of a session, by which the same
 * answer would look like another each time. Every word is looked at once.
 */
export function withoutPerson(words: string, address: string | null): string {
  const local = address?.slice(0, address.lastIndexOf('@')).toLowerCase() ?? ''
  return words
    .slice(0, 4 * LONGEST)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[^\s<>()[\]{}"',;]+/gu, (word) => {
      const bare = word.toLowerCase().replace(/[:.!?]+$/, '')
      if (bare.includes('@') || bare.includes('%40')) return HIDDEN
      if (local !== '' && bare.split(/[:=/]/).includes(local)) return HIDDEN
      return isNumberOfSession(bare) ? HIDDEN : word
    })
    .trim()
    .slice(0, LONGEST)
}

/** `af79cd13be357-8b2e1c2f` and the like; a code, an IP address or a link is none. */
function isNumberOfSession(word: string): boolean {
  if (word.length < 10 || word.includes('://') || /^[\d.-]+$/.test(word) || word.includes('::')) return false
  const digits = word.replace(/\D/g, '').length
  return digits >= 3 && digits < word.length && !/^\d(?:\.\d+)+/.test(word)
}

/** `550 5.1.1`: of domains that are not named, their servers' words may name them. */
const codesOf = (words: string): string => /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(words)?.[0] ?? HIDDEN

/** The last answers of each receiver, those that say the same once. `named`: the receivers that have a line of their own. */
export function answersBy(
  rows: readonly AnswerRow[],
  keyOf: (row: AnswerRow, receiver: string) => string,
  named: ReadonlySet<string>,
): Map<string, Answer[]> {
  const found = new Map<string, Map<string, { count: number; at: Date }>>()
  for (const row of rows) {
    const receiver = receiverOf(row.domain)
    const isNamed = named.has(receiver)
    const words = isNamed ? withoutPerson(row.words, row.address) : codesOf(row.words)
    const key = keyOf(row, isNamed ? receiver : OTHERS)
    const said = found.get(key) ?? new Map<string, { count: number; at: Date }>()
    found.set(key, said)
    const before = said.get(words)
    said.set(words, { count: (before?.count ?? 0) + 1, at: before && before.at > row.at ? before.at : row.at })
  }
  return new Map(
    [...found].map(([key, said]) => [
      key,
      newest([...said].map(([words, { count, at }]) => ({ words, count, at: at.toISOString() }))),
    ]),
  )
}

/** The same words of several days are one. */
export function joinAnswers(answers: readonly Answer[]): Answer[] {
  const said = new Map<string, Answer>()
  for (const answer of answers) {
    const before = said.get(answer.words)
    said.set(answer.words, {
      words: answer.words,
      count: answer.count + (before?.count ?? 0),
      at: before && before.at > answer.at ? before.at : answer.at,
    })
  }
  return newest([...said.values()])
}

const newest = (answers: readonly Answer[]): Answer[] =>
  answers.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, SHOWN)
