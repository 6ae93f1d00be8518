import { MAX_COMPONENT_DEPTH } from '@okaeri/contract/emails/component'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { closedComponents } from './closed-components.ts'
import { listComponentContents } from './component-queries.ts'
import { componentKeysIn, type Expanded, withComponents } from './component-tags.ts'
import { listTypedContents, type TypedContent } from './queries.ts'

/**
 * The content as it will be sent: each component in the place of its tag, as the merchant wrote it last. In a mail made of blocks what a component
 * leaves open is closed; in one written as code its halves may stand in two.
 */
export async function expandComponents(
  scope: MerchantScope,
  { content, design }: { content: string; design?: object | null },
): Promise<Expanded> {
  const known = await readWithin(scope, content)
  if (!design || known.size === 0) return withComponents(content, known)
  const closedOf = await closedComponents(scope, [...known.values()])
  return withComponents(
    content,
    // One that cannot be read stays a tag, which is found.
    new Map([...known].map(([key, text]) => [key, closedOf(text)] as const).filter(isRead)),
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

/** What of an email is sent: its components stand in the content. */
export interface EmailContent extends TypedContent {
  typed_lines: Expanded['typedLines']
}

/** Of these emails those that are there. */
export async function listEmailContents(scope: MerchantScope, ids: readonly string[]): Promise<EmailContent[]> {
  const emails = []
  for (const email of await listTypedContents(scope, ids)) {
    const { content, typedLines } = await expandComponents(scope, email)
    emails.push({ ...email, content, typed_lines: typedLines })
  }
  return emails
}

export const findEmailContent = async (scope: MerchantScope, id: string): Promise<EmailContent | null> =>
  (await listEmailContents(scope, [id]))[0] ?? null
