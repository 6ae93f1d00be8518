import { createPrivateKey, randomBytes } from 'node:crypto'
import { MAX_SENDER_DOMAINS, type SenderDomain, type SenderDomainStatus } from '@okaeri/contract/sender-domains/domain'
import type { FastifyReply } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import type { DkimKey } from '../../integrations/mail/dkim.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { type MerchantScope, merchantScope, type TransactionScope } from '../../kernel/merchant-scope.ts'
import { countAttempt, type RateLimit } from '../../kernel/rate-limits.ts'
import { unconfirmDomain } from '../merchants/index.ts'
import { deleteUnusedLinkHost } from './link-domain-queries.ts'
import { makeDkimKey } from './dkim-key.ts'
import { domainOf, readDomainName, unicodeName } from './domain-name.ts'
import { presentWarmUp } from './warm-up.ts'
import { markWarmUp } from './warm-up-queries.ts'
import { recordsToPublish, unchecked } from './lookup.ts'
import {
  type DomainRow,
  deleteDomain,
  findDomain,
  findDomainByName,
  findDomainForUpdate,
  findSigningKey,
  insertDomain,
  insertKey,
  type KeyRow,
  listMerchantsWithKeys,
  lockDomains,
  selectDomains,
  selectKeys,
  updateDomain,
  updatePrivateKey,
} from './queries.ts'

const TOKEN_BYTES = 16
/** Each makes a key, a tenth of a second of computing. */
const keysMade: RateLimit = { name: 'dkim_keys', max: 30, windowSeconds: 86_400 }

export async function listSenderDomains(scope: MerchantScope): Promise<SenderDomain[]> {
  const [domains, keys] = [await selectDomains(scope), await selectKeys(scope)]
  const presented: SenderDomain[] = []
  // Ten at most.
  for (const domain of domains)
    presented.push(
      await present(
        scope,
        domain,
        keys.filter(({ domain_id }) => domain_id === domain.id),
      ),
    )
  return presented
}

export async function getSenderDomain(scope: MerchantScope, id: string): Promise<SenderDomain> {
  const domain = await findDomain(scope, id)
  if (!domain) throw notFound('there is no such domain')
  return present(scope, domain, await selectKeys(scope, id))
}

/** What is to be published now, with what was found of it. */
export async function present(scope: MerchantScope, domain: DomainRow, keys: readonly KeyRow[]): Promise<SenderDomain> {
  const known = new Map(domain.records.map((record) => [record.kind, record]))
  return {
    id: domain.id,
    name: domain.name,
    unicode_name: unicodeName(domain.name),
    status: domain.status,
    records: recordsToPublish(scope, domain, keys).map((asked) => {
      const found = known.get(asked.kind)
      // A key that was made, or an address that was changed, after the last look.
      const isAbout = found && (asked.kind === 'dmarc' || found.name === asked.name)
      return isAbout ? found : unchecked(asked)
    }),
    verified_at: domain.verified_at?.toISOString() ?? null,
    failing_since: domain.failing_since?.toISOString() ?? null,
    warns: domain.warned_at !== null,
    checked_at: domain.checked_at?.toISOString() ?? null,
    next_check_at: domain.next_check_at.toISOString(),
    link_domain: domain.link_host
      ? { host: domain.link_host, verified_at: domain.link_host_verified_at?.toISOString() ?? null }
      : null,
    link_target: scope.context.settings.linkTarget,
    warm_up: await presentWarmUp(scope, domain),
    former_selectors: keys.flatMap(({ selector, published_until }) =>
      published_until && published_until > scope.now
        ? [{ name: `${selector}._domainkey.${domain.name}`, published_until: published_until.toISOString() }]
        : [],
    ),
  }
}

/** The same domain twice is one. */
export async function addSenderDomain(scope: MerchantScope, reply: FastifyReply, given: string): Promise<SenderDomain> {
  const name = readDomainName(given, { inSandbox: scope.context.settings.isLocalSandbox })
  const there = await findDomainByName(scope, name)
  if (there) return getSenderDomain(scope, there.id)
  const key = await makeKey(scope, reply)
  const id = await scope.transaction(async (scope) => {
    await lockDomains(scope)
    const meanwhile = await findDomainByName(scope, name)
    if (meanwhile) return meanwhile.id
    if ((await selectDomains(scope)).length >= MAX_SENDER_DOMAINS)
      throw conflict('too_many_sender_domains', `${MAX_SENDER_DOMAINS} domains at most`)
    const id = newId()
    // Publishing takes at least as long as copying a record.
    const next_check_at = new Date(scope.now.getTime() + FIRST_CHECK_MS)
    await insertDomain(scope, { id, name, token: randomBytes(TOKEN_BYTES).toString('hex'), next_check_at })
    await insertKey(scope, { ...key, domain_id: id, state: 'active' })
    return id
  })
  return getSenderDomain(scope, id)
}
const FIRST_CHECK_MS = 5 * 60_000

