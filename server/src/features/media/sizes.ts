import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { readSlug, slugOf } from './media-id.ts'
import { listSizes } from './queries.ts'

/** The sizes of the merchant's pictures behind these public addresses; others are left out. Null: it is not shown. */
export async function sizesOfPictures(
  scope: MerchantScope,
  urls: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const base = `${scope.context.settings.publicUrl}/image/`
  const pictures = urls.flatMap((url) => {
    const key = url.startsWith(base) ? readSlug(url.slice(base.length).split(/[?#]/)[0] ?? '') : null
    return key && key.merchantId === scope.merchantId ? [{ url, key }] : []
  })
  if (pictures.length === 0) return new Map()
  const sizes = new Map(
    (
      await listSizes(
        scope,
        pictures.map(({ key: { id, copy } }) => ({ id, copy })),
      )
    ).map((one) => [slugOf({ merchantId: scope.merchantId, id: one.id }, one.copy), one.size_bytes]),
  )
  return new Map(pictures.map(({ url, key }) => [url, sizes.get(slugOf(key, key.copy)) ?? null]))
}
