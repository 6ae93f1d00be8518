/** The two tokens as cookies: 7 days, Secure, SameSite=Strict, path=/ (spec §7). */
const ACCESS = 'access_token'
const REFRESH = 'refresh_token'
const COOKIE_LIFETIME_SECONDS = 7 * 24 * 3600

interface TokenPair {
  access_token: string
  refresh_token: string
}

function read(name: string): string | null {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : null
}

function write(name: string, value: string, lifetimeSeconds: number): void {
  const cookie = `${name}=${encodeURIComponent(value)}; Max-Age=${lifetimeSeconds}; Path=/; SameSite=Strict`
  document.cookie = `${cookie}; Secure`
  const kept = lifetimeSeconds > 0 ? read(name) === value : read(name) === null
  // Some browsers refuse Secure cookies on plain http even from the machine itself.
  if (!kept && location.protocol === 'http:' && isLoopback(location.hostname)) document.cookie = cookie
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

export const accessToken = (): string | null => read(ACCESS)
export const refreshTokenKept = (): string | null => read(REFRESH)
export const hasSession = (): boolean => accessToken() !== null || refreshTokenKept() !== null

export function keepTokens(tokens: TokenPair): void {
  write(ACCESS, tokens.access_token, COOKIE_LIFETIME_SECONDS)
  write(REFRESH, tokens.refresh_token, COOKIE_LIFETIME_SECONDS)
}

export function clearTokens(): void {
  write(ACCESS, '', 0)
  write(REFRESH, '', 0)
}
