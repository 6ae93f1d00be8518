import type { RecipientVariables } from './data/event-data.ts'

/**
 * Links whose address differs by recipient: kept as they are written with the message, completed when they are followed. Spec §9: the
 * coupon's code is written `[coupon]`; an editor may have encoded the brackets.
 */
const COUPON = /\[coupon\]|%5Bcoupon%5D/gi
const EVENT_LINK = /^\s*\{\{-?\s*event\.(recovery_url|product_url)\s*-?\}\}\s*$/
/** Of products that a rule chooses: which one, the link says when it is followed. */
export const PRODUCT_PLACE = '{{ product.url }}'
const EVENT_PLACE = /^\{\{ event\.(recovery_url|product_url) \}\}/

export const mentionsCoupon = (text: string): boolean => text.search(COUPON) >= 0

/** The place an address stands for, written the one way it is kept; null when it is not an event's address alone. */
export function eventPlace(href: string): string | null {
  const [, name] = EVENT_LINK.exec(href) ?? []
  return name ? `{{ event.${name} }}` : null
}

export const isPersonalLink = (link: string): boolean =>
  EVENT_PLACE.test(link) || leadsToProduct(link) || mentionsCoupon(link)
export const leadsToProduct = (link: string): boolean => link.startsWith(PRODUCT_PLACE)

/** The address for one recipient; empty when its target is unknown. `productUrl`: of the product it was shown with. */
export function personalLink(link: string, variables: RecipientVariables | null, productUrl = ''): string {
  const code = encodeURIComponent(variables?.coupon?.code ?? '')
  const filled = link.replace(COUPON, () => code)
  if (leadsToProduct(filled)) return withQueryOf(productUrl, filled.slice(PRODUCT_PLACE.length))
  const [place, name] = EVENT_PLACE.exec(filled) ?? []
  if (!place) return filled
  const address = name === 'recovery_url' ? variables?.event?.recovery_url : variables?.event?.product?.url
  return withQueryOf(address, filled.slice(place.length))
}

function withQueryOf(address: string | undefined, asked: string): string {
  if (!address) return ''
  const query = asked.replace(/^\?/, '')
  const hash = address.indexOf('#')
  const [before, after] = hash < 0 ? [address, ''] : [address.slice(0, hash), address.slice(hash)]
  return query === '' ? address : `${before}${before.includes('?') ? '&' : '?'}${query}${after}`
}

/** In a mail without tracking the code is written into the address itself. */
export const withCouponTag = (address: string): string => address.replace(COUPON, '{{ coupon.code }}')
