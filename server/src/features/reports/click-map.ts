import type { ClickMap } from '@okaeri/contract/reports/routes'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findMessage } from '../deliveries/index.ts'
import { renderSent } from '../emails/index.ts'
import { countClicksByPosition } from '../tracking/index.ts'
import { findCampaign } from './queries.ts'

/** The mail of a campaign and how often each of its links was clicked. */
export async function getClickMap(scope: MerchantScope, id: string): Promise<ClickMap> {
  const campaign = await findCampaign(scope, id)
  if (!campaign) throw notFound()
  const message = campaign.message_id ? await findMessage(scope, campaign.message_id) : null
  // The message's id was not known when the mail was written: no anchor of its author's is taken for a link of ours.
  const mark = `link-${message?.id ?? ''}-`
  const clicks = new Map(
    (message ? await countClicksByPosition(scope, message.id) : []).map((counts) => [counts.position, counts]),
  )
  return {
    mail:
      message &&
      (await renderSent(
        scope,
        { ...message, sender: { name: message.from_name, email: message.from_email } },
        (position) => `#${mark}${position}`,
      )),
    mark,
    tracking_enabled: campaign.tracking_enabled,
    test_mode: campaign.test_mode,
    links: (message?.links ?? []).map((url, position) => ({
      position,
      url,
      click_count: clicks.get(position)?.human ?? 0,
      machine_click_count: clicks.get(position)?.machine ?? 0,
    })),
    counted_at: scope.now.toISOString(),
  }
}
