import { isIP } from 'node:net'
import {
  type DomainRecord,
  type DomainRecordKind,
  maySendFrom,
  type SenderDomainStatus,
} from '@okaeri/contract/sender-domains/domain'
import { askLinkDomain } from '@okaeri/contract/sender-domains/routes'
import type { Dns, DnsAnswer } from '../../integrations/dns/index.ts'
import { askLinkHost } from '../../integrations/link-host.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { organizationalDomain } from './domain-name.ts'
import { linkBase } from './link-base.ts'
import type { DomainRow, KeyRow } from './queries.ts'
import {
  expectedSpf,
  judgeAlias,
  judgeDkim,
  judgeDmarc,
  judgeMx,
  judgeOwnership,
  judgeSpf,
  judgeTracking,
  required,
  type Verdict,
} from './record-judgment.ts'

type Asked = Omit<DomainRecord, 'state' | 'found' | 'note' | 'required' | 'last_found_at'>

export const ownershipName = (name: string): string => `_okaeri.${name}`
const ownershipText = (token: string): string => `okaeri-verification=${token}`
const dkimName = (selector: string, name: string): string => `${selector}._domainkey.${name}`
const dkimText = (publicKey: string): string => `v=DKIM1; k=rsa; p=${publicKey}`
/** Asks nothing of receivers; reports go nowhere until the merchant says where. */
const DMARC_TO_BEGIN_WITH = 'v=DMARC1; p=none'

/** All that is to be published, as far as it can be said before anything was asked. */
export function recordsToPublish(
  scope: MerchantScope,
  { name, token, link_host: linkHost }: DomainRow,
  keys: readonly KeyRow[],
): Asked[] {
  const dkim = (kind: DomainRecordKind, { selector, public_key }: KeyRow): Asked => ({
    kind,
    type: 'TXT',
    name: dkimName(selector, name),
    expected: dkimText(public_key),
  })
  const tracking = trackingHost(scope)
  return [
    { kind: 'ownership', type: 'TXT', name: ownershipName(name), expected: ownershipText(token) },
    ...keys.filter(({ state }) => state === 'active').map((key) => dkim('dkim', key)),
    ...keys.filter(({ state }) => state === 'next').map((key) => dkim('dkim_next', key)),
    { kind: 'spf', type: 'TXT', name, expected: expectedSpf(scope.context.settings.spfMechanism, []) },
    { kind: 'dmarc', type: 'TXT', name: `_dmarc.${name}`, expected: DMARC_TO_BEGIN_WITH },
    { kind: 'mx', type: 'MX', name, expected: null },
    ...(linkHost
      ? [{ kind: 'tracking', type: 'CNAME', name: linkHost, expected: scope.context.settings.linkTarget } as const]
      : isIP(tracking)
        ? []
        : [{ kind: 'tracking', type: 'CNAME', name: tracking, expected: null } as const]),
  ]
}

export const trackingHost = ({ context }: MerchantScope): string =>
  new URL(context.settings.publicUrl).hostname.replace(/^\[|\]$/g, '').toLowerCase()

/** Before the first look, or of a key made since. */
export const unchecked = (asked: Asked): DomainRecord => ({
  ...asked,
  state: 'unchecked',
  found: [],
  note: null,
  required: required.has(asked.kind),
  last_found_at: null,
})

/** Asks the name servers for each of them, at once. Never throws for what they answer. */
export function lookUp(scope: MerchantScope, domain: DomainRow, keys: readonly KeyRow[]): Promise<DomainRecord[]> {
  const { dns } = scope.context.integrations
  return Promise.all(
    recordsToPublish(scope, domain, keys).map(async (asked) => {
      const judged = await judge(scope, dns, { asked, domain, keys })
      const { spfMechanism } = scope.context.settings
      const expected =
        asked.kind === 'spf'
          ? expectedSpf(spfMechanism, judged.found)
          : asked.kind === 'dmarc' && judged.state === 'found'
            ? null
            : asked.expected
      const last_found_at = judged.state === 'found' ? scope.now.toISOString() : null
      return { ...unchecked({ ...asked, expected }), ...judged, last_found_at }
    }),
  )
}

