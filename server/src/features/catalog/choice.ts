import { Id } from '@okaeri/contract/fields'
import { invalid } from '../../kernel/errors.ts'
import { foldText } from '../../kernel/folding.ts'

/** The query of a picker: typed words, or our ids of the chosen items. */
export interface Choice {
  q?: string | undefined
  ids?: string | undefined
  limit: number
  offset: number
}

export const wordsOf = (q: string | undefined): string[] =>
  foldText(q ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')

/** Throws `invalid` for a text that is not an id. */
export function readChoice({ q, ids }: Choice): { words: string[]; ids: string[] | null } {
  if (ids === undefined || ids === '') return { words: wordsOf(q), ids: null }
  const list = ids.split(',').map((id) => id.trim())
  if (!list.every((id) => Id.safeParse(id).success)) throw invalid({ ids: 'not_an_id' })
  return { words: wordsOf(q), ids: list }
}
