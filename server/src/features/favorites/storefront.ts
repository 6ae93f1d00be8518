import type { FavoriteFacts } from '@okaeri/contract/favorites/storefront'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { readFavoriteSettings } from './settings.ts'
import { selectShownProducts } from './storefront-queries.ts'

/** In the order in which they were asked for. */
export async function listFacts(scope: MerchantScope, storeProductIds: readonly number[]): Promise<FavoriteFacts[]> {
  const [rows, { show_count: showCount }] = await Promise.all([
    selectShownProducts(scope, storeProductIds),
    readFavoriteSettings(scope),
  ])
  const known = new Map(rows.map((row) => [row.product_id, row]))
  return storeProductIds.flatMap((id): FavoriteFacts[] => {
    const row = known.get(id)
    if (!row) return []
    const money = (amount: number | null) => (amount === null ? null : { amount, currency: row.currency })
    const prices = row.variants.flatMap(({ price_amount }) => price_amount ?? [])
    return [
      {
        product_id: id,
        title: row.title,
        path: row.is_gone || row.handle === null ? null : `/products/${encodeURIComponent(row.handle)}`,
        image_url: row.image_url,
        price: row.is_gone || prices.length === 0 ? null : money(Math.min(...prices)),
        is_available: !row.is_gone && row.variants.some(({ is_available }) => is_available),
        is_gone: row.is_gone,
        count: showCount ? row.count : null,
        variants: row.variants.map(({ variant_id, title, price_amount, is_available }) => ({
          variant_id,
          title,
          price: row.is_gone ? null : money(price_amount),
          is_available: !row.is_gone && is_available,
        })),
      },
    ]
  })
}

const withoutScript = {
  ja: 'お気に入りを表示するには、JavaScriptを有効にしてください。',
  en: 'Turn on JavaScript to see your favorites.',
}
const notThere = {
  ja: 'お気に入りを読み込めませんでした。時間をおいて、ページを再読み込みしてください。',
  en: 'Your favorites could not be loaded. Please reload the page later.',
}
/**
 * The theme draws its own head and foot around it; the part of the script does the rest, and hides what stands here. If it does not come (the
 * script is blocked, we do not answer), the page says so after some seconds, by rules of style alone.
 */
export const FAVORITES_LIQUID = `<div class="okaeri-favorites" data-okaeri="favorites-page">
<style>@keyframes okaeri-late{from{visibility:hidden}}.okaeri-late{animation:okaeri-late 10s step-end}</style>
<noscript><style>.okaeri-late{display:none}</style><p lang="ja">${withoutScript.ja}</p><p lang="en">${withoutScript.en}</p></noscript>
<div class="okaeri-late"><p lang="ja">${notThere.ja}</p><p lang="en">${notThere.en}</p></div>
</div>
`
