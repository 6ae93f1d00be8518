import { type DeliveryStatus, type DeliveryView, FailureClass, SkipReason } from '@okaeri/contract/deliveries/delivery'
import { useWords } from '../../app/i18n.ts'
import type { Tone } from '../../ui/status-badge.tsx'

export const deliveryTones: Record<DeliveryStatus, Tone> = {
  pending: 'info',
  sending: 'progress',
  sent: 'success',
  failed: 'danger',
  skipped: 'neutral',
  uncertain: 'warning',
}

/** Why a message was skipped or failed, as a sentence; null where there is nothing to say. */
export function useReasonText(): (delivery: Pick<DeliveryView, 'status' | 'reason'>) => string | null {
  const t = useWords('deliveries')
  return ({ status, reason }) => {
    if (reason === null) return null
    const skip = SkipReason.safeParse(reason)
    if (skip.success) return t(`skip.${skip.data}`)
    const failure = FailureClass.safeParse(reason)
    // A reason of a newer server than this page is shown as it is rather than hidden.
    const why = failure.success ? t(`failure.${failure.data}`) : reason
    return status === 'pending' ? t('triedAgain', { reason: why }) : why
  }
}
