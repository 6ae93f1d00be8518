import type { ClickMap } from '@okaeri/contract/reports/routes'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findFrozenMail } from '../channels/index.ts'
import { renderSent } from '../emails/index.ts'
import { countClicksByPosition } from '../tracking/index.ts'
import { findCampaign } from './queries.ts'

/** The mail of a campaign and how often each of its links was clicked. */
export async function getClickMap(scope: MerchantScope, id: string): Promise<ClickMap> {
  const campaign = await findCampaign(scope, id)
  if (!campaign) throw notFound()
  const { message_id: messageId } = campaign
  const mail = messageId ? await findFrozenMail(scope, messageId) : null
  // The message's id was not known when the mail was written: no anchor of its author's is taken for a link of ours.
  const mark = `link-${messageId ?? ''}-`
  const clicks = new Map(
    (messageId ? await countClicksByPosition(scope, messageId) : []).map((counts) => [counts.position, counts]),
  )
  return {
    mail:
      mail &&
      (await renderSent(
        scope,
        { ...mail, sender: { name: mail.from_name, email: mail.from_email } },
        (position) => `#${mark}${position}`,
      )),
    mark,
    tracking_enabled: campaign.tracking_enabled,
    test_mode: campaign.test_mode,
    links: (mail?.links ?? []).map((url, position) => ({
      position,
      url,
      click_count: clicks.get(position)?.human ?? 0,
      machine_click_count: clicks.get(position)?.machine ?? 0,
    })),
    counted_at: scope.now.toISOString(),
  }
}
