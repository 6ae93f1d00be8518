/** The platform's rule for a store's permanent domain. A valid one is safe in an address we fetch. */
const SHOP_DOMAIN = /^[a-z0-9][a-z0-9-]{0,99}\.myshopify\.com$/

/** Longer than any admin address that people copy. */
const LONGEST_TYPED = 2000

/** Whether this is a store's permanent domain, in lower case. */
export const isShopDomain = (text: string): boolean => SHOP_DOMAIN.test(text)

/** The store's permanent domain from what a person types: its name, the domain, or the address of its admin. Null for any other text. */
export function readShopDomain(typed: string): string | null {
  if (typed.length > LONGEST_TYPED) return null
  // Full-width letters too, as they come from a Japanese keyboard.
  const text = typed
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
  const admin = /^admin\.shopify\.com\/store\/([a-z0-9-]+)(?:\/.*)?$/.exec(text)
  const domain = admin?.[1] ?? text.replace(/\/(?:admin(?:[/?#].*)?)?$/, '')
  const full = domain.includes('.') ? domain : `${domain}.myshopify.com`
  return isShopDomain(full) ? full : null
}
