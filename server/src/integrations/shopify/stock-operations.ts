/**
 * What of variants sells online. The platform sums the locations that sell there itself; a webhook of one location says only that the sum
 * may have changed. Items need the scope `read_inventory`.
 */
export const STOCK = /* GraphQL */ `query Stock($ids: [ID!]!) {
  nodes(ids: $ids) {
    id
    ... on ProductVariant { ...OnlineStock }
    ... on InventoryItem { variant { ...OnlineStock } }
  }
}
fragment OnlineStock on ProductVariant { id availableForSale sellableOnlineQuantity product { id } }`

export interface OnlineStock {
  id: string
  /** Also where the store does not count it, or goes on selling at nothing. */
  availableForSale: boolean
  sellableOnlineQuantity: number
  product: { id: string }
}
export interface StockResult {
  nodes: ((OnlineStock & { variant?: undefined }) | { id: string; variant: OnlineStock | null } | null)[]
}
/** As many as the platform takes in one question. */
export const STOCK_AT_ONCE = 250
