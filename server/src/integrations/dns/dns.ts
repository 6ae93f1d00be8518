import { Resolver } from 'node:dns/promises'

declare module '../../kernel/context.ts' {
  interface Integrations {
    dns: Dns
  }
}

/** Why a name server gave no answer that could be used. */
type DnsFailure = 'timeout' | 'servfail' | 'refused' | 'unreachable' | 'bad_answer'

/** `none`: the name servers say that there is no such record. `failed`: there was no answer either way. */
export type DnsAnswer = { kind: 'found'; values: string[] } | { kind: 'none' } | { kind: 'failed'; why: DnsFailure }

/**
 * Asks name servers. Never throws. What is found came from strangers: of each answer a limited number of values is given, each of limited
 * length and in printable ASCII.
 */
export interface Dns {
  /** The pieces of each text joined. */
  texts(name: string): Promise<DnsAnswer>
  /** Hosts, lower case, the preferred ones first; an empty one is the null MX (RFC 7505). */
  mailHosts(name: string): Promise<DnsAnswer>
  alias(name: string): Promise<DnsAnswer>
  addresses(name: string): Promise<DnsAnswer>
}

/** Real time; each name server is asked twice. */
const TIMEOUT_MS = 2500
const TRIES = 2
/** However many name servers there are, and however slowly each of them speaks. */
const LONGEST_MS = 10_000
const MOST_VALUES = 50
/** A DKIM key of 4096 bits is 750 characters; what is longer than this is no record of mail. */
const LONGEST_VALUE = 4096

/** `servers`: addresses, with a port where it is not 53; null: the system's. The timeouts are for tests. */
export function createDns({
  servers,
  timeoutMs = TIMEOUT_MS,
  longestMs = LONGEST_MS,
}: {
  servers: readonly string[] | null
  timeoutMs?: number
  longestMs?: number
}): Dns {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers) resolver.setServers(servers)
  async function ask(question: () => Promise<string[]>): Promise<DnsAnswer> {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<DnsAnswer>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'failed', why: 'timeout' }), longestMs)
    })
    const answer = question().then(found, missing)
    try {
      return await Promise.race([answer, tooLate])
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    texts: (name) => ask(async () => (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))),
    mailHosts: (name) =>
      ask(async () =>
        (await resolver.resolveMx(name))
          .sort((one, other) => one.priority - other.priority)
          .map(({ exchange }) => exchange.toLowerCase()),
      ),
    alias: (name) => ask(async () => (await resolver.resolveCname(name)).map((host) => host.toLowerCase())),
    async addresses(name) {
      const [four, six] = await Promise.all([ask(() => resolver.resolve4(name)), ask(() => resolver.resolve6(name))])
      const values = [four, six].flatMap((answer) => (answer.kind === 'found' ? answer.values : []))
      if (values.length > 0) return { kind: 'found', values }
      return four.kind === 'failed' ? four : six
    },
  }
}

const found = (values: string[]): DnsAnswer => ({ kind: 'found', values: values.slice(0, MOST_VALUES).map(printable) })
const printable = (value: string): string => value.slice(0, LONGEST_VALUE).replace(/[^\x20-\x7e]/g, '?')

const failureOf: Record<string, DnsFailure> = {
  ETIMEOUT: 'timeout',
  ESERVFAIL: 'servfail',
  EREFUSED: 'refused',
  ECONNREFUSED: 'unreachable',
  EBADRESP: 'bad_answer',
  EFORMERR: 'bad_answer',
  ENOTIMP: 'bad_answer',
}

function missing(error: unknown): DnsAnswer {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOTFOUND' || code === 'ENODATA') return { kind: 'none' }
  return { kind: 'failed', why: failureOf[code] ?? 'bad_answer' }
}
