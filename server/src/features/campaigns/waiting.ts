import { LATE_HOURS, type WaitReason } from '@okaeri/contract/campaigns/campaign'
import { SendingHours } from '@okaeri/contract/merchants/merchant'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findMailerPause, type MessageRow, readHold, whatIsUnconfirmed } from '../deliveries/index.ts'
import { getMerchant, nextAllowedTime } from '../merchants/index.ts'
import { type CampaignRow, isStoreUnderReview } from './queries.ts'

export const LATE_MS = LATE_HOURS * 3_600_000

export interface Held {
  reason: WaitReason
  until: Date | null
}

/** What keeps a campaign from being sent at this moment; null when nothing does. */
export async function whatHoldsIt(
  scope: MerchantScope,
  campaign: Pick<CampaignRow, 'scheduled_at' | 'started_at' | 'late_accepted' | 'wait_reason'>,
  /** Null before there is one: what is not confirmed is among the findings then. */
  message: Pick<MessageRow, 'from_email'> | null,
  at: Date,
): Promise<Held | null> {
  const merchant = await getMerchant(scope)
  const due = campaign.scheduled_at
  // An outage, or a database restored from a backup: nobody may want this mail any more (pain 23).
  const lateMs = due && campaign.started_at === null ? at.getTime() - due.getTime() : 0
  const asked = campaign.wait_reason === 'found_late'
  if ((asked || lateMs > LATE_MS) && !campaign.late_accepted) return { reason: 'found_late', until: null }
  if (await readHold(scope)) return { reason: 'sending_held', until: null }
  if (!merchant.test_mode && (await isStoreUnderReview(scope))) return { reason: 'store_under_review', until: null }
  const unconfirmed = message && (await whatIsUnconfirmed(scope, merchant, message))
  if (unconfirmed) return { reason: unconfirmed, until: null }
  const allowed = nextAllowedTime(at, SendingHours.parse(merchant.sending_hours), merchant.timezone)
  if (allowed) return { reason: 'sending_hours', until: allowed }
  const mailer = scope.context.integrations.mailers.forProvider(merchant.email_provider)
  const pause = await findMailerPause(scope, mailer.name)
  if (pause) return { reason: 'mailer_paused', until: pause.until }
  return null
}
