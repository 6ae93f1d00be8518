import { lookup, Resolver } from 'node:dns/promises'
import { IntegrationError } from '../../kernel/errors.ts'

export interface Address {
  address: string
  family: 4 | 6
}
export interface Names {
  /** The addresses of a host; throws {@link IntegrationError}, retryable, when there are none. */
  addressesOf(host: string): Promise<Address[]>
}

/** Real time; each name server is asked twice. */
const TIMEOUT_MS = 2500
const TRIES = 2

/**
 * Public names, asked of the name servers (of the system, where none are given) without the system's own resolver: that has four hands for
 * the whole process, and names whose servers never answer would hold them all.
 */
export function createNames({
  servers,
  timeoutMs = TIMEOUT_MS,
}: {
  servers?: string[]
  timeoutMs?: number
} = {}): Names {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers) resolver.setServers(servers)
  return {
    async addressesOf(host) {
      // Not every machine has a way out by IPv6, but all have one by IPv4.
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const found = [...addresses(four, 4), ...addresses(six, 6)]
      if (found.length === 0) throw notFound(host, causeOf(four, six))
      return found
    },
  }
}

/** That there is none is said only where both say so. */
function causeOf(...answers: PromiseSettledResult<string[]>[]): unknown {
  const causes = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  return causes.find((cause) => !['ENOTFOUND', 'ENODATA'].includes(cause?.code)) ?? causes[0] ?? null
}

const addresses = (answer: PromiseSettledResult<string[]>, family: 4 | 6): Address[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []

/** Names of this machine and its network too, for the sandbox. */
export const systemNames: Names = {
  async addressesOf(host) {
    try {
      return (await lookup(host, { all: true })).map(({ address, family }) => ({
        address,
        family: family === 6 ? 6 : 4,
      }))
    } catch (error) {
      throw notFound(host, error)
    }
  },
}

function notFound(host: string, cause: unknown): IntegrationError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
  return new IntegrationError('webhook', true, `${host} was not found (${code})`, { cause })
}
