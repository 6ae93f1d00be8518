import { randomInt } from 'node:crypto'
import { type DomainRecord, FAILING_DAYS, maySendFrom, type SenderDomain } from '@okaeri/contract/sender-domains/domain'
import type { FastifyReply } from 'fastify'
import { notFound } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope, type TransactionScope } from '../../kernel/merchant-scope.ts'
import { countAttempt, type RateLimit } from '../../kernel/rate-limits.ts'
import { confirmDomain, getMerchant, unconfirmDomain } from '../merchants/index.ts'
import { getForUpdate, present } from './domain.ts'
import { domainOf } from './domain-name.ts'
import { LONGEST_PAUSE_MS } from './due-queries.ts'
import { forgetKnownHosts } from './known-hosts.ts'
import { markLinkHostServed } from './link-domain-queries.ts'
import { lookUp } from './lookup.ts'
import {
  claimDueDomain,
  type DomainRow,
  deleteFormerKeys,
  findDomain,
  findDomainByName,
  type KeyRow,
  promoteKey,
  selectKeys,
  updateDomain,
} from './queries.ts'
import { isGone, isOwnLinkDomain, isWatched, required } from './record-judgment.ts'
import { mailDomainWarning } from './warning.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Two looks closer together see the same answer of a name server's memory: they are one. */
const APART_MS = 10 * MINUTE
/** What went away is believed at the second look. */
const CHECKS_TO_BELIEVE = 2
/** The former key stays: mail is verified when it arrives, and servers try for five days. */
const PUBLISHED_MS = 7 * DAY
/** The next check, where the result of this one was never recorded. */
const CHECK_MS = 15 * MINUTE

/** Each asks a dozen questions of other people's servers. */
const checksAsked: RateLimit = { name: 'domain_checks', max: 60, windowSeconds: 3600 }

/** A member presses the button. Without a name: the domain of the settings' sender. */
export async function checkNow(
  scope: MerchantScope,
  reply: FastifyReply,
  name: string | undefined,
): Promise<{ result: 'success' | 'failure'; sender_domain: SenderDomain }> {
  const { sender_email: email } = await getMerchant(scope)
  const domain = await findDomainByName(scope, name?.toLowerCase() ?? domainOf(email))
  if (!domain) throw notFound('there is no such domain')
  await countAttempt(scope.context, reply, [[checksAsked, scope.merchantId]])
  const checked = await check(scope, domain.id)
  if (!checked) throw notFound('it was deleted meanwhile')
  return { result: checked.status === 'verified' ? 'success' : 'failure', sender_domain: checked }
}

/** One domain of the merchant that is due. Returns whether there was one. */
export async function checkDue(scope: MerchantScope): Promise<boolean> {
  const { now } = scope
  const [late, until] = [LONGEST_PAUSE_MS, CHECK_MS].map((ms) => new Date(now.getTime() + ms)) as [Date, Date]
  const id = await claimDueDomain(scope, late, until)
  if (id) await check(scope, id)
  return id !== null
}

/** No transaction is open while name servers are asked. Null: it was deleted meanwhile. */
async function check({ context, merchantId }: MerchantScope, id: string): Promise<SenderDomain | null> {
  const scope = merchantScope(context, merchantId)
  const asked = await findDomain(scope, id)
  if (!asked) return null
  const keys = await selectKeys(scope, id)
  const found = await lookUp(scope, asked, keys)
  const checked = await scope.transaction(async (scope) => {
    if (!(await findDomain(scope, id))) return null
    const domain = await getForUpdate(scope, id)
    await keep(scope, domain, { found, keys })
    const after = await getForUpdate(scope, id)
    return present(scope, after, await selectKeys(scope, id))
  })
  // Its link domain could not be looked at before it was proved.
  const isProvedNow = checked !== null && maySendFrom(checked.status) && !maySendFrom(asked.status)
  return isProvedNow && checked.link_domain ? check(scope, id) : checked
}

async function keep(
  scope: TransactionScope,
  domain: DomainRow,
  { found, keys }: { found: readonly DomainRecord[]; keys: readonly KeyRow[] },
): Promise<void> {
  const remembered = found.map((record) => withMemory(record, domain.records))
  const next = remembered.find(({ kind }) => kind === 'dkim_next')
  const signsNow = next?.state === 'found' && (await isStillNext(scope, domain.id, keys)) ? next : null
  // The record of the key that signed until now is no longer needed.
  const records = signsNow
    ? remembered.flatMap((record): DomainRecord[] =>
        record.kind === 'dkim' ? [] : record === signsNow ? [{ ...record, kind: 'dkim', required: true }] : [record],
      )
    : remembered
  const change = judgeDomain(domain, records, scope.now)
  const before = maySendFrom(domain.status)
  const after = maySendFrom(change.status)
  await deleteFormerKeys(scope, domain.id)
  if (after && !before) await confirmDomain(scope, domain.name)
  if (before && !after) await unconfirmDomain(scope, domain.name)
  if (signsNow) await promoteKey(scope, domain.id, new Date(scope.now.getTime() + PUBLISHED_MS))
  if (change.link_host_verified_at && !domain.link_host_verified_at && domain.link_host) {
    await markLinkHostServed(scope, domain.link_host)
    forgetKnownHosts(scope.context)
  }
  await updateDomain(scope, domain.id, { ...change, records })
  const isNews = change.warned_at !== domain.warned_at || change.status !== domain.status
  if (change.warned_at && isNews)
    await scope.context.jobs.later(scope, mailDomainWarning, { domainId: domain.id, at: scope.now.toISOString() })
}

