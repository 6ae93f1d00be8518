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

export function CampaignBadge({ status }: { status: CampaignStatus }) {
  const t = useWords('campaigns')
  return <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>
}

/** Marked where messages went to the test addresses. */
export function TestBadge() {
  const t = useWords('campaigns')
  return <StatusBadge tone="warning">{t('testBadge')}</StatusBadge>
}

/** Something about these changes by itself: their pages look every two seconds. */
export const isOnItsWay = (status: CampaignStatus): boolean =>
  status === 'collecting' || status === 'reserving' || status === 'sending' || status === 'waiting'
/** Also a stopped one that still waits for the answers to what was being sent. */
export const isMoving = ({ status, balance }: Pick<Campaign, 'status' | 'balance'>): boolean =>
  isOnItsWay(status) || (balance?.sending ?? 0) > 0
export const LIVE_INTERVAL_MS = 2000
/** Spec §9. */
export const CALM_INTERVAL_MS = 30_000