async function judge(
  scope: MerchantScope,
  dns: Dns,
  { asked, domain, keys }: { asked: Asked; domain: DomainRow; keys: readonly KeyRow[] },
): Promise<Verdict & { name?: string }> {
  const { name } = asked
  switch (asked.kind) {
    case 'ownership':
      return orDoubled(dns, asked, domain, (answer) => judgeOwnership(answer, ownershipText(domain.token)))
    case 'dkim':
    case 'dkim_next': {
      const key = keys.find(({ selector }) => dkimName(selector, domain.name) === name) as KeyRow
      return orDoubled(dns, asked, domain, (answer) => judgeDkim(answer, key.public_key))
    }
    case 'spf':
      return judgeSpf(await dns.texts(name), scope.context.settings.spfMechanism)
    case 'dmarc':
      return judgeOwnOrParent(dns, domain.name, name)
    case 'mx':
      return judgeMx(await dns.mailHosts(name))
    case 'tracking': {
      if (asked.expected !== null)
        return judgeLinkHost(scope, dns, { host: name, target: asked.expected, status: domain.status })
      const [alias, addresses] = await Promise.all([dns.alias(name), dns.addresses(name)])
      const isSameOrganization = organizationalDomain(name) === organizationalDomain(domain.name)
      return judgeTracking(alias, addresses, { isSameOrganization })
    }
  }
}

/** Many panels add the domain to what is typed as the name: what stands there by mistake is found, and said. */
async function orDoubled(
  dns: Dns,
  { name }: Asked,
  domain: DomainRow,
  judged: (answer: DnsAnswer) => Verdict,
): Promise<Verdict> {
  const verdict = judged(await dns.texts(name))
  if (verdict.state !== 'missing') return verdict
  const doubled = judged(await dns.texts(`${name}.${domain.name}`))
  return doubled.state === 'found'
    ? { state: 'wrong', found: [`${name}.${domain.name}`], note: 'name_doubled' }
    : verdict
}

async function judgeOwnOrParent(dns: Dns, name: string, at: string): Promise<Verdict & { name?: string }> {
  const own = judgeDmarc(await dns.texts(at), { inherited: false })
  const parent = organizationalDomain(name)
  if (own.state !== 'missing' || parent === name) return own
  const inherited = judgeDmarc(await dns.texts(`_dmarc.${parent}`), { inherited: true })
  return inherited.state === 'missing' ? own : { ...inherited, name: `_dmarc.${parent}` }
}

/** A name that points to us says nothing of certificates: it is asked as the readers of the mails will. */
async function judgeLinkHost(
  scope: MerchantScope,
  dns: Dns,
  { host, target, status }: { host: string; target: string; status: SenderDomainStatus },
): Promise<Verdict> {
  const [alias, own, targets] = await Promise.all([dns.alias(host), dns.addresses(host), dns.addresses(target)])
  const verdict = judgeAlias({ alias, own, targets }, target)
  if (verdict.state !== 'found' || own.kind !== 'found') return verdict
  // The service that gets certificates for us asks whether the domain is proved.
  if (!maySendFrom(status)) return { ...verdict, state: 'unanswered', note: 'waits_for_proof' }
  const { publicUrl, isLocalSandbox } = scope.context.settings
  const answered = await askLinkHost(`${linkBase(publicUrl, host)}${askLinkDomain.path}?domain=${host}`, {
    addresses: own.values,
    expected: host,
    allowPrivate: isLocalSandbox,
  })
  if (answered === 'ours') return verdict
  return answered === 'silent'
    ? { ...verdict, state: 'unanswered', note: 'no_web_answer' }
    : { ...verdict, state: 'wrong', note: 'no_https' }
}
