import { isDeepStrictEqual } from 'node:util'
import { firstFilled } from './blocks.ts'
import type { FilledTexts } from './filling.ts'
import { type CompiledPart, type CompiledTemplate, compileTemplate } from './liquid.ts'
import type { MessageData } from './data/message-data.ts'
import type { PlainValue } from './parts.ts'
import { type Failure, failureOf, TemplateError } from './checks/template-error.ts'
import { REVIEW_STEPS, SENDING_STEPS, Work } from './work.ts'

/** Short texts that are filled in together, as those of a LINE message: each by itself, and the costs of one recipient's counted as one. */

/** For all texts of one recipient together, as for the parts of one mail. */
const MAX_CHARACTERS = 4 * 1024 * 1024
const KEPT = 8

interface Kept {
  sources: readonly string[]
  templates: CompiledTemplate[]
}
const kept: Kept[] = []

/** Blocks are filled in mails alone. */
function compileText(source: string): CompiledTemplate {
  const block = firstFilled(source)
  if (block) throw new TemplateError(block.tag, source.slice(0, block.start).split('\n').length, 'not_offered')
  return compileTemplate(source, 'text')
}

/** Throws {@link TemplateError}. */
function compile(sources: readonly string[]): CompiledTemplate[] {
  const known = kept.findIndex((one) => isDeepStrictEqual(one.sources, sources))
  const one = known < 0 ? { sources, templates: sources.map(compileText) } : (kept.splice(known, 1)[0] as Kept)
  kept.unshift(one)
  kept.length = Math.min(kept.length, KEPT)
  return one.templates
}

/** The parts of each text, where values alone stand in them; null where it takes the engine, or they cannot be read. */
export function plainTexts(sources: readonly string[]): (string | PlainValue)[][] | null {
  try {
    const templates = compile(sources)
    return templates.every(({ parts }) => parts.every(isPlain))
      ? templates.map(({ parts }) => parts.filter(isPlain))
      : null
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return null
  }
}

const isPlain = (part: CompiledPart): part is string | PlainValue => typeof part === 'string' || 'value' in part

/** The texts of the first recipients, in their order: as many as are made within what one message may cost; at least one. */
export function fillTexts({
  sources,
  recipients,
}: {
  sources: readonly string[]
  recipients: readonly MessageData[]
}): FilledTexts[] {
  let templates: CompiledTemplate[]
  try {
    templates = compile(sources)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const failure = failureOf(error)
    return recipients.map(() => ({ failure }))
  }
  const filled: FilledTexts[] = []
  let steps = 0
  let characters = 0
  for (const data of recipients) {
    if (steps > SENDING_STEPS || characters > MAX_CHARACTERS) break
    const work = new Work(SENDING_STEPS)
    try {
      const texts = templates.map((template) => template.render(data, work))
      characters += texts.reduce((sum, { length }) => sum + length, 0)
      filled.push({ texts })
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      filled.push({ failure: failureOf(error) })
    }
    steps += work.steps
  }
  return filled
}

/** Each text as one person would get it, or why that cannot be. */
export function examineTexts({
  sources,
  data,
}: {
  sources: readonly string[]
  data: MessageData
}): ({ text: string } | { failure: Failure })[] {
  const work = new Work(REVIEW_STEPS)
  return sources.map((source) => {
    try {
      return { text: compileText(source).render(data, work) }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      return { failure: failureOf(error) }
    }
  })
}
