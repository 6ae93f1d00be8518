import { answerCalls } from '../../kernel/work/thread-calls.ts'
import { prepareContent } from './content.ts'
import type { DesignToCompile } from './design/design-mjml.ts'
import { selfContained } from './design/design-typed.ts'
import { examineMail, renderKept } from './checks/examination.ts'
import { compileMail, fillMails, makeCards } from './filling.ts'
import { variablesOf } from './liquid.ts'
import { plainText } from './plain-text.ts'
import { examineTexts, fillTexts, plainTexts } from './texts.ts'
import { eventFieldsNeeded, variablesUsed } from './checks/variables-used.ts'

/** All that is done with what people write in Liquid. This file is a thread's program. */
const calls = {
  examineMail,
  renderKept,
  prepareContent,
  // MJML takes room that most threads never need.
  compileDesign: async (design: DesignToCompile): Promise<string> =>
    (await import('./design/design.ts')).compileDesign(design),
  /** For each text, what closes everything it leaves open; null where it leaves nothing open. */
  closedTexts: (texts: readonly string[]): (string | null)[] =>
    texts.map((text) => {
      const closed = selfContained(text)
      return closed === text ? null : closed
    }),
  compileMail,
  fillMails,
  makeCards,
  fillTexts,
  plainTexts,
  examineTexts,
  /** The plain-text part of each template of HTML. */
  textsOfHtml: (sources: readonly string[]): string[] => sources.map(plainText),
  variables: (templates: readonly string[]): string[][] => templates.flatMap(variablesOf),
  variablesUsed: (templates: readonly string[]) => variablesUsed(...templates),
  eventFieldsNeeded: (templates: readonly string[]) => eventFieldsNeeded(...templates),
}
export type RenderingCalls = typeof calls

answerCalls(calls)
