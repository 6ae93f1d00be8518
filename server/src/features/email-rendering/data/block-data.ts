import type { Finding } from '@okaeri/contract/emails/email'
import type { Locale } from '@okaeri/contract/locale'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { listProductsOnSale } from '../../catalog/index.ts'
import { type NamedBlock, blocksIn, idsNamed } from '../blocks.ts'
import { finding } from '../checks/finding.ts'
import { mailProduct } from './mail-product.ts'
import type { MessageData } from './message-data.ts'
import { type ParsedChoice, choicesIn, MAX_CHOICES } from './product-choice.ts'

declare module '../../../kernel/context.ts' {
  interface Ports {
    /** Those of these segments that exist, each with whether its members were calculated yet, and which of these customers are among them. */
    membersAmong: (
      scope: MerchantScope,
      asked: { segmentIds: readonly string[]; customerIds: readonly string[] },
    ) => Promise<{ id: string; is_ready: boolean; members: readonly string[] }[]>
  }
}

/** In one mail. More are a mistake, or made by a machine. What is beyond is found before sending, and shown to no one. */
const MAX_PRODUCTS = 100
const MAX_SEGMENTS = 30

/** What the mail's `{% product %}` blocks show, as the store sells it at this moment. */
export async function readMailProducts(
  scope: MerchantScope,
  templates: readonly string[],
  { locale, storeUrl }: { locale: Locale; storeUrl: string },
): Promise<Pick<MessageData, 'products'>> {
  const ids = idsNamed(templates, ['product']).slice(0, MAX_PRODUCTS)
  if (ids.length === 0) return {}
  const sold = await listProductsOnSale(scope, { ids })
  return {
    products: Object.fromEntries(sold.map((product) => [product.id, mailProduct(product, { locale, storeUrl })])),
  }
}

/** Ids of the segments that `{% only_for %}` and `{% except_for %}` blocks name. */
export const segmentsNamed = (templates: readonly string[]): string[] =>
  idsNamed(templates, ['only_for', 'except_for']).slice(0, MAX_SEGMENTS)

/**
 * Whether each of these customers is in the segments, in one statement for all of them. The customer `null` is someone invented, of whom that
 * is not known: everything is shown to them.
 */
export async function readMemberships(
  scope: MerchantScope,
  segmentIds: readonly string[],
  customerIds: readonly (string | null)[],
): Promise<Map<string | null, Record<string, boolean | null>>> {
  const known = customerIds.filter((id) => id !== null)
  const segments = (await scope.context.ports.membersAmong(scope, { segmentIds, customerIds: known })).map(
    ({ id, members }) => ({ id, members: new Set(members) }),
  )
  return new Map(
    customerIds.map((customerId) => [
      customerId,
      Object.fromEntries(segments.map(({ id, members }) => [id, customerId === null ? null : members.has(customerId)])),
    ]),
  )
}

/** What the blocks name and is not there, at its line where the template is the content. */
export async function findingsOfBlocks(
  scope: MerchantScope,
  { content, others, data }: { content: string; others: readonly string[]; data: MessageData },
): Promise<Finding[]> {
  const blocks: (NamedBlock & { line?: number })[] = [
    ...withLines(content, blocksIn(content)),
    ...others.flatMap(blocksIn),
  ]
  const segmentIds = [...new Set(blocks.flatMap(({ kind, id }) => (kind === 'product' ? [] : [id])))]
  const segments =
    segmentIds.length === 0 ? [] : await scope.context.ports.membersAmong(scope, { segmentIds, customerIds: [] })
  const codeOf = ({ kind, id }: NamedBlock) => {
    if (kind === 'product') return data.products?.[id] ? null : 'product_gone'
    const segment = segments.find((one) => one.id === id)
    if (!segment) return 'segment_gone'
    return segment.is_ready ? null : 'segment_not_ready'
  }
  const seen = { product: new Set<string>(), segment: new Set<string>() }
  const found = blocks.flatMap((block) => {
    const [known, most] = block.kind === 'product' ? [seen.product, MAX_PRODUCTS] : [seen.segment, MAX_SEGMENTS]
    if (known.has(block.id) || known.size > most) return []
    known.add(block.id)
    const code = known.size > most ? 'too_many_blocks' : codeOf(block)
    return code === null ? [] : [finding(code, block.tag, block.line)]
  })
  return [...found, ...findingsOfChoices(content, others, data)]
}

/** Choices of products that are too many, or would show nothing to any recipient. */
function findingsOfChoices(content: string, others: readonly string[], data: MessageData): Finding[] {
  const choices: { tag: string; line?: number; chosen: ParsedChoice | null }[] = [
    ...withLines(content, choicesIn(content)),
    ...others.flatMap(choicesIn),
  ]
  const keys = new Set<string>()
  return choices.flatMap(({ tag, line, chosen }) => {
    if (chosen === null || keys.has(chosen.key) || keys.size > MAX_CHOICES) return []
    keys.add(chosen.key)
    if (keys.size > MAX_CHOICES) return [finding('too_many_blocks', tag, line)]
    const isEmpty = !chosen.isPersonal && (data.product_lists?.[chosen.key] ?? []).length === 0
    return isEmpty ? [finding('no_products_chosen', tag, line)] : []
  })
}

/** Each line is counted once, however many tags there are; they are in order. */
function withLines<T extends { start: number }>(content: string, tags: readonly T[]): (T & { line: number })[] {
  let line = 1
  let at = 0
  return tags.map((tag) => {
    for (; at < tag.start; at += 1) if (content[at] === '\n') line += 1
    return { ...tag, line }
  })
}
