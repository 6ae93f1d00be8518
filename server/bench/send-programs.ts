import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import { type RawBuilder, sql } from 'kysely'
import { createCampaign } from '../src/features/campaigns/campaign.ts'
import { reserveCampaign } from '../src/features/campaigns/reservation.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { addExecutions, addScenario, flowOf } from '../test/scenarios.ts'
import { addBenchEmail, addManyCustomers, type BenchInstallation, benchHtml } from './installation.ts'
import type { SunkMessage } from './smtp-sink.ts'

// What is mailed while things are killed, and what must hold afterwards.

export interface Program {
  begin(): Promise<unknown>
  isDone(): Promise<boolean>
  /** Which deliveries are its. */
  deliveries: RawBuilder<boolean>
}

/** Executions at a mail, due in an hour. */
export async function waitForAll({ scope }: Pick<BenchInstallation, 'scope'>, recipients: number): Promise<Program> {
  const { db, merchantId } = scope
  await addManyCustomers(scope, recipients)
  const email_id = await addBenchEmail(scope, benchHtml(4_000))
  const scenarioId = await addScenario(
    scope,
    flowOf([
      { id: 'm', kind: 'send_email', settings: { email_id, tracking_parameters: null }, next: { next: 'e' } },
      { id: 'e', kind: 'end', settings: {}, next: {} },
    ]),
  )
  const { rows } = await sql<{ id: string }>`select id from customers where merchant_id = ${merchantId}`.execute(db)
  await addExecutions(
    scope,
    scenarioId,
    rows.map(({ id }) => ({ customerId: id })),
  )
  const setWakeUp = (at: Date) =>
    sql`update executions set wake_at = ${at} where merchant_id = ${merchantId} and scenario_id = ${scenarioId}`.execute(
      db,
    )
  await setWakeUp(new Date(scope.now.getTime() + 3_600_000))
  return {
    begin: () => setWakeUp(new Date(scope.now.getTime() - 1000)),
    async isDone() {
      const left = await sql<{ left: boolean }>`
        select exists (select from executions where merchant_id = ${merchantId} and scenario_id = ${scenarioId} and status <> 'done')
          or exists (select from messages where merchant_id = ${merchantId} and scenario_id = ${scenarioId} and state <> 'done')
          as left`.execute(db)
      return left.rows[0]?.left === false
    },
    deliveries: sql<boolean>`merchant_id = ${merchantId} and scenario_id = ${scenarioId}`,
  }
}

/** To everybody at once; to a few first; or one of two subjects, and to the rest the better one. */
export type CampaignParts = 'whole' | 'canary' | 'ab_test'

const TEST = {
  differs: 'subject',
  subject: 'もうひとつの件名',
  email_id: null,
  share: 30,
  decides_by: 'clicks',
  hours: 1,
} as const

/** A campaign for an hour from now; returns its id. */
export async function reserveForAll(
  { scope, api }: Pick<BenchInstallation, 'scope' | 'api'>,
  recipients: number,
  parts: CampaignParts = 'whole',
): Promise<string> {
  await addManyCustomers(scope, recipients)
  await sql`update merchants set canary_from = ${recipients} where id = ${scope.merchantId}`.execute(scope.db)
  const campaign = await createCampaign(scope, {
    name: 'Kill',
    send_type: 'scheduled',
    scheduled_at: new Date(scope.now.getTime() + 3_600_000).toISOString(),
    segment_type: 'all',
    customer_segment_id: null,
    email_id: await addBenchEmail(scope, benchHtml(4_000)),
    channels: 'email',
    line_message_id: null,
    send_to_all: false,
    tracking_enabled: true,
    tracking_parameters: NO_PARAMETERS,
    ab_test: parts === 'ab_test' ? TEST : null,
    coupon: null,
  })
  await reserveCampaign(scope, campaign.id, {
    recipients_seen: recipients,
    fingerprint_seen: null,
    groups_seen: null,
    accepted: [],
    send_what_fits: false,
    skips_canary: parts !== 'canary',
    undo_seconds: 0,
  })
  await api.settle()
  return campaign.id
}

export const campaignOf = ({ db }: Pick<MerchantScope, 'db'>, id: string): Program => ({
  begin: () => sql`update campaigns set scheduled_at = now() - interval '1 second' where id = ${id}`.execute(db),
  async isDone() {
    // The times in which people answer are over at once; where what came of the first few stops it, a person goes on.
    await sql`update campaigns set canary_until = least(canary_until, now()), ab_decides_at = least(ab_decides_at, now()),
        canary_accepted = canary_accepted or wait_reason is not distinct from 'canary_stopped'
      where id = ${id} and (canary_until > now() or ab_decides_at > now() or wait_reason = 'canary_stopped' and not canary_accepted)`.execute(
      db,
    )
    const { rows } = await sql<{ status: string }>`select status from campaigns where id = ${id}`.execute(db)
    return rows[0]?.status === 'sent' || rows[0]?.status === 'send_failure'
  },
  deliveries: sql<boolean>`campaign_id = ${id}`,
})

export interface Verdict {
  sent: number
  uncertain: number
  /** Uncertain ones that the server has: only its answer was cut off. */
  uncertainReceived: number
  /** Uncertain ones that never reached the server: the process died between the commit and the first byte, or with the body on the way. */
  uncertainNotReceived: number
  lost: number
  twice: number
  problems: string[]
}

export interface KillReport extends Verdict {
  name: string
  recipients: number
  kills: number
  seconds: number
}

/** What each recipient got beside what the ledger says. */
export async function compare(
  { db }: Pick<MerchantScope, 'db'>,
  where: RawBuilder<boolean>,
  messages: readonly Pick<SunkMessage, 'recipient'>[],
): Promise<Verdict> {
  const { rows } = await sql<{ address: string; status: string }>`
    select address, status from deliveries where ${where}`.execute(db)
  const got = new Map<string, number>()
  for (const { recipient } of messages) got.set(recipient, (got.get(recipient) ?? 0) + 1)
  const by = (status: string) => rows.filter((row) => row.status === status)
  const [sent, uncertain] = [by('sent'), by('uncertain')]
  const others = rows.filter(({ status }) => status !== 'sent' && status !== 'uncertain')
  const problems: string[] = []
  const lost = sent.filter(({ address }) => !got.has(address))
  const twice = [...got].filter(([, count]) => count > 1)
  const surprising = others.filter(({ address }) => got.has(address))
  if (lost.length > 0)
    problems.push(
      `counted as sent, never received: ${lost
        .map(({ address }) => address)
        .slice(0, 5)
        .join(' ')}`,
    )
  if (twice.length > 0)
    problems.push(
      `received twice: ${twice
        .map(([address]) => address)
        .slice(0, 5)
        .join(' ')}`,
    )
  if (surprising.length > 0)
    problems.push(`received, but neither sent nor uncertain: ${surprising[0]?.address} ${surprising[0]?.status}`)
  if (others.length > 0) problems.push(`neither sent nor uncertain at the end: ${others.length}`)
  const expected = new Set(rows.map(({ address }) => address))
  for (const address of got.keys()) if (!expected.has(address)) problems.push(`not in the audience: ${address}`)
  const uncertainReceived = uncertain.filter(({ address }) => got.has(address)).length
  return {
    sent: sent.length,
    uncertain: uncertain.length,
    uncertainReceived,
    uncertainNotReceived: uncertain.length - uncertainReceived,
    lost: lost.length,
    twice: twice.length,
    problems,
  }
}
