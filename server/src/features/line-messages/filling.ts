import type { LineJson } from '@okaeri/contract/line-messages/composing'
import { withEmojiSigns } from '@okaeri/contract/line-messages/limits'
import { PlatformMessage } from '@okaeri/contract/line-messages/platform'
import { textsWithTags, withTexts } from '@okaeri/contract/line-messages/texts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  type FilledTexts,
  fillTexts,
  type MessageData,
  plainTexts,
  type PlainValue,
  plainValue,
} from '../email-rendering/index.ts'
import { placeLinks, placeLinksInJson } from './links.ts'
import type { PreparedLine } from './preparation.ts'

export interface LinePerson {
  data: MessageData
  /** The address by which this person's tap on a link is known; equally long for everybody. */
  linkTo(position: number): string
}
/**
 * The platform's messages of one person as JSON, and the first words in them, without links; or why there are none:
 * `messages.0.text: too_long`, or the template's own error.
 */
export type FilledLine = { json: string; words: string | null } | { failure: string; isTooCostly: boolean }

/** Content made ready for many people: what is the same for all of them is JSON already. */
export interface LineTemplate {
  /**
   * Fills in for the first of these people, in their order: as many as one call may cost, and at least one. What LINE would refuse is a failure
   * of that person alone: it is counted as LINE counts, after filling in. Throws a `TemplateError` for what is at fault for everybody.
   */
  fill(people: readonly LinePerson[]): Promise<FilledLine[]>
}

/** Where values alone stand in its texts no thread is asked for each person. */
export async function openLineTemplate(
  scope: Pick<MerchantScope, 'context' | 'merchantId'>,
  { messages }: Pick<PreparedLine, 'messages'>,
): Promise<LineTemplate> {
  const sources = textsWithTags(messages).map(({ text }) => text)
  const join = joinerOf(messages)
  const plain = sources.length === 0 ? [] : await plainTexts(scope, sources)
  if (plain) return { fill: (people) => Promise.resolve(people.map((person) => fillNow(plain, join, person))) }
  return {
    async fill(people) {
      const filled: FilledTexts[] = await fillTexts(scope, { sources, recipients: people.map(({ data }) => data) })
      return filled.map((one, at) =>
        'failure' in one
          ? { failure: one.failure.message, isTooCostly: one.failure.fault !== 'broken' }
          : join(one.texts, people[at] as LinePerson),
      )
    },
  }
}

type PlainText = readonly (string | PlainValue)[]

function fillNow(plain: readonly PlainText[], join: Make, person: LinePerson): FilledLine {
  let texts: string[]
  try {
    texts = textsOf(plain, person)
  } catch (error) {
    // This person's values are longer than any message: no mistake of others.
    return { failure: error instanceof Error ? error.message : String(error), isTooCostly: false }
  }
  return join(texts, person)
}

/** No messages are longer: values are filled in where other people's messages wait. */
const MAX_CHARACTERS = 250_000

function textsOf(plain: readonly PlainText[], { data }: LinePerson): string[] {
  const texts: string[] = []
  let room = MAX_CHARACTERS
  for (const parts of plain) {
    let text = ''
    for (const part of parts) {
      text += typeof part === 'string' ? part : plainValue(part, data, 'text')
      if (text.length > room) throw new Error('its values are longer than any message')
    }
    room -= text.length
    texts.push(text)
  }
  return texts
}

/** Makes one of the messages of the texts with tags that are in it. */
type Make = (texts: readonly string[], person: LinePerson) => FilledLine

function joinerOf(messages: readonly LineJson[]): Make {
  const parts = messages.map((message, at) => {
    const count = textsWithTags(message).length
    return { count, make: count === 0 && message.type !== 'text' ? makeOnce(message, at) : makeForEach(message, at) }
  })
  return (texts, person) => {
    const made: string[] = []
    let words: string | null = null
    let next = 0
    for (const { count, make } of parts) {
      const one = make(texts.slice(next, next + count), person)
      if ('failure' in one) return one
      next += count
      made.push(one.json)
      words ??= one.words
    }
    return { json: `[${made.join(',')}]`, words }
  }
}

/**
 * For a message that differs by its links alone, which are equally long for everybody: it is checked with the first person. Not for texts,
 * because the places of emoji in them are counted behind links.
 */
function makeOnce(message: LineJson, at: number): Make {
  const source = JSON.stringify(message)
  const said = message['altText']
  const words = typeof said === 'string' ? withoutLinks(said) : null
  let failure: string | null | undefined
  return (_, { linkTo }) => {
    const json = placeLinksInJson(source, linkTo)
    if (failure === undefined) failure = failureOf(JSON.parse(json), at)
    return failure === null ? { json, words } : { failure, isTooCostly: false }
  }
}

function makeForEach(message: LineJson, at: number): Make {
  return (texts, { linkTo }) => {
    let words: string | null = null
    const [filled] = withTexts([message], texts, (text, [, ...place]) => {
      if (place.length === 1 && (place[0] === 'text' || place[0] === 'altText')) words = withoutLinks(text)
      return placeLinks(text, linkTo)
    })
    const failure = failureOf(filled, at)
    return failure === null ? { json: JSON.stringify(filled), words } : { failure, isTooCostly: false }
  }
}

function failureOf(message: unknown, at: number): string | null {
  const issue = PlatformMessage.safeParse(message).error?.issues[0]
  return issue ? `${['messages', at, ...issue.path].join('.')}: ${issue.message}` : null
}

/** For lists, which other people see: a link that tells who follows it is for its recipient alone. */
const withoutLinks = (text: string): string => withEmojiSigns(placeLinks(text, () => ''))
