import { isDeepStrictEqual } from 'node:util'
import { ProductsByBlock } from './checks/charged-tags.ts'
import { type CompiledTemplate, compileTemplate, type Nodes } from './liquid.ts'
import { type MailProduct, type MessageData, type SharedData, sharedGroups } from './data/message-data.ts'
import type { Escape, OwnProducts, Part } from './parts.ts'
import { isFreeOfScripts, withoutScripts } from './checks/scripts.ts'
import { type Failure, failureOf, TemplateError } from './checks/template-error.ts'
import { SENDING_STEPS, Work } from './work.ts'

/** What is the same for everyone who gets a mail. */
export interface MailToFill {
  subject: string
  html: string
  text: string
  shared: SharedData
}
/** A mail compiled for sending: see {@link Part}. */
export interface MailParts {
  subject: Part[]
  html: Part[]
  text: Part[]
}
/** What of {@link MessageData} differs by recipient. */
export type RecipientData = Omit<MessageData, keyof SharedData>

/** The texts of one recipient, by number; or why they are missing. */
export type FilledTexts = { texts: string[] } | { failure: Failure }

/** One answer holds no more, so that a batch of large mails fits the memory. */
const MAX_CHARACTERS = 4 * 1024 * 1024
/** Messages under way at once in one process are a few. */
const KEPT = 8

/** Makes one of the texts a recipient's mail is joined with. */
type Fill = (data: MessageData, work: Work) => string
/** Makes what one block says of a product. */
type MakeCard = (product: MailProduct, work: Work) => string
interface Kept {
  mail: MailToFill
  parts: MailParts
  fills: Fill[]
  cards: MakeCard[]
}
const kept: Kept[] = []

/** Throws {@link TemplateError}. */
function compile(mail: MailToFill): Kept {
  const known = kept.findIndex((one) => isDeepStrictEqual(one.mail, mail))
  const one = known < 0 ? compileKept(mail) : (kept.splice(known, 1)[0] as Kept)
  kept.unshift(one)
  kept.length = Math.min(kept.length, KEPT)
  return one
}

function compileKept(mail: MailToFill): Kept {
  const fills: Fill[] = []
  const cards: MakeCard[] = []
  const work = new Work(SENDING_STEPS)
  const partsOf = (source: string, escape: Escape, { isSubject = false } = {}): Part[] => {
    const template = compileTemplate(source, escape)
    if (escape === 'html' && !isFreeOfScripts(source)) return lookedAt(template, fills)
    const parts: Part[] = []
    for (const part of template.parts) {
      const nodes = typeof part !== 'string' && 'nodes' in part ? part.nodes : null
      const made = nodes ? sameForAll(template, nodes, mail, work) : (part as Part)
      const last = parts.at(-1)
      if (typeof made === 'string' && typeof last === 'string') parts[parts.length - 1] = last + made
      else if (made !== null) parts.push(made)
      else if (nodes)
        parts.push(
          (!isSubject && ownProducts(template, nodes, cards)) || {
            text: fills.push((data, spent) => template.renderNodes(nodes, data, spent)) - 1,
          },
        )
    }
    return parts
  }
  const parts = {
    subject: partsOf(mail.subject, 'text', { isSubject: true }),
    html: partsOf(mail.html, 'html'),
    text: partsOf(mail.text, 'text'),
  }
  return { mail, parts, fills, cards }
}

/** A block of products whose cards are made once for all. */
function ownProducts(template: CompiledTemplate, nodes: Nodes, cards: MakeCard[]): OwnProducts | null {
  const [block] = nodes
  const each = nodes.length === 1 && block instanceof ProductsByBlock ? block.cardOfEach() : null
  if (!each) return null
  const number = cards.push((product, work) => template.renderNodes(each.card, { product }, work)) - 1
  const otherwise = template.renderNodes(each.otherwise, {}, new Work(SENDING_STEPS))
  return { card: number, choice: each.choice, otherwise }
}

/** HTML in which a script could come about by what its tags say: each recipient's is looked at as a whole. */
function lookedAt(template: CompiledTemplate, fills: Fill[]): Part[] {
  if (template.parts.every((part) => typeof part === 'string')) return [withoutScripts(template.parts.join('')).html]
  return [{ text: fills.push((data, work) => withoutScripts(template.render(data, work)).html) - 1 }]
}

const SHARED = new Set<string>(sharedGroups)
/** What asks of the store alone (`{% if store.contact_phone %}` in a footer) says the same to everyone. */
function sameForAll(template: CompiledTemplate, nodes: Nodes, { shared }: MailToFill, work: Work): string | null {
  if (template.groupsRead(nodes).some((group) => !SHARED.has(group))) return null
  try {
    return template.renderNodes(nodes, shared, work)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return null
  }
}

export function compileMail(mail: MailToFill): { parts: MailParts } | { failure: Failure } {
  try {
    return { parts: compile(mail).parts }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { failure: failureOf(error) }
  }
}

/** The texts of the first recipients, in their order: as many as are made within what one mail may cost and one answer holds; at least one. */
export function fillMails({
  mail,
  recipients,
}: {
  mail: MailToFill
  recipients: readonly RecipientData[]
}): FilledTexts[] {
  const { fills } = compile(mail)
  return filledEach(recipients, (recipient, work) => fills.map((fill) => fill({ ...mail.shared, ...recipient }, work)))
}

/** What the mail's blocks say of the first of these products, in their order, as many as {@link fillMails} would fill in. */
export function makeCards({ mail, products }: { mail: MailToFill; products: readonly MailProduct[] }): FilledTexts[] {
  const { cards } = compile(mail)
  return filledEach(products, (product, work) => cards.map((card) => card(product, work)))
}

function filledEach<T>(some: readonly T[], make: (one: T, work: Work) => string[]): FilledTexts[] {
  const filled: FilledTexts[] = []
  let steps = 0
  let characters = 0
  for (const one of some) {
    if (steps > SENDING_STEPS || characters > MAX_CHARACTERS) break
    const work = new Work(SENDING_STEPS)
    try {
      const texts = make(one, work)
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
