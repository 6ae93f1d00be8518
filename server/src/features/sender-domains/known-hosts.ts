import type { Context } from '../../kernel/context.ts'
import { merchantsOfLinkHost } from './link-domain.ts'
import { selectServedHosts } from './link-domain-queries.ts'

/** So long (real time) a host that just became a link domain, by another process, is not known to be one here. */
const READ_AGAIN_MS = 1000
/** If the installation has more, each host is looked up by its name. */
const MOST_HOSTS = 50_000

type Hosts = ReadonlyMap<string, readonly string[]>
interface Known {
  /** Null: there are too many. */
  hosts: Hosts | null
  readMs: number
}
const knownOf = new WeakMap<Context, { known: Known | null; reading: Promise<Known> | null }>()

/** As {@link merchantsOfLinkHost}, from all hosts of the installation, read at once: a host that a stranger makes up costs no question. */
export async function knownMerchantsOfLinkHost(context: Context, host: string): Promise<readonly string[]> {
  const { hosts } = await read(context)
  return hosts ? (hosts.get(host) ?? []) : merchantsOfLinkHost(context, host)
}

async function read(context: Context): Promise<Known> {
  const memory = knownOf.get(context) ?? { known: null, reading: null }
  knownOf.set(context, memory)
  const nowMs = context.clock.realNow().getTime()
  if (memory.known && Math.abs(nowMs - memory.known.readMs) < READ_AGAIN_MS) return memory.known
  const reading = memory.reading ?? readAll(context, nowMs)
  memory.reading = reading
  try {
    memory.known = await reading
    return memory.known
  } catch (error) {
    // A host that was one stays one while the database is away.
    if (memory.known) return memory.known
    throw error
  } finally {
    memory.reading = null
  }
}

async function readAll(context: Context, readMs: number): Promise<Known> {
  const rows = await selectServedHosts(context, MOST_HOSTS + 1)
  if (rows.length > MOST_HOSTS) return { hosts: null, readMs }
  const hosts = new Map<string, string[]>()
  for (const { host, merchant_id } of rows) hosts.set(host, [...(hosts.get(host) ?? []), merchant_id])
  return { hosts, readMs }
}

/** A host became a link domain here: this process knows it from its next request on. */
export const forgetKnownHosts = (context: Context): void => void knownOf.delete(context)
