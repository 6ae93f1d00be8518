import { ApiError } from '@okaeri/contract/client'
import type { EmailFields } from '@okaeri/contract/emails/email'
import type { z } from 'zod'
import { refresh } from '../../api/queries.ts'
import { changesOf } from './changes.ts'

export type EmailParts = { [Field in keyof typeof EmailFields]?: z.output<(typeof EmailFields)[Field]> } & {
  /** Empty: made from the content. */
  plain_text?: string
}

/** The fields changed here and, to something else, elsewhere since: one of the two texts would be lost. */
export function clashesOf<Fields extends Record<string, string>>(versions: {
  began: Fields
  mine: Fields
  saved: Fields
}): (keyof Fields & string)[] {
  const { began, mine, saved } = versions
  return Object.keys(mine).filter(
    (name) => mine[name] !== began[name] && saved[name] !== began[name] && saved[name] !== mine[name],
  )
}

/** The page says it already, with what can be done: not a second time above that. */
export const withoutClash = <Form extends { failure: ApiError | null }>(form: Form): Form =>
  isClash(form.failure) ? { ...form, failure: null } : form
const isClash = (error: unknown): boolean =>
  error instanceof ApiError && ['email_changed_meanwhile', 'component_changed_meanwhile'].includes(error.reason)

/**
 * Sends what was changed here. The server refuses it if another member has changed the same since it was `seen`; their version is then
 * loaded, so that the page can show it.
 */
export async function saveChanges<Parts extends EmailParts>(
  send: (body: Partial<Parts> & { began: Partial<Parts> }) => Promise<unknown>,
  { began, now, seen }: { began: Parts; now: Parts; seen: Parts },
): Promise<void> {
  const changes: Partial<Parts> = changesOf(began, now)
  const compared = Object.fromEntries(Object.entries(seen).filter(([name]) => name in changes)) as Partial<Parts>
  try {
    await send({ ...changes, began: compared })
  } catch (error) {
    if (isClash(error)) await refresh('emails')
    throw error
  }
  await refresh('emails')
}

/** The lines of a text, each with whether the other has it too. */
export function comparedLines(text: string, other: string): { line: string; differs: boolean }[] {
  const known = new Set(other.split('\n'))
  return text.split('\n').map((line) => ({ line, differs: !known.has(line) }))
}
