import { sql } from 'kysely'
import { listCampaigns } from '../src/features/campaigns/campaign.ts'
import { newId } from '../src/kernel/ids.ts'
import { addBenchEmail, addManyCustomers, benchHtml, startInstallation } from './installation.ts'
import { timePage } from './load.ts'

interface ListsSize {
  customers: number
  campaigns: number
  /** How often each list is asked for. */
  rounds: number
}
const SIZE: ListsSize = { customers: 100_000, campaigns: 1_000, rounds: 60 }

export interface ListFigure {
  what: string
  medianMs: number
  p95Ms: number
}

/** How long the lists take over HTTP, while one of the campaigns is being sent to everyone. */
export async function runListsBench(size = SIZE): Promise<ListFigure[]> {
  const memberId = newId()
  let merchantId = ''
  const okaeri = await startInstallation({
    smtpUrl: 'smtp://127.0.0.1:9',
    authenticate: () => ({ merchantId, memberId, sessionId: memberId, role: 'owner' }),
  })
  try {
    const { scope } = okaeri
    merchantId = scope.merchantId
    await addManyCustomers(scope, size.customers)
    const emailId = await addBenchEmail(scope, benchHtml(4_000))
    await sql`
      insert into campaigns (merchant_id, id, name, status, segment_type, email_id, customer_count, reserved_at, sent_at, final_balance,
        created_at, updated_at)
      select ${merchantId}, okaeri_uuidv7(${scope.now}), 'キャンペーン ' || n, case when n = 1 then 'sending' else 'sent' end, 'all', ${emailId},
        ${size.customers}, ${scope.now}, ${scope.now},
        case when n = 1 then null else '{"audience": 0, "pending": 0, "sending": 0, "sent": 0, "failed": 0, "skipped": 0, "uncertain": 0, "skipped_by_reason": {}, "failed_by_class": {}}'::jsonb end,
        ${scope.now}::timestamptz - n * interval '1 minute', ${scope.now}
      from generate_series(1, ${size.campaigns}::int) n`.execute(scope.db)
    await sql`
      insert into message_stats (merchant_id, bucket, program_id, email_id, sent, opened, clicked)
      select ${merchantId}, date_bin('15 minutes', created_at + n * interval '1 hour', '2000-01-01'), id, email_id, 100, 20, 3
      from campaigns, generate_series(0, 40) n where merchant_id = ${merchantId}`.execute(scope.db)
    await sql`
      insert into deliveries (merchant_id, id, kind, campaign_id, customer_id, message_id, status, address, created_at)
      select ${merchantId}, okaeri_uuidv7(${scope.now}), 'campaign', k.id, c.id, k.id,
        case when random() < 0.5 then 'pending' else 'sent' end, c.email, ${scope.now}
      from customers c, campaigns k where c.merchant_id = ${merchantId} and k.merchant_id = ${merchantId} and k.status = 'sending'`.execute(
      scope.db,
    )
    await sql`analyze`.execute(scope.db)
    const { data } = await listCampaigns(scope, { sort: 'created_at', direction: 'desc', limit: 1, offset: 0 })
    const addresses: [string, string][] = [
      ['customers, first page', '/customers?limit=50'],
      ['customers, page 1,000', `/customers?limit=50&offset=${Math.min(49_950, size.customers)}`],
      ['customers, sorted by revenue', '/customers?limit=50&sort=total_revenue'],
      ['customers, searched by name', `/customers?limit=50&q=${encodeURIComponent('山田77')}`],
      ['customers, searched by address', '/customers?limit=50&q=bench-4242%40'],
      ['campaigns, first page', '/campaigns?limit=50'],
      ['campaigns, searched', `/campaigns?limit=50&q=${encodeURIComponent('ン 77')}`],
      ['its messages', `/campaigns/${data[0]?.id}/deliveries?limit=50`],
      ['one campaign while it is being sent', `/campaigns/${data[0]?.id}`],
    ]
    const figures: ListFigure[] = []
    for (const [what, address] of addresses)
      figures.push({ what, ...(await timePage(`${okaeri.url}${address}`, size.rounds)) })
    return figures
  } finally {
    await okaeri.stop()
  }
}

if (import.meta.main) console.table(await runListsBench())
