import type { Locale } from '@okaeri/contract/locale'
import { EMOJI, withoutTags } from '@okaeri/contract/line-messages/limits'
import type { LineMessage, LineMessageContent, LineMessageSummary } from '@okaeri/contract/line-messages/message'
import type { CheckedByLine } from '@okaeri/contract/line-messages/routes'
import { lineSamples, type SampleKey, sampleKeys } from '@okaeri/contract/line-messages/samples'
import type { Page } from '@okaeri/contract/paging'
import type { ProgramUse } from '@okaeri/contract/program-use'
import { isDeepStrictEqual } from 'node:util'
import { conflict, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant, nameOfCopy } from '../merchants/index.ts'
import { examineLineMessage } from './examination.ts'
import {
  findLineMessage,
  insertLineMessage,
  type LineMessageRow,
  type LineMessageSort,
  markLineMessageDeleted,
  selectLineMessages,
  updateLineMessage,
} from './queries.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** The campaigns not yet done, and the scenarios, that a LINE message cannot be taken from. */
    programsUsingLineMessage(scope: MerchantScope, lineMessageId: string): Promise<ProgramUse[]>
  }
}

type Written = LineMessageContent & { name: string }
type Parts = { [K in keyof Written]?: Written[K] | undefined }
interface Saved {
  line_message: LineMessage
  checked_by_line: CheckedByLine
}

export async function listLineMessages(
  scope: MerchantScope,
  query: LineMessageSort & { q?: string | undefined; limit: number; offset: number },
): Promise<Page<LineMessageSummary>> {
  const { rows, total } = await selectLineMessages(scope, query)
  const data = rows.map((row): LineMessageSummary => {
    const { messages, quick_replies: _, ...others } = present(row)
    return { ...others, types: messages.map(({ type }) => type), begin: beginOf(row) }
  })
  return { data, limit: query.limit, offset: query.offset, total }
}

const MAX_BEGIN = 120
function beginOf({ messages }: LineMessageContent): string {
  const [first] = messages
  const words = first && ('alt_text' in first ? first.alt_text : first.text)
  return [
    ...withoutTags(words ?? '')
      .replace(EMOJI, '')
      .trim(),
  ]
    .slice(0, MAX_BEGIN)
    .join('')
}

const present = ({ created_at, updated_at, ...row }: LineMessageRow): LineMessage => ({
  ...row,
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})

export async function getLineMessage(scope: MerchantScope, id: string): Promise<LineMessage> {
  return present(await getRow(scope, id))
}

export async function getRow(scope: MerchantScope, id: string, options?: { lock: boolean }): Promise<LineMessageRow> {
  const row = await findLineMessage(scope, id, options)
  if (!row) throw notFound('there is no such LINE message')
  return row
}

export async function createLineMessage(scope: MerchantScope, written: Written): Promise<Saved> {
  const checked_by_line = await examineLineMessage(scope, written)
  const id = newId()
  await insertLineMessage(scope, { ...written, id })
  return { line_message: await getLineMessage(scope, id), checked_by_line }
}

/** Throws `line_message_changed_meanwhile` for a field that is neither what the person began from nor what they want. */
export async function changeLineMessage(
  scope: MerchantScope,
  id: string,
  change: Parts & { began?: Parts | undefined },
): Promise<Saved> {
  const { began = {}, ...wanted } = change
  const named = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Parts
  const changed = (before: LineMessageRow): LineMessageRow => {
    const lost = (Object.keys(named) as (keyof Written)[]).filter(
      (field) =>
        began[field] !== undefined &&
        !isDeepStrictEqual(before[field], began[field]) &&
        !isDeepStrictEqual(before[field], named[field]),
    )
    if (lost.length > 0) throw conflict('line_message_changed_meanwhile', `saved by someone else: ${lost.join(', ')}`)
    return { ...before, ...named } as LineMessageRow
  }
  // Looked at without holding anything: threads and LINE take their time.
  const seen = changed(await getRow(scope, id))
  const checked_by_line = await examineLineMessage(scope, seen)
  const saved = await scope.transaction(async (scope) => {
    const after = changed(await getRow(scope, id, { lock: true }))
    if (!isSameContent(seen, after)) return null
    await updateLineMessage(scope, after)
    return getLineMessage(scope, id)
  })
  // Another member saved it in between.
  return saved ? { line_message: saved, checked_by_line } : changeLineMessage(scope, id, change)
}

const isSameContent = (one: LineMessageContent, other: LineMessageContent): boolean =>
  isDeepStrictEqual(one.messages, other.messages) && isDeepStrictEqual(one.quick_replies, other.quick_replies)

export function deleteLineMessage(scope: MerchantScope, id: string): Promise<void> {
  return scope.transaction(async (scope) => {
    await getRow(scope, id, { lock: true })
    const users = await scope.context.ports.programsUsingLineMessage(scope, id)
    if (users.length > 0) throw conflict('line_message_in_use', `used by ${users.map(({ name }) => name).join(', ')}`)
    await markLineMessageDeleted(scope, id)
  })
}

export async function duplicateLineMessage(scope: MerchantScope, id: string, language?: Locale): Promise<LineMessage> {
  const { name, messages, quick_replies } = await getRow(scope, id)
  const copy = { id: newId(), name: await nameOfCopy(scope, name, language), messages, quick_replies }
  await insertLineMessage(scope, copy)
  return getLineMessage(scope, copy.id)
}

export async function listLineSamples(
  scope: MerchantScope,
  given?: Locale,
): Promise<({ key: SampleKey; name: string; about: string } & LineMessageContent)[]> {
  const language = given ?? (await getMerchant(scope)).language
  return sampleKeys.map((key) => {
    const { content, ...sample } = lineSamples[key][language]
    return { key, ...sample, ...content }
  })
}
