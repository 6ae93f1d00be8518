import type { Campaign, CampaignStatus } from '@okaeri/contract/campaigns/campaign'
import { useWords } from '../../app/i18n.ts'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'

const tones: Record<CampaignStatus, Tone> = {
  draft: 'neutral',
  collecting: 'progress',
  reserving: 'progress',
  reserved: 'info',
  waiting: 'warning',
  sending: 'progress',
  sent: 'success',
  send_failure: 'danger',
  resolved: 'success',
  cancelled: 'neutral',
  deleted: 'neutral',
}

/** With its balance it also tells a stopped campaign from a cancelled reservation, and does not call all well that was not. */
export function CampaignBadge({
  status,
  sendType,
  balance = null,
  waitReason = null,
}: {
  status: CampaignStatus
  sendType?: Campaign['send_type']
  balance?: Campaign['balance']
  waitReason?: Campaign['wait_reason']
}) {
  const t = useWords('campaigns')
  const { tone, word } = badgeOf({ status, send_type: sendType, balance, wait_reason: waitReason })
  return <StatusBadge tone={tone}>{t(word)}</StatusBadge>
}

interface Shown {
  status: CampaignStatus
  send_type: Campaign['send_type'] | undefined
  balance: Campaign['balance']
  wait_reason?: Campaign['wait_reason']
}
/** What is sent at once is at no time called scheduled. */
export function badgeOf({ status, send_type, balance, wait_reason }: Shown) {
  const leftCount = balance ? balance.sent + balance.sending + balance.failed + balance.uncertain : 0
  if (status === 'cancelled' && leftCount > 0) return { tone: 'warning', word: 'stoppedBadge' } as const
  if (send_type === 'immediate' && (status === 'reserved' || status === 'reserving'))
    return { tone: 'progress', word: 'sendsSoonBadge' } as const
  // Nothing is wrong, and no one has to decide.
  if (status === 'waiting' && wait_reason === 'ab_test') return { tone: 'progress', word: 'ab.badge' } as const
  const notAllWell = status === 'sent' && balance !== null && balance.failed + balance.uncertain > 0
  return { tone: notAllWell ? 'warning' : tones[status], word: `status.${status}` } as const
}

/** Marked where messages went to the test addresses. */
export function TestBadge() {
  const t = useWords('campaigns')
  return <StatusBadge tone="warning">{t('testBadge')}</StatusBadge>
}

/** Their state changes without a click: their pages look every two seconds. */
export const isOnItsWay = (status: CampaignStatus): boolean =>
  status === 'collecting' || status === 'reserving' || status === 'sending' || status === 'waiting'
type Course = Pick<Campaign, 'status' | 'balance' | 'send_type' | 'scheduled_at'>
/** Also one that is reserved and due, and a stopped one that still waits for the answers to what was being sent. */
export const isMoving = (campaign: Course, now: Date): boolean =>
  isOnItsWay(campaign.status) || isDue(campaign, now) || (campaign.balance?.sending ?? 0) > 0
const isDue = ({ status, send_type, scheduled_at }: Course, now: Date): boolean =>
  status === 'reserved' && (send_type === 'immediate' || (scheduled_at !== null && new Date(scheduled_at) <= now))
/** How often a page asks again that shows these. */
export const followInterval = (campaigns: readonly Course[] | undefined): number =>
  campaigns?.some((campaign) => isMoving(campaign, new Date())) ? LIVE_INTERVAL_MS : CALM_INTERVAL_MS
export const LIVE_INTERVAL_MS = 2000
/** Spec §9. */
export const CALM_INTERVAL_MS = 30_000
