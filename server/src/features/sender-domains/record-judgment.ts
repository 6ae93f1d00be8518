import type { DomainRecord, DomainRecordKind, DomainRecordNote } from '@okaeri/contract/sender-domains/domain'
import type { DnsAnswer } from '../../integrations/dns/index.ts'

// What DNS answered, judged. Pure, so that every case is one line of a test.

export type Verdict = Pick<DomainRecord, 'state' | 'found'> & { note: DomainRecordNote | null }

/** What people are shown of what was found. */
const MOST_SHOWN = 5

const verdict = (state: Verdict['state'], found: readonly string[], note: DomainRecordNote | null = null): Verdict => ({
  state,
  found: found.slice(0, MOST_SHOWN),
  note,
})

/** Texts that begin as the ones in question do. */
function textsOf(answer: DnsAnswer, begins: RegExp): string[] | Verdict {
  if (answer.kind === 'failed') return verdict('unanswered', [], answer.why)
  return answer.kind === 'none' ? [] : answer.values.filter((value) => begins.test(value))
}
const isVerdict = (one: string[] | Verdict): one is Verdict => !Array.isArray(one)

export function judgeOwnership(answer: DnsAnswer, expected: string): Verdict {
  const texts = textsOf(answer, /^\s*okaeri-verification=/i)
  if (isVerdict(texts)) return texts
  // Another merchant may prove the same domain beside.
  if (texts.some((text) => text.trim() === expected)) return verdict('found', [expected])
  return texts.length === 0 ? verdict('missing', []) : verdict('wrong', texts, 'other_value')
}

/** Tags of DKIM and DMARC records (RFC 6376 §3.2): the first of a name counts. */
function tagsOf(text: string): Map<string, string> {
  const tags = new Map<string, string>()
  for (const tag of text.split(';')) {
    const at = tag.indexOf('=')
    const name = tag.slice(0, at).trim().toLowerCase()
    if (at > 0 && !tags.has(name)) tags.set(name, tag.slice(at + 1).trim())
  }
  return tags
}

export function judgeDkim(answer: DnsAnswer, publicKey: string): Verdict {
  // The version may be left out; whatever is at this name is meant as a key.
  const texts = textsOf(answer, /./)
  if (isVerdict(texts)) return texts
  if (texts.length === 0) return verdict('missing', [])
  const keys = texts.map((text) => tagsOf(text).get('p')?.replace(/\s+/g, ''))
  // A verifier takes any of them (RFC 6376 §3.6.2.2).
  if (texts.length > 1) return verdict('wrong', texts, 'several')
  const [key] = keys
  if (key === publicKey)
    return usableKey(texts[0] as string) ? verdict('found', texts) : verdict('wrong', texts, 'other_value')
  if (key === '') return verdict('wrong', texts, 'revoked')
  return verdict('wrong', texts, key && publicKey.startsWith(key) ? 'cut_off' : 'other_value')
}

/** Tags beside the key that would keep our signatures from being taken. */
function usableKey(text: string): boolean {
  const tags = tagsOf(text)
  const allows = (name: string, wanted: string): boolean =>
    (tags.get(name) ?? wanted).split(':').some((one) => one.trim().toLowerCase() === wanted || one.trim() === '*')
  return (tags.get('v') ?? 'DKIM1') === 'DKIM1' && allows('k', 'rsa') && allows('h', 'sha256') && allows('s', 'email')
}

/** `mechanism`: what names our mail server (`include:spf.example`); null where the operator did not say. */
export function judgeSpf(answer: DnsAnswer, mechanism: string | null): Verdict {
  const texts = textsOf(answer, /^v=spf1(?:\s|$)/i)
  if (isVerdict(texts)) return texts
  if (texts.length === 0) return verdict('missing', [])
  // RFC 7208 §4.5: more than one is an error for every receiver.
  if (texts.length > 1) return verdict('wrong', texts, 'several')
  const terms = (texts[0] as string).toLowerCase().split(/\s+/)
  if (terms.includes('+all') || terms.includes('all')) return verdict('wrong', texts, 'allows_all')
  const has =
    mechanism === null ||
    mechanism
      .toLowerCase()
      .split(/\s+/)
      .every((term) => terms.includes(term))
  return has ? verdict('found', texts) : verdict('wrong', texts, 'not_included')
}