async function makeKey(scope: MerchantScope, reply: FastifyReply) {
  await countAttempt(scope.context, reply, [[keysMade, scope.merchantId]])
  const { selector, publicKey, privateKey } = await makeDkimKey()
  return { selector, public_key: publicKey, private_key: scope.context.keyring.encrypt(privateKey) }
}

export function removeSenderDomain(scope: MerchantScope, id: string): Promise<SenderDomain[]> {
  return scope.transaction(async (scope) => {
    const { name, link_host: host } = await getForUpdate(scope, id)
    if (host) await deleteUnusedLinkHost(scope, host)
    await deleteDomain(scope, id)
    await unconfirmDomain(scope, name)
    return listSenderDomains(scope)
  })
}

/** Makes the next key. Asked again while one waits to be published, that one stays. */
export async function rotateKey(scope: MerchantScope, reply: FastifyReply, id: string): Promise<SenderDomain> {
  const domain = await getSenderDomain(scope, id)
  if (hasNext(await selectKeys(scope, id))) return domain
  // Nothing signs with the first key, whose record the page still asks for. A second one beside it would only confuse.
  if (domain.status === 'pending') throw conflict('sender_domain_pending', 'the first key is not in use yet')
  const key = await makeKey(scope, reply)
  await scope.transaction(async (scope) => {
    await getForUpdate(scope, id)
    if (hasNext(await selectKeys(scope, id))) return
    await insertKey(scope, { ...key, domain_id: id, state: 'next' })
    await updateDomain(scope, id, { next_check_at: new Date(scope.now.getTime() + FIRST_CHECK_MS) })
  })
  return getSenderDomain(scope, id)
}
const hasNext = (keys: readonly KeyRow[]): boolean => keys.some(({ state }) => state === 'next')

/** Begins with the first day of the plan, also where it had begun. `false`: nothing is held back any more; what waits goes when its day comes. */
export async function setWarmUp(scope: MerchantScope, id: string, warmsUp: boolean): Promise<SenderDomain> {
  await scope.transaction(async (scope) => {
    await getForUpdate(scope, id)
    await markWarmUp(scope, id, warmsUp ? scope.now : null)
  })
  return getSenderDomain(scope, id)
}

export async function getForUpdate(scope: TransactionScope, id: string): Promise<DomainRow> {
  const domain = await findDomainForUpdate(scope, id)
  if (!domain) throw notFound('there is no such domain')
  return domain
}

/** How it stands with the domain of an address; null where it was not added, or there is no address. */
export async function senderDomainStatus(scope: MerchantScope, email: string): Promise<SenderDomainStatus | null> {
  return (await findDomainByName(scope, domainOf(email)))?.status ?? null
}

/** Whether receivers can tell mail from this address from a forged one; null: its domain is none the merchant set up. */
export async function findSenderStanding(
  scope: MerchantScope,
  email: string,
): Promise<{ name: string; status: SenderDomainStatus; lacksDmarc: boolean } | null> {
  const domain = await findDomainByName(scope, domainOf(email))
  if (!domain) return null
  const { name, status, records } = domain
  return { name, status, lacksDmarc: records.some(({ kind, state }) => kind === 'dmarc' && state === 'missing') }
}

/** The key that signs mail from an address, as long as its domain is verified. */
export async function findDkimKey(scope: MerchantScope, email: string): Promise<DkimKey | null> {
  const domain = domainOf(email)
  const found = await findSigningKey(scope, domain)
  return (
    found && {
      domain,
      selector: found.selector,
      key: createPrivateKey(scope.context.keyring.decrypt(found.private_key)),
    }
  )
}

/** Encrypts again what an older key encrypted; returns how many keys. */
export async function reencryptDkimKeys(context: Context): Promise<number> {
  const { keyring } = context
  let changed = 0
  for (const merchantId of await listMerchantsWithKeys(context))
    await merchantScope(context, merchantId).transaction(async (scope) => {
      for (const key of await selectKeys(scope)) {
        if (!key.private_key || !keyring.isStale(key.private_key)) continue
        await updatePrivateKey(scope, key, keyring.encrypt(keyring.decrypt(key.private_key)))
        changed += 1
      }
    })
  return changed
}
