import type { SenderDomain } from '@okaeri/contract/sender-domains/domain'
import type { Context } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { getForUpdate, getSenderDomain } from './domain.ts'
import { domainOf, readDomainName } from './domain-name.ts'
import { linkBase } from './link-base.ts'
import {
  deleteUnusedLinkHost,
  findVerifiedLinkHost,
  insertLinkHost,
  isProvedLinkHost,
  isVerifiedLinkHost,
  selectMerchantsOfHost,
} from './link-domain-queries.ts'
import { updateDomain } from './queries.ts'

/** Publishing takes at least as long as copying a record. */
const FIRST_CHECK_MS = 2 * 60_000

/** Below the sender domain, whose owner is proved: so no one takes a name of another. */
export async function setLinkDomain(scope: MerchantScope, id: string, given: string): Promise<SenderDomain> {
  const { isLocalSandbox: inSandbox, linkTarget } = scope.context.settings
  if (linkTarget === null) throw conflict('no_link_target', 'this installation has no name to point to')
  const host = readDomainName(given, { inSandbox, field: 'link_domain.host' })
  await scope.transaction(async (scope) => {
    const { name, link_host: former } = await getForUpdate(scope, id)
    if (!host.endsWith(`.${name}`)) throw invalid({ 'link_domain.host': 'not_below_domain' })
    if (host === former) return
    if (former) await deleteUnusedLinkHost(scope, former)
    await insertLinkHost(scope, host)
    const next_check_at = new Date(scope.now.getTime() + FIRST_CHECK_MS)
    await updateDomain(scope, id, {
      link_host: host,
      link_host_since: scope.now,
      link_host_verified_at: null,
      next_check_at,
    })
  })
  return getSenderDomain(scope, id)
}

/** Links that were sent continue to lead over it. */
export async function removeLinkDomain(scope: MerchantScope, id: string): Promise<SenderDomain> {
  await scope.transaction(async (scope) => {
    const { link_host: former } = await getForUpdate(scope, id)
    if (former === null) return
    await deleteUnusedLinkHost(scope, former)
    await updateDomain(scope, id, { link_host: null, link_host_since: null, link_host_verified_at: null })
  })
  return getSenderDomain(scope, id)
}

/** Over which host the links of mails from this address lead; null: the installation's own. */
export const findLinkHost = (scope: MerchantScope, email: string): Promise<string | null> =>
  findVerifiedLinkHost(scope, domainOf(email))

/** The address that links begin with. A host that went away since the mail was frozen is left out. */
export async function linkBaseOf(scope: MerchantScope, host: string | null): Promise<string> {
  const { publicUrl } = scope.context.settings
  return host !== null && (await isVerifiedLinkHost(scope, host)) ? linkBase(publicUrl, host) : publicUrl
}

/** For the proxy that asks whether to get a certificate: also while the host waits for it, since without one it is never verified. */
export async function askLinkDomain(context: Context, given: string): Promise<{ domain: string }> {
  const domain = given.toLowerCase().replace(/\.$/, '')
  for (const { merchant_id, served_since } of await selectMerchantsOfHost(context, domain))
    if (served_since || (await isProvedLinkHost(merchantScope(context, merchant_id), domain))) return { domain }
  throw notFound('no merchant uses this host')
}

/** Merchants in whose mails this host is, or was; empty: it is no link domain. */
export async function merchantsOfLinkHost(context: Context, host: string): Promise<string[]> {
  return (await selectMerchantsOfHost(context, host)).flatMap(({ merchant_id, served_since }) =>
    served_since ? [merchant_id] : [],
  )
}
