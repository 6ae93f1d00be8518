import { MAX_COMPONENT_DEPTH } from '@okaeri/contract/emails/component'
import { componentTag } from '@okaeri/contract/emails/component-key'
import type { Locale } from '@okaeri/contract/locale'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { closedComponents } from './closed-components.ts'
import { textsOfHtml } from '../email-rendering/index.ts'
import { listComponentContents } from './component-queries.ts'
import { componentKeysIn, type ExpandedContent, withComponents } from './component-tags.ts'
import { listTypedContents, type TypedContent } from './queries.ts'
import { isTextBehind, type LanguageContent, type Variant } from './variant.ts'

/**
 * The content as it will be sent: each component in the place of its tag, as the merchant wrote it last. In a mail made of blocks what a component
 * leaves open is closed; in one written as code its halves may stand in two.
 */
export async function expandComponents(
  scope: MerchantScope,
  { content, design }: { content: string; design?: object | null },
): Promise<ExpandedContent> {
  const known = await readWithin(scope, content)
  if (!design || known.size === 0) return withComponents(content, known)
  // Closed with all that stands within it: what is closed by itself can still be open within a script or a value of another.
  const whole = componentKeysIn(content).map((key) => [key, withComponents(componentTag(key), known)] as const)
  const there = whole.filter(([, { typedLines }]) => typedLines !== null)
  const closedOf = await closedComponents(
    scope,
    there.map(([, { content }]) => content),
  )
  return withComponents(
    content,
    // One that cannot be read stays a tag, which is found.
    new Map(there.map(([key, { content }]) => [key, closedOf(content)] as const).filter(isRead)),
  )
}

/** The components that stand in a content, at any depth, by their keys. */
async function readWithin(scope: MerchantScope, content: string): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  let wanted = componentKeysIn(content)
  // Level by level: few contents have components, and those hold few others.
  for (let depth = 1; wanted.length > 0 && depth <= MAX_COMPONENT_DEPTH; depth += 1) {
    const found = await listComponentContents(scope, wanted)
    for (const { key, content } of found) known.set(key, content)
    wanted = [...new Set(found.flatMap(({ components }) => components))].filter((key) => !known.has(key))
  }
  return known
}

export const listComponentsWithin = async (scope: MerchantScope, content: string): Promise<string[]> => [
  ...(await readWithin(scope, content)).keys(),
]

const isRead = (entry: readonly [string, string | undefined]): entry is readonly [string, string] =>
  entry[1] !== undefined
/** What is said in one language as it will be sent. In a plain text a component is its text. */
export async function expandContent(
  scope: MerchantScope,
  said: { content: string; design?: object | null; plain_text: string | null },
): Promise<ExpandedContent & { plainText: string | null }> {
  return { ...(await expandComponents(scope, said)), plainText: await expandText(scope, said.plain_text) }
}

async function expandText(scope: MerchantScope, text: string | null): Promise<string | null> {
  const keys = text === null ? [] : componentKeysIn(text)
  if (text === null || keys.length === 0) return text
  const tags = keys.map(componentTag)
  const whole = await Promise.all(tags.map((tag) => expandComponents(scope, { content: tag })))
  // One whose tag stayed is not there: it stays in the text too, which is broken then and says so.
  const there = keys.flatMap((key, at) =>
    whole[at]?.content === tags[at] ? [] : [{ key, html: whole[at]?.content ?? '' }],
  )
  const texts = await textsOfHtml(
    scope,
    there.map(({ html }) => html),
  )
  return withComponents(text, new Map(there.map(({ key }, at) => [key, texts[at] ?? '']))).content
}

/** What of an email is sent: its components stand in the content. */
export interface EmailContent
  extends SentContent,
    Omit<TypedContent, keyof LanguageContent | 'plain_text_for' | 'variants'> {
  variants: VariantContent[]
}
interface SentContent extends LanguageContent {
  typed_lines: ExpandedContent['typedLines']
  plain_text_is_behind: boolean
}
export interface VariantContent extends SentContent {
  language: Locale
}

/** Those of these emails that exist. */
export async function listEmailContents(scope: MerchantScope, ids: readonly string[]): Promise<EmailContent[]> {
  const emails = []
  for (const { plain_text_for, variants, ...email } of await listTypedContents(scope, ids)) {
    const others = []
    for (const { plain_text_for: writtenFor, size_bytes: _, ...variant } of variants)
      others.push({ ...variant, ...(await asSent(scope, { ...variant, plain_text_for: writtenFor })) })
    emails.push({ ...email, ...(await asSent(scope, { ...email, plain_text_for })), variants: others })
  }
  return emails
}

async function asSent(scope: MerchantScope, typed: Pick<Variant, 'content' | 'plain_text' | 'plain_text_for'>) {
  const { content, typedLines, plainText } = await expandContent(scope, typed)
  return { content, typed_lines: typedLines, plain_text: plainText, plain_text_is_behind: isTextBehind(typed) }
}

/** Everything in it that may hold tags, in all languages. */
export const templatesOf = ({
  variants,
  ...base
}: LanguageContent & { variants: readonly LanguageContent[] }): string[] =>
  [base, ...variants].flatMap(({ subject, preheader, content, plain_text }) => [
    subject,
    preheader,
    content,
    ...(plain_text === null ? [] : [plain_text]),
  ])

export const findEmailContent = async (scope: MerchantScope, id: string): Promise<EmailContent | null> =>
  (await listEmailContents(scope, [id]))[0] ?? null
