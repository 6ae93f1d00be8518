import { isIP } from 'node:net'
import { isPrivate } from '../../integrations/webhook/index.ts'

// What an address says by itself.

/** Who sees such a link sees not where it leads, and spam filters do not like that. */
const SHORTENERS = new Set([
  'bit.ly',
  'bitly.com',
  'buff.ly',
  'cutt.ly',
  'goo.gl',
  'is.gd',
  'j.mp',
  'ow.ly',
  'qr.paps.jp',
  'rb.gy',
  'rebrand.ly',
  's.id',
  'shorturl.at',
  't.co',
  't.ly',
  'tiny.cc',
  'tinyurl.com',
  'urx.space',
  'ux.nu',
  'v.gd',
  'x.gd',
])
export const isShortened = ({ hostname }: URL): boolean => SHORTENERS.has(hostname.replace(/^www\./, ''))

/** Names of a machine or an office, which no reader's mail program finds. */
const INSIDE = /^[^.]+$|\.(?:local|localhost|internal|intranet|lan|home|corp)$/
const isWithin = (url: URL, hosts: readonly URL[]): boolean => hosts.some(({ hostname }) => hostname === url.hostname)

/**
 * Whether only the merchant gets there: an address inside a network, the admin of the store, a theme's preview. `own`: ours; where all runs on one
 * machine it is of that.
 */
export function isHidden(url: URL, { hosts, own }: { hosts: readonly URL[]; own: URL }): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === 'admin.shopify.com' || host === 'partners.shopify.com') return true
  const isStore = isWithin(url, hosts) || host.endsWith('.myshopify.com')
  if (isStore && (/^\/admin(?:\/|$)/.test(url.pathname) || url.searchParams.has('preview_theme_id'))) return true
  if (isStore && /(?:^|\/)products_preview(?:\/|$)/.test(url.pathname)) return true
  if (isWithin(url, [...hosts, own])) return false
  const family = isIP(host)
  return family === 0 ? INSIDE.test(host) : isPrivate(host, family)
}

/** The handle of the store's product that a link leads to. */
export function productHandle(url: URL, hosts: readonly URL[]): string | null {
  if (!isWithin(url, hosts)) return null
  const handle = /\/products\/([^/]{1,255})\/?$/.exec(url.pathname)?.[1]
  return handle === undefined ? null : decoded(handle)
}

/** The store's own way to bring a code along: `/discount/SPRING`. */
export function codeInLink(url: URL, hosts: readonly URL[]): string | null {
  if (!isWithin(url, hosts)) return null
  const code = /\/discount\/([^/]{1,255})\/?$/.exec(url.pathname)?.[1]
  return code === undefined ? null : decoded(code)
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    // `%` alone stands for itself.
    return part
  }
}
