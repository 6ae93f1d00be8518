import { Stack, Text } from '@mantine/core'
import { ownWords } from '../../../../app/i18n.ts'
import { CouponTermsFields } from '../../../coupons/coupon-terms.tsx'
import type { NodeFormProps } from './node-form.ts'

const useText = ownWords({
  help: {
    ja: '顧客ごとに、1回だけ使えるコードを発行します。',
    en: 'Creates a single-use code for each customer.',
  },
})

/** The coupon's discount and where it is valid (spec §3). */
export function IssueCouponForm({ node, onChange }: NodeFormProps<'issue_coupon'>) {
  const t = useText()
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('help')}
      </Text>
      <CouponTermsFields
        value={node.settings.coupon}
        onChange={(coupon, typing) => onChange({ ...node, settings: { coupon } }, typing)}
      />
    </Stack>
  )
}
