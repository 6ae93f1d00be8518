import { createHash } from 'node:crypto'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { closedTexts, TemplateError } from '../email-rendering/index.ts'

/** Most components leave nothing open; then only this fact is kept. */
const KEPT = 1_000
const MAX_KEPT_LENGTH = 20_000

/** By a hash of the content; null: nothing is open in it. */
const known = new Map<string, string | null>()
const keyOf = (content: string): string => createHash('sha256').update(content).digest('base64')

/**
 * What stands for a component in a mail made of blocks: all that it leaves open is closed, so that it hides nothing of what follows. Undefined where
 * reading it takes too long.
 */
export async function closedComponents(
  scope: MerchantScope,
  contents: readonly string[],
): Promise<(content: string) => string | undefined> {
  const wanted = [...new Set(contents)]
  const closed = new Map<string, string>()
  const unknown: string[] = []
  for (const content of wanted) {
    const before = known.get(keyOf(content))
    if (before === undefined) unknown.push(content)
    else closed.set(content, before ?? content)
  }
  // One by one: where one takes too long the others are read all the same.
  for (const content of unknown) {
    const answer = await readOne(scope, content)
    if (answer === undefined) continue
    closed.set(content, answer ?? content)
    if ((answer?.length ?? 0) > MAX_KEPT_LENGTH) continue
    if (known.size >= KEPT) known.delete(known.keys().next().value as string)
    known.set(keyOf(content), answer)
  }
  return (content) => closed.get(content)
}

async function readOne(scope: MerchantScope, content: string): Promise<string | null | undefined> {
  try {
    return (await closedTexts(scope, [content]))[0]
  } catch (error) {
    if (error instanceof TemplateError) return undefined
    throw error
  }
}
