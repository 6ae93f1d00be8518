import type { AbGroup } from '@okaeri/contract/campaigns/ab-test'
import { goesBy } from '@okaeri/contract/campaigns/campaign'
import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { type Locale, wordsIn } from '@okaeri/contract/locale'
import { decimalOf } from '@okaeri/contract/money'
import { BYTE_ORDER_MARK, CSV_TYPE, csvLines, localTimes } from '../../kernel/csv.ts'
import { type Download, inFileName } from '../../kernel/http/download.ts'
import { notFound } from '../../kernel/errors.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { type CampaignRow, findCampaign, hasVariants, listClicks, listMessageIds, listRecipients } from './queries.ts'
import { fileWords } from './words.ts'

const ROWS_A_PAGE = 1000

async function openCampaign(scope: MerchantScope, id: string): Promise<CampaignRow> {
  const campaign = await findCampaign(scope, id)
  if (!campaign) throw notFound()
  return campaign
}

const fileName = (campaign: CampaignRow, what: string): string => `${inFileName(campaign.name)}_${what}.csv`

/** The person a row is about. With LINE, the channel and the name there are added. */
const toWhom =
  (byLine: boolean, channels: Record<ChannelName, string>) =>
  ({ name, channel, recipient }: { name: string | null; channel: ChannelName; recipient: string | null }) => {
    const address = channel === 'email' ? recipient : null
    return byLine ? [name, channels[channel], address, channel === 'line' ? recipient : null] : [name, address]
  }

/** Everyone the campaign was for, with what came of their message. */
export async function downloadRecipients(scope: MerchantScope, id: string, language: Locale): Promise<Download> {
  const campaign = await openCampaign(scope, id)
  const { timezone, currency } = await getMerchant(scope)
  const words = wordsIn(fileWords, language)
  const time = localTimes(timezone)
  const byLine = goesBy(campaign.channels, 'line')
  const who = toWhom(byLine, words.channel)
  async function* content(): AsyncGenerator<string> {
    const messages = await listMessageIds(scope, id)
    const languages = await hasVariants(scope, id)
    const groups = messages.some(({ ab_group }) => ab_group) ? words.group : null
    const columns = words.recipientColumns(timezone, currency, byLine)
    yield BYTE_ORDER_MARK +
      csvLines([[...columns, ...(languages ? [words.languageTitle] : []), ...(groups ? [groups.title] : [])]])
    for (const message of messages)
      for (let after = NIL_ID, more = true; more; ) {
        const rows = await listRecipients(scope, { messageId: message.id, after, limit: ROWS_A_PAGE }, currency)
        if (rows.length > 0)
          yield csvLines(
            rows.map((row) => [
              ...who(row),
              row.subject,
              words.status[row.status],
              row.reason ? (words.reason[row.reason] ?? row.reason) : null,
              row.detail,
              row.test_mode ? words.yes : null,
              time(row.sent_at),
              time(row.opened_at),
              time(row.clicked_at),
              row.opened_at ? null : time(row.machine_opened_at),
              row.clicked_at ? null : time(row.machine_clicked_at),
              time(row.bounced_at),
              row.bounce_kind && words.bounceKind[row.bounce_kind],
              time(row.unsubscribed_at),
              time(row.complained_at),
              row.orders,
              decimalOf(row.revenue, currency),
              row.other_revenue
                .map((money) => `${decimalOf(money.amount, money.currency)} ${money.currency}`)
                .join(', '),
              ...(languages ? [row.language && words.languageName(row.language)] : []),
              ...(groups ? [groups[message.ab_group as AbGroup]] : []),
            ]),
          )
        after = rows.at(-1)?.id ?? after
        more = rows.length === ROWS_A_PAGE
      }
  }
  return { fileName: fileName(campaign, words.recipients), mediaType: CSV_TYPE, content: content() }
}

/** Every click on the campaign's links, with who is thought to have made it and why. */
export async function downloadClicks(scope: MerchantScope, id: string, language: Locale): Promise<Download> {
  const campaign = await openCampaign(scope, id)
  const { timezone } = await getMerchant(scope)
  const words = wordsIn(fileWords, language)
  const time = localTimes(timezone)
  const byLine = goesBy(campaign.channels, 'line')
  const who = toWhom(byLine, words.channel)
  async function* content(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLines([words.clickColumns(timezone, byLine)])
    for (const message of await listMessageIds(scope, id))
      for (let after = { deliveryId: NIL_ID, hitId: NIL_ID }, more = true; more; ) {
        const rows = await listClicks(scope, { messageId: message.id, after, limit: ROWS_A_PAGE })
        if (rows.length > 0)
          yield csvLines(
            rows.map((row) => [
              time(row.occurred_at),
              ...who(row),
              message.links[row.link_position ?? -1] ?? null,
              words.verdict[row.verdict ?? 'none'],
              row.evidence ? (words.evidence[row.evidence] ?? row.evidence) : null,
              row.user_agent,
              row.network,
            ]),
          )
        const last = rows.at(-1)
        if (last) after = { deliveryId: last.delivery_id, hitId: last.hit_id }
        more = rows.length === ROWS_A_PAGE
      }
  }
  return { fileName: fileName(campaign, words.clicks), mediaType: CSV_TYPE, content: content() }
}
