import type { LineMessage } from '../../../integrations/line/index.ts'

/** The platform's limits (limits.json). */
const MAX_MESSAGES = 5
const MAX_TEXT = 5000
const MAX_ALT_TEXT = 1500

/**
 * The messages with one line before them that says for whom they were. Where there is no room for another message it stands before the
 * first words of those that are there. The places of emoji are counted from a text's beginning, so such a text is left as it is.
 */
export function nameRecipient(messages: readonly LineMessage[], line: string): LineMessage[] {
  const [first, ...rest] = messages
  if (first && isPlainText(first) && fits(line, first['text'], MAX_TEXT))
    return [{ ...first, text: `${line}\n${first['text']}` }, ...rest]
  if (messages.length < MAX_MESSAGES) return [{ type: 'text', text: line }, ...messages]
  const at = messages.findIndex((message) => isPlainText(message) || 'altText' in message)
  return messages.map((message, place) => (place === at ? begunWith(message, line) : message))
}

function begunWith(message: LineMessage, line: string): LineMessage {
  const [name, limit] = isPlainText(message) ? (['text', MAX_TEXT] as const) : (['altText', MAX_ALT_TEXT] as const)
  return { ...message, [name]: `${line}\n${String(message[name])}`.slice(0, limit) }
}

const isPlainText = (message: LineMessage): message is LineMessage & { text: string } =>
  message.type === 'text' && typeof message['text'] === 'string' && !('emojis' in message)

const fits = (line: string, text: string, limit: number): boolean => line.length + 1 + text.length <= limit