/** What its owner has, with our server in it; a record of its own where there is none. Null: there is nothing to add. */
export function expectedSpf(mechanism: string | null, found: readonly string[]): string | null {
  if (mechanism === null) return null
  const [text] = found
  if (text === undefined) return `v=spf1 ${mechanism} ~all`
  const terms = text.trim().split(/\s+/)
  const missing = mechanism
    .split(/\s+/)
    .filter((term) => !terms.some((one) => one.toLowerCase() === term.toLowerCase()))
  return [terms[0], ...missing, ...terms.slice(1)].join(' ').replace(/(^|\s)\+?all(?=\s|$)/i, '$1~all')
}

const policies = ['none', 'quarantine', 'reject'] as const

/** `inherited`: it is the organizational domain's, whose policy for subdomains counts (`sp`). */
export function judgeDmarc(answer: DnsAnswer, { inherited }: { inherited: boolean }): Verdict {
  const texts = textsOf(answer, /^v=DMARC1\s*(?:;|$)/i)
  if (isVerdict(texts)) return texts
  if (texts.length === 0) return verdict('missing', [])
  // RFC 7489 §6.6.3: with more than one none counts.
  if (texts.length > 1) return verdict('wrong', texts, 'several')
  const tags = tagsOf(texts[0] as string)
  const named = ((inherited ? tags.get('sp') : undefined) ?? tags.get('p') ?? '').toLowerCase()
  const policy = policies.find((one) => one === named)
  // Our signature names the very domain of the sender, so it is aligned however strict the record is.
  return policy ? verdict('found', texts, `policy_${policy}`) : verdict('wrong', texts, 'no_policy')
}

export function judgeMx(answer: DnsAnswer): Verdict {
  if (answer.kind === 'failed') return verdict('unanswered', [], answer.why)
  if (answer.kind === 'none') return verdict('missing', [])
  const hosts = answer.values.filter((host) => host !== '' && host !== '.')
  return hosts.length > 0 ? verdict('found', hosts) : verdict('wrong', [], 'no_mail')
}

/** Where the links of our mails lead: whether the name is there, and whether it looks like the sender's. */
export function judgeTracking(
  alias: DnsAnswer,
  addresses: DnsAnswer,
  { isSameOrganization }: { isSameOrganization: boolean },
): Verdict {
  const chain = alias.kind === 'found' ? alias.values : []
  if (addresses.kind === 'failed') return verdict('unanswered', chain, addresses.why)
  if (addresses.kind === 'none') return verdict('missing', chain)
  return verdict('found', [...chain, ...addresses.values], isSameOrganization ? null : 'other_domain')
}

/**
 * The link domain of a merchant: it points to the target, over other names or by the same addresses, as services do that stand in for a CNAME.
 * Its addresses are needed too: a name that leads nowhere is not there.
 */
export function judgeAlias(
  { alias, own, targets }: { alias: DnsAnswer; own: DnsAnswer; targets: DnsAnswer },
  target: string,
): Verdict {
  const chain = alias.kind === 'found' ? alias.values : []
  if (alias.kind === 'failed') return verdict('unanswered', [], alias.why)
  if (own.kind === 'failed') return verdict('unanswered', chain, own.why)
  if (own.kind === 'none') return chain.length === 0 ? verdict('missing', []) : verdict('wrong', chain, 'other_value')
  if (chain.includes(target)) return verdict('found', chain)
  if (targets.kind === 'failed') return verdict('unanswered', chain, targets.why)
  const isSame = targets.kind === 'found' && own.values.every((address) => targets.values.includes(address))
  return isSame
    ? verdict('found', [...chain, ...own.values])
    : verdict('wrong', [...chain, ...own.values], 'other_value')
}

/** Of these, losing one is worth a mail to the merchant; the others are as the merchant likes. */
const watchedKinds: ReadonlySet<DomainRecordKind> = new Set(['ownership', 'dkim', 'spf', 'dmarc', 'mx'])
export const isWatched = (record: Pick<DomainRecord, 'kind' | 'expected'>): boolean =>
  watchedKinds.has(record.kind) || isOwnLinkDomain(record)
/** Without an expected value it is the installation's. */
export const isOwnLinkDomain = ({ kind, expected }: Pick<DomainRecord, 'kind' | 'expected'>): boolean =>
  kind === 'tracking' && expected !== null
export const required: ReadonlySet<DomainRecordKind> = new Set(['ownership', 'dkim'])

/** It was there, and the name servers say that it no longer exists. */
export const isGone = ({ state, last_found_at }: Pick<DomainRecord, 'state' | 'last_found_at'>): boolean =>
  last_found_at !== null && (state === 'missing' || state === 'wrong')
