import type { ConsentState, Customer } from '@okaeri/contract/customers/customer'
import { useWords } from '../../app/i18n.ts'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'

const tones: Record<ConsentState, Tone> = {
  granted: 'success',
  withdrawn: 'danger',
  pending: 'warning',
  unknown: 'neutral',
}

interface MarketingBadgeProps {
  customer: Pick<Customer, 'marketing_state'>
  /** Names the kind of consent, if no heading does. */
  labelled?: boolean
}

/** Whether marketing may be sent, and if not, why. */
export function MarketingBadge({ customer, labelled }: MarketingBadgeProps) {
  const t = useWords('customers')
  const ui = useWords('ui')
  const state = t(`state.${customer.marketing_state}`)
  return (
    <StatusBadge tone={tones[customer.marketing_state]}>
      {labelled ? ui('labelled', { label: t('marketing'), value: state }) : state}
    </StatusBadge>
  )
}

/** Consent to mails about favorites and restock. */
export function NotificationBadge({ customer }: { customer: Pick<Customer, 'accepts_transactions'> }) {
  const t = useWords('customers')
  return customer.accepts_transactions ? (
    <StatusBadge tone="success">{t('granted')}</StatusBadge>
  ) : (
    <StatusBadge tone="neutral">{t('notGranted')}</StatusBadge>
  )
}
