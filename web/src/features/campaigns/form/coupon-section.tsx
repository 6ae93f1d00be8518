import { Collapse, Stack, Switch, Text } from '@mantine/core'
import { useWords } from '../../../app/i18n.ts'
import { EditSection } from '../../../ui/pages/edit-page.tsx'
import { CouponTermsFields } from '../../coupons/coupon-terms.tsx'
import type { CampaignDraftForm } from '../campaign-values.ts'

/** Whether each recipient gets a code of their own, and what it is worth: the same as of a scenario's step. */
export function CouponSection({ form }: { form: CampaignDraftForm }) {
  const t = useWords('campaigns')
  const { coupon } = form.values
  return (
    <EditSection title={t('coupon.title')} description={t('coupon.form.text')}>
      <Switch
        label={t('coupon.form.on')}
        checked={coupon.on}
        onChange={(event) => form.set('coupon', { ...coupon, on: event.currentTarget.checked })}
      />
      <Collapse expanded={coupon.on}>
        <Stack gap="sm">
          <CouponTermsFields value={coupon.terms} onChange={(terms) => form.set('coupon', { ...coupon, terms })} />
          <Text size="sm" c="dimmed">
            {t('coupon.form.place')}
          </Text>
        </Stack>
      </Collapse>
    </EditSection>
  )
}
