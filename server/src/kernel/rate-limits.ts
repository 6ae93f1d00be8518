import { isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CompiledQuery, sql } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Context } from './context.ts'
import { AppError } from './errors.ts'
import type { Recurring } from './work/schedule.ts'

/** How often something may be tried, over all processes, in real time. Declared by the feature it protects. */
export interface RateLimit {
  /** Stored with each count: another name is another limit. */
  readonly name: string
  readonly max: number
  readonly windowSeconds: number
  /**
   * If people must not be locked out: after `max` each further try has to wait, `first` seconds and then twice as long each time, up to `most`.
   * Without it all tries are refused until the window ends.
   */
  readonly slowDown?: { readonly first: number; readonly most: number }
}

/** A counted attempt. Both methods are for successful ones. */
export interface CountedAttempt {
  /** Does not count this one. */
  takeBack(): Promise<void>
  /** Clears the named limits; for the others this one is not counted. */
  forgive(...limits: readonly RateLimit[]): Promise<void>
}

/**
 * Counts an attempt against each limit in turn, or refuses with 429 and Retry-After at the first one that is used up. Put narrow limits
 * first, so that an attempt they refuse does not use up the wide ones. What is counted (an address, an origin) is stored as a keyed hash.
 * `reply` null: the answer names no time to come back. Not inside a transaction: it takes its own connection. Throws what the database
 * throws: without a count nothing is let through.
 */
export async function countAttempt(
  context: Context,
  reply: FastifyReply | null,
  attempts: readonly (readonly [limit: RateLimit, counted: string])[],
): Promise<CountedAttempt> {
  const counted: { limit: RateLimit; key: string; slowed: boolean }[] = []
  for (const [limit, what] of attempts) {
    const key = context.keyring.linkMac(Buffer.from(`limit ${limit.name} ${what}`), HASH_BYTES)
    const { waitMs, slowed } = await tryOnce(context, limit, key)
    if (waitMs > 0) {
      reply?.header('retry-after', Math.ceil(waitMs / 1000))
      throw new AppError('rate_limited', 'rate_limited', 'too many attempts; wait a little')
    }
    counted.push({ limit, key, slowed })
  }
  const takeBack = async ({ limit, key, slowed }: (typeof counted)[number]): Promise<void> => {
    const { attempts, turns } = countersOf(context, limit)
    if (slowed) await turns.delete(key)
    else await attempts.reward(key)
  }
  return {
    async takeBack() {
      for (const one of counted) await takeBack(one)
    },
    async forgive(...limits) {
      for (const one of counted) {
        if (!limits.includes(one.limit)) await takeBack(one)
        else for (const counter of Object.values(countersOf(context, one.limit))) await counter.delete(one.key)
      }
    },
  }
}

/** Whether it is the first time within this many seconds, over all processes. */
export async function isFirstTime(context: Context, name: string, what: string, seconds: number): Promise<boolean> {
  const key = context.keyring.linkMac(Buffer.from(`limit ${name} ${what}`), HASH_BYTES)
  return (await tryOnce(context, { name, max: 1, windowSeconds: seconds }, key)).waitMs === 0
}

/** How often it happened within this many seconds, over all processes; this time included where it counts. */
export async function countWithin(
  context: Context,
  name: string,
  what: string,
  { seconds, counts }: { seconds: number; counts: boolean },
): Promise<number> {
  const key = context.keyring.linkMac(Buffer.from(`limit ${name} ${what}`), HASH_BYTES)
  const { attempts } = countersOf(context, { name, max: Number.MAX_SAFE_INTEGER, windowSeconds: seconds })
  if (counts) return (await consumed(attempts, key, seconds)).state.consumedPoints
  const counted = await attempts.get(key)
  return counted === null || outlasts(counted, seconds) ? 0 : counted.consumedPoints
}

/** The network around an {@link originOf} that one owner may have, a /24 or a /48. */
export function rangeOf(origin: string): string {
  const address = /^(\d+\.\d+\.\d+)\.\d+$/.exec(origin)
  return address ? `${address[1]}.0/24` : origin.split(':').slice(0, GROUPS_OF_NETWORK).join(':')
}

/**
 * The origin of a request, for counting: the address, or for IPv6 the /64, which one customer of a provider has. A proxy's header counts only if
 * the proxy is trusted (`trustProxy`).
 */
