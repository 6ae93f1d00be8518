import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { invalid } from '../../kernel/errors.ts'
import { senderDomainIsPublic } from '../merchants/index.ts'

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
/** A record's name before it takes room too (`selector._domainkey.`). */
const LONGEST_NAME = 200
/** RFC 6761, RFC 6762, RFC 9476 and ICANN's `internal`: names no registry gives out. The sandbox plays them. */
const SPECIAL = /(?:^|\.)(?:test|example|invalid|localhost|local|internal|lan|home|corp|onion|alt|arpa)$/

/**
 * The name as DNS writes it. Refuses what no merchant can own: public suffixes (`co.jp`), public mail services (spec §5), addresses of
 * machines, and, outside the sandbox, names under no public suffix, so that a private network is not looked into.
 */
export function readDomainName(
  given: string,
  { inSandbox, field = 'sender_domain.name' }: { inSandbox: boolean; field?: string },
): string {
  const refuse = () => invalid({ [field]: 'not_a_domain' })
  // What stands before or behind the host in an address would be dropped without a word.
  if (/[\s/\\:?#@%[\]]/.test(given.trim())) throw refuse()
  const name = domainToASCII(given.trim().replace(/\.$/, '')).toLowerCase()
  const labels = name.split('.')
  if (name.length > LONGEST_NAME || labels.length < 2 || !labels.every((label) => LABEL.test(label))) throw refuse()
  const { domain, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true })
  if (!domain) throw refuse()
  if (!inSandbox && (SPECIAL.test(name) || !(isIcann || isPrivate))) throw refuse()
  if (senderDomainIsPublic(`@${name}`)) throw invalid({ [field]: 'public_mail_domain' }, 'sender_domain_public')
  return name
}

/** As people write it; null where that is the same. */
export function unicodeName(name: string): string | null {
  const unicode = domainToUnicode(name)
  return unicode === name || unicode === '' ? null : unicode
}

/** The domain its owner registered, whose DMARC policy holds for all below it (RFC 7489 §3.2). */
export const organizationalDomain = (name: string): string => parse(name).domain ?? name

/** What stands behind the @ of an address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
