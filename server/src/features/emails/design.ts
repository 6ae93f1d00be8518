import { type Design, listBlocks } from '@okaeri/contract/emails/design'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listProductsOnSale } from '../catalog/index.ts'
import { classOf, compileDesign, type DesignProduct, money, storeUrlOf } from '../email-rendering/index.ts'

/** The content of a mail made of blocks. Products are as the store has them now; those it sells no more are left out. */
export async function contentOf(scope: MerchantScope, design: Design): Promise<string> {
  const ids = [...new Set(design.blocks.flatMap((block) => (block.kind === 'products' ? block.product_ids : [])))]
  return compileDesign(scope, { design, products: ids.length === 0 ? {} : await productsOf(scope, ids, design) })
}

async function productsOf(
  scope: MerchantScope,
  ids: readonly string[],
  { language }: Design,
): Promise<Record<string, DesignProduct>> {
  const storeUrl = (await storeUrlOf(scope)).replace(/\/$/, '')
  const products = await listProductsOnSale(scope, { ids })
  return Object.fromEntries(
    products.map(({ id, title, handle, image_url, price_amount, currency }) => [
      id,
      {
        title: withoutBraces(title),
        price: price_amount === null ? '' : money(price_amount, currency, language),
        imageUrl: withoutBraces(image_url ?? ''),
        url: handle === null ? storeUrl : `${storeUrl}/products/${encodeURIComponent(handle)}`,
      },
    ]),
  )
}

/** What the store calls its products is no template. */
const withoutBraces = (text: string): string => text.replaceAll('{', '(').replaceAll('}', ')')

/** Returns in which block of the design a line of its content is; null for what stands outside of all. The content is read once for all lines. */
export function blockAtLine({ blocks }: Design, content: string): (line: number) => string | null {
  const begins = new Map<number, string>()
  const known = new Set(listBlocks(blocks).map(({ id }) => classOf(id)))
  for (const [at, text] of content.split('\n').entries())
    for (const [, name = ''] of text.matchAll(/"(b-[a-z0-9]{4,12})[ "]/g)) if (known.has(name)) begins.set(at + 1, name)
  const lines = [...begins.keys()]
  return (line) => {
    const last = lines.findLast((one) => one <= line)
    return last === undefined ? null : (begins.get(last)?.slice(classOf('').length) ?? null)
  }
}