export function originOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped) return mapped
  const [address = ip] = ip.split('%')
  if (!isIPv6(address)) return ip
  // In the format of the URL standard: hexadecimal, without leading zeros, the longest run of zeros as `::`.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const zeros = Math.max(0, GROUPS - groups(head).length - groups(tail).length)
  const all = [...groups(head), ...Array<string>(zeros).fill('0'), ...groups(tail)]
  return `${all.slice(0, GROUPS / 2).join(':')}::/64`
}

const GROUPS = 8
const GROUPS_OF_NETWORK = 3
const HASH_BYTES = 16

async function tryOnce(context: Context, limit: RateLimit, key: string): Promise<{ waitMs: number; slowed: boolean }> {
  const { attempts, turns, waits } = countersOf(context, limit)
  const over = await consumed(attempts, key, limit.windowSeconds)
  if (over.isAllowed) return { waitMs: 0, slowed: false }
  const { slowDown } = limit
  if (!slowDown) return { waitMs: Math.max(1, over.state.msBeforeNext), slowed: false }
  const before = await waits.get(key)
  const isOfNow = before !== null && !outlasts(before, limit.windowSeconds)
  if (before !== null && !isOfNow) await waits.delete(key)
  const waited = isOfNow ? before.consumedPoints : 0
  const seconds = Math.min(slowDown.most, slowDown.first * 2 ** Math.min(waited, MAX_DOUBLINGS))
  const turn = await consumed(turns, key, slowDown.most, seconds)
  if (!turn.isAllowed) return { waitMs: Math.max(1, turn.state.msBeforeNext), slowed: true }
  await waits.penalty(key)
  return { waitMs: 0, slowed: true }
}
/** Beyond this the wait would overflow. */
const MAX_DOUBLINGS = 30

/** Clocks of several machines may be this far apart. */
const APART_MS = 60_000
/** What lasts longer than it can was counted before the clock was set back; it would keep people out until then. */
const outlasts = ({ msBeforeNext }: RateLimiterRes, seconds: number): boolean =>
  msBeforeNext > seconds * 1000 + APART_MS

/** Counts one. `longest`: what is counted lasts no longer than so many seconds; `lasts`: how long this does, if not so long. */
async function consumed(
  counter: RateLimiterPostgres,
  key: string,
  longest: number,
  lasts = longest,
): Promise<{ isAllowed: boolean; state: RateLimiterRes }> {
  const once = () => allowed(counter.consume(key, 1, { customDuration: lasts }))
  const counted = await once()
  if (!outlasts(counted.state, longest)) return counted
  await counter.delete(key)
  return once()
}

/** The library rejects with its result what it does not allow; anything else is an error of the database. */
async function allowed(trying: Promise<RateLimiterRes>): Promise<{ isAllowed: boolean; state: RateLimiterRes }> {
  try {
    return { isAllowed: true, state: await trying }
  } catch (error) {
    if (error instanceof RateLimiterRes) return { isAllowed: false, state: error }
    throw error
  }
}

/** `attempts`: made in the window. `turns`: given to a slowed-down caller; a row exists while the next one has to wait. `waits`: so far. */
function countersOf(context: Context, { name, max, windowSeconds }: RateLimit) {
  const counter = (suffix: string, points: number): RateLimiterPostgres =>
    new RateLimiterPostgres({
      storeClient: { query: (query: StoreQuery) => run(context, query) },
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: `${name}${suffix}`,
      points,
      duration: windowSeconds,
    })
  return { attempts: counter('', max), turns: counter(':turn', 1), waits: counter(':waits', 1) }
}

interface StoreQuery {
  text: string
  values: unknown[]
}
async function run({ db }: Context, { text, values }: StoreQuery): Promise<{ rows: unknown[]; rowCount: number }> {
  const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values))
  return { rows, rowCount: Number(numAffectedRows ?? rows.length) }
}

/** Deletes the counts of past windows. */
export const forgetOldAttempts: Recurring = {
  name: 'forget old attempts',
  everyMs: 60_000,
  async run(context) {
    const nowMs = context.clock.realNow().getTime()
    const { numAffectedRows } = await sql`delete from rate_limits where key = any(array(
      select key from rate_limits where expire < ${nowMs} limit ${SWEPT_AT_ONCE} for update skip locked))`.execute(
      context.db,
    )
    return Number(numAffectedRows ?? 0) === SWEPT_AT_ONCE
  },
}
const SWEPT_AT_ONCE = 5000
