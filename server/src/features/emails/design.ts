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
  const products = await listProductsOnSale(scope, ids)
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

/** In which block of the design a line of its content is; null for what stands outside of all. */
export function blockAtLine({ blocks }: Design, content: string, line: number): string | null {
  const before = content.split('\n', line).join('\n')
  let found: { id: string; at: number } | null = null
  for (const { id } of listBlocks(blocks)) {
    const at = before.lastIndexOf(`"${classOf(id)}`)
    if (at !== -1 && at >= (found?.at ?? 0)) found = { id, at }
  }
  return found?.id ?? null
}
