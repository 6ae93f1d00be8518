import { useDebouncedValue } from '@mantine/hooks'
import { composeLine, fieldOf, type LineJson } from '@okaeri/contract/line-messages/composing'
import { readFlex } from '@okaeri/contract/line-messages/flex-source'
import type { LineMessageContent, LineMessagePart } from '@okaeri/contract/line-messages/message'
import { PlatformMessage } from '@okaeri/contract/line-messages/platform'
import { previewLineTexts } from '@okaeri/contract/line-messages/routes'
import { textsWithTags, withTexts } from '@okaeri/contract/line-messages/texts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'

/** A message of the platform, or a place where Flex cannot be read. */
export type DrawnMessage = LineJson

const PREVIEW_DELAY_MS = 400

export interface FilledMessage {
  messages: DrawnMessage[]
  /** What is wrong only with these values: the field as written, and the contract's reason. */
  problems: { field: string; reason: string }[]
  /** Templates that cannot be filled in: the engine's words. */
  broken: string[]
  stale: boolean
  error: Error | null
}

/**
 * What is being written, filled in for a customer, or for someone invented. Half-written messages are drawn too; the server is asked for the
 * texts with tags alone, once for each wording.
 */
export function useFilledMessage(content: LineMessageContent, customerId: string | null): FilledMessage {
  const composed = useMemo(() => content.messages.map(drawable), [content.messages])
  const texts = useMemo(() => textsWithTags(composed).map(({ text }) => text), [composed])
  const question = JSON.stringify({ texts, customer_id: customerId })
  const [asked] = useDebouncedValue(question, PREVIEW_DELAY_MS)
  const query = useQuery({
    queryKey: [previewLineTexts.area, previewLineTexts.path, asked],
    queryFn: async ({ signal }) => {
      const body = JSON.parse(asked) as { texts: string[]; customer_id: string | null }
      return { for: asked, texts: (await call(previewLineTexts, { body, signal })).texts }
    },
    enabled: texts.length > 0 && asked === question,
    placeholderData: keepPreviousData,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  })
  const answered = query.data
  const isCurrent = texts.length === 0 || answered?.for === question
  return useMemo(() => {
    const given = texts.map((text, at) => (isCurrent ? (answered?.texts[at]?.text ?? text) : text))
    const messages = withTexts(composed, given)
    return {
      messages,
      problems: isCurrent ? problemsOf(messages, composed, content) : [],
      broken: isCurrent && texts.length > 0 ? (answered?.texts ?? []).flatMap(({ problem }) => problem ?? []) : [],
      stale: !isCurrent,
      error: query.error,
    }
  }, [composed, texts, answered, isCurrent, content, query.error])
}

function drawable(part: LineMessagePart): DrawnMessage {
  if (part.type === 'flex' && 'problems' in readFlex(part.json)) return { type: 'unreadable' }
  return composeLine({ messages: [part], quick_replies: [] })[0] ?? { type: 'unreadable' }
}

/** Problems of the filled-in text only: what is missing or too long as written is shown at its field. */
function problemsOf(
  messages: readonly DrawnMessage[],
  composed: readonly DrawnMessage[],
  content: LineMessageContent,
): FilledMessage['problems'] {
  const filled = new Set(textsWithTags(composed).map(({ path }) => path.join('.')))
  return messages.flatMap((message, at) => {
    if (message.type === 'unreadable') return []
    return (PlatformMessage.safeParse(message).error?.issues ?? [])
      .map(({ path, message: reason }) => ({ path: [at, ...path], reason }))
      .filter(({ path }) => filled.has(path.join('.')))
      .map(({ path, reason }) => ({ field: fieldOf(path, content), reason }))
  })
}
