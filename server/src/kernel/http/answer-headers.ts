import type { Settings } from '../context.ts'

const A_YEAR_SECONDS = 31_536_000

/** For data, files and pictures: opened in a browser they run nothing, load nothing, and cannot be framed. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** The default headers of every answer. HSTS only for installations under https, because browsers remember it. */
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
/** Permissions that no page of ours needs. */
const PERMISSIONS =
  'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()'
