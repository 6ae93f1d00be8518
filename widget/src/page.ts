/** What features may know of the page. */
export interface Page {
  /** The store's permanent domain. */
  shop: string
  language: 'ja' | 'en'
  /** As the platform calls its templates: `product`, `collection`, `customers/account`…; empty where the page does not say. */
  type: string
  /** The store's number of the signed-in customer; null: no one is signed in, as far as the page says. */
  customerId: string | null
  /** Of a product page; null elsewhere. */
  product: Product | null
}

export interface Product {
  id: number
  variants: { id: number; available: boolean; title?: string }[]
}

/** What is on, as `/frontend/status` says it (contract: FrontendStatus). */
export interface Settings {
  on: boolean
  parts: Record<string, { on: boolean; place: { selector: string; where: string } | null }>
  texts: Record<string, Texts>
  colors: Record<string, string>
  facts: Record<string, unknown>
}

export interface Texts {
  ja: string
  en: string
}

/** What the page may have replaced by something of its own, as the browser made it. */
export interface Realm {
  fetch: typeof fetch
  JSON: JSON
}

/** What the loader hands to the kit. */
export interface Start {
  /** Where Okaeri is, without a trailing slash. */
  api: string
  /** Where the app proxy of the shop leads to Okaeri: `/apps/okaeri`. */
  proxy: string
  page: Page
  settings: Settings
  realm: Realm
}
