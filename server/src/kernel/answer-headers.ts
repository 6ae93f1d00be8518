import type { Settings } from './context.ts'

const A_YEAR_SECONDS = 31_536_000

/** Data, files and pictures are no pages: opened in a browser they run nothing, load nothing, and stand in no frame. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** Sent with every answer that does not say otherwise. HSTS only where everything is reached by https: nothing else could be undone. */
export const headersOf = ({ publicUrl, staging }: Pick<Settings, 'publicUrl' | 'staging'>): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'content-security-policy': NO_PAGE,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': PERMISSIONS,
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${A_YEAR_SECONDS}` } : {}),
  ...(staging ? { 'x-robots-tag': 'noindex, nofollow' } : {}),
})
/** What no page of ours asks a browser for. */
const PERMISSIONS =
  'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()'
