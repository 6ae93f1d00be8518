/* Rows of goods, and what a basket holds of them. */

export interface ProductRow {
  id: number
  title: string
  handle: string
  status: 'ACTIVE' | 'DRAFT' | 'ARCHIVED'
  vendor: string
  product_type: string
  tags: string
  description: string
  created_at: number
  updated_at: number
  /** Names of what one chooses (色, サイズ), as JSON; empty: see optionsOf. */
  options: string
}

export interface VariantRow {
  id: number
  product_id: number
  position: number
  title: string
  sku: string | null
  price: number
  inventory_item_id: number
  inventory_quantity: number
  inventory_policy: 'DENY' | 'CONTINUE'
  created_at: number
  updated_at: number
  compare_at_price: number | null
  option_values: string
  /** Of inventory_quantity, what lies where the online store sells from. */
  online_quantity: number
}

export interface CollectionRow {
  id: number
  title: string
  handle: string
  updated_at: number
}

export interface BasketItem {
  variant: VariantRow
  product: ProductRow
  quantity: number
}
