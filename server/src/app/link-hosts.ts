import type { Endpoint } from '@okaeri/contract/endpoint'
import { showImage } from '@okaeri/contract/media/routes'
import { restockLink } from '@okaeri/contract/restocks/storefront-routes'
import { askLinkDomain } from '@okaeri/contract/sender-domains/routes'
import { oneClickPage, oneClickUnsubscribe, preferencesLink } from '@okaeri/contract/subscriptions/routes'
import { clickLink, openPixel } from '@okaeri/contract/tracking/routes'
import type { FastifyRequest } from 'fastify'
import { readLinkToken } from '../features/deliveries/index.ts'
import { readSlug } from '../features/media/index.ts'
import { knownMerchantsOfLinkHost, merchantsOfLinkHost } from '../features/sender-domains/index.ts'
import type { Context } from '../kernel/context.ts'
import { isOutage } from '../kernel/database/database-trouble.ts'
import { AppError } from '../kernel/errors.ts'

const NAME = /^(?=.{4,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/
const ADDRESS = /^[\d.]+$/

/** By what an address of a mail names its merchant; null: by nothing. */
const merchantOf = new Map<Endpoint, (context: Context, params: Record<string, string>) => string | null>([
  [openPixel as Endpoint, ({ keyring }, { token = '' }) => ofToken(keyring, token.replace(/\.gif$/, ''))],
  [clickLink as Endpoint, ({ keyring }, { token = '' }) => ofToken(keyring, token.replace(/-\d+$/, ''))],
  [oneClickPage as Endpoint, ({ keyring }, { token = '' }) => ofToken(keyring, token)],
  [preferencesLink as Endpoint, ({ keyring }, { token = '' }) => ofToken(keyring, token)],
  [restockLink as Endpoint, ({ keyring }, { token = '' }) => ofToken(keyring, token)],
  [oneClickUnsubscribe as Endpoint, ({ keyring }, { token = '' }) => ofToken(keyring, token)],
  [showImage as Endpoint, (_, { slug = '' }) => readSlug(slug)?.merchantId ?? null],
])
const ofToken = (keyring: Context['keyring'], token: string): string | null =>
  readLinkToken(keyring, token)?.merchantId ?? null

/**
 * Keeps what merchants' own link domains show apart from everything else here: by such a host only links, pixel and pictures of that merchant are
 * there, and no page on which someone signs in. Returns null, at no cost, for the installation's own host.
 */
export function createLinkHosts(context: Context): (request: FastifyRequest) => Promise<void> | null {
  let own = { publicUrl: '', host: '' }

  async function guard(request: FastifyRequest, host: string): Promise<void> {
    const { endpoint } = request.routeOptions.config
    let merchants = await knownMerchantsOfLinkHost(context, host).catch(asUnknown)
    if (merchants.length === 0 || endpoint === askLinkDomain) return
    const merchant = endpoint && merchantOf.get(endpoint)?.(context, request.params as Record<string, string>)
    if (!merchant) throw refused()
    // Another merchant may have proved the same domain a moment ago.
    if (!merchants.includes(merchant)) merchants = await merchantsOfLinkHost(context, host)
    if (!merchants.includes(merchant)) throw refused()
  }

  return (request) => {
    const { publicUrl } = context.settings
    if (own.publicUrl !== publicUrl) own = { publicUrl, host: new URL(publicUrl).host }
    // As the proxy says, where it is believed.
    const { host } = request
    if (host === own.host) return null
    const name = (host ?? '').replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
    return NAME.test(name) && !ADDRESS.test(name) ? guard(request, name) : null
  }
}

const refused = (): AppError => new AppError('not_found', 'unknown_route', 'there is nothing here')

/** Without the database there is little to show by any host, and monitoring reaches this process by a name of its own. */
function asUnknown(error: unknown): readonly string[] {
  if (!isOutage(error)) throw error
  return []
}