/** Another process may have looked at the same time. */
async function isStillNext(scope: TransactionScope, domainId: string, asked: readonly KeyRow[]): Promise<boolean> {
  const next = (keys: readonly KeyRow[]) => keys.find(({ state }) => state === 'next')?.selector
  return next(asked) !== undefined && next(asked) === next(await selectKeys(scope, domainId))
}

/** What is not there now keeps the time when it last was. */
function withMemory(record: DomainRecord, known: readonly DomainRecord[]): DomainRecord {
  const before = known.find(({ kind, name }) => kind === record.kind && (kind === 'dmarc' || name === record.name))
  return { ...record, last_found_at: record.last_found_at ?? before?.last_found_at ?? null }
}

type Change = Pick<
  DomainRow,
  | 'status'
  | 'gone_checks'
  | 'verified_at'
  | 'failing_since'
  | 'warned_at'
  | 'checked_at'
  | 'next_check_at'
  | 'link_host_verified_at'
>

/** What a check means. Where name servers gave no answer nothing changes: it is not known that anything is wrong. */
export function judgeDomain(domain: DomainRow, records: readonly DomainRecord[], now: Date): Change {
  const needed = records.filter(({ kind }) => required.has(kind))
  const isProved = needed.every(({ state }) => state === 'found')
  const isDenied = needed.some(({ state }) => state === 'missing' || state === 'wrong')
  const gone = maySendFrom(domain.status) && records.some((record) => isWatched(record) && isGone(record))
  const isApart = domain.checked_at === null || now.getTime() - domain.checked_at.getTime() >= APART_MS
  const goneChecks = gone ? Math.min(domain.gone_checks + (isApart || domain.gone_checks === 0 ? 1 : 0), 100) : 0
  const believed = goneChecks >= CHECKS_TO_BELIEVE
  const change = {
    status: domain.status,
    gone_checks: goneChecks,
    verified_at: domain.verified_at,
    failing_since: domain.failing_since,
    warned_at: believed ? (domain.warned_at ?? now) : null,
    checked_at: now,
    link_host_verified_at: domain.link_host_verified_at,
  }
  if (isProved)
    Object.assign(change, { status: 'verified', verified_at: domain.verified_at ?? now, failing_since: null })
  else if (domain.status === 'verified' && isDenied && believed)
    Object.assign(change, { status: 'failing', failing_since: now })
  else if (domain.status === 'failing' && isDenied && isOver(domain.failing_since, now))
    Object.assign(change, { status: 'lost', verified_at: null, failing_since: null, warned_at: null, gone_checks: 0 })
  const own = records.find((record) => isOwnLinkDomain(record) && record.name === domain.link_host)
  if (own?.state === 'found' && maySendFrom(change.status)) change.link_host_verified_at ??= now
  // New mails use the installation's own host until it is back.
  if (!own || !maySendFrom(change.status) || (isGone(own) && believed)) change.link_host_verified_at = null
  return { ...change, next_check_at: new Date(now.getTime() + pauseMs(change, domain, records, now)) }
}

const isOver = (since: Date | null, now: Date): boolean =>
  since !== null && now.getTime() - since.getTime() >= FAILING_DAYS * DAY

/** Often while a person waits for it, daily once it stands; a little apart, so that not all domains are asked for at the same moment. */
function pauseMs(
  {
    status,
    gone_checks: gone,
    link_host_verified_at,
  }: Pick<Change, 'status' | 'gone_checks' | 'link_host_verified_at'>,
  { created_at, link_host, link_host_since }: DomainRow,
  records: readonly DomainRecord[],
  now: Date,
): number {
  const age = now.getTime() - Math.max(created_at.getTime(), link_host_since?.getTime() ?? 0)
  const isWaited =
    status === 'pending' ||
    (link_host !== null && link_host_verified_at === null) ||
    records.some(({ kind, state }) => kind === 'dkim_next' && state !== 'found')
  const pause =
    gone === 1
      ? CHECK_MS
      : status === 'failing'
        ? HOUR
        : isWaited && age < DAY
          ? 10 * MINUTE
          : isWaited && age < 7 * DAY
            ? HOUR
            : records.some(({ state }) => state === 'unanswered')
              ? 2 * HOUR
              : isWaited && age < 30 * DAY
                ? 6 * HOUR
                : DAY
  return pause + randomInt(Math.ceil(pause / 10))
}
