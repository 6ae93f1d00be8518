import { wrongFlexOf } from '@okaeri/contract/line-messages/flex-source'
import { type LineAction, LineMessageFields, type LineMessagePart } from '@okaeri/contract/line-messages/message'
import { z } from 'zod'
import type { useEditForm } from '../../ui/edit/edit-form.ts'

/** What is edited. */
export type LineValues = {
  name: string
  messages: LineMessagePart[]
  quick_replies: LineAction[]
}
export type LineForm = ReturnType<typeof useEditForm<LineValues>>

export const LineSchema = z.object(LineMessageFields).superRefine(({ messages }, context) => {
  for (const [path, message] of Object.entries(wrongFlexOf(messages)))
    context.addIssue({ code: 'custom', path: path.split('.'), message })
})

/** In the list another place; everything else in its order. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, at) => at !== from)
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)]
}
export const replaced = <T>(list: readonly T[], at: number, item: T): T[] =>
  list.map((each, place) => (place === at ? item : each))
export const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, place) => place !== at)
