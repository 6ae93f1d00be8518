import { Text } from '@mantine/core'
import type { CouponTotals } from '@okaeri/contract/coupons/routes'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { Figure, Figures } from '../../ui/figure.tsx'

/** What coupons brought, of all that are listed. */
export function CouponFigures({ totals }: { totals: CouponTotals | undefined }) {
  const t = useWords('coupons')
  const format = useFormat()
  const { issued = 0, used = 0 } = totals ?? {}
  return (
    <div>
      <Figures>
        <Figure label={t('figures.issued')} value={totals && format.number(issued)} />
        <Figure label={t('figures.used')} value={totals && format.number(used)} />
        <Figure
          label={t('figures.rate')}
          value={totals && (issued === 0 ? '—' : format.percent((used / issued) * 100))}
        />
        <Figure label={t('figures.revenue')} value={totals && format.money(totals.revenue)} />
      </Figures>
      <Text size="xs" c="dimmed" mt={6}>
        {t('figures.how')}
      </Text>
    </div>
  )
}
