import { Stack, Text } from '@mantine/core'
import { flawText } from '@okaeri/contract/coupons/flaw'
import type { CouponTrouble } from '@okaeri/contract/coupons/routes'
import { couponText } from '@okaeri/contract/scenarios/flow/phrases'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Codes that the store is slow to make, and discounts that are not in the store what they were. Nothing where all is well. */
export function CouponTroubles({ troubles }: { troubles: readonly CouponTrouble[] }) {
  if (troubles.length === 0) return null
  return (
    <Stack gap="sm">
      {troubles.map((trouble) => (
        <Trouble key={`${trouble.kind} ${trouble.since} ${JSON.stringify(trouble.terms)}`} {...trouble} />
      ))}
    </Stack>
  )
}

function Trouble({ kind, terms, since, next_look_at: next, flaw, codes }: CouponTrouble) {
  const t = useWords('coupons')
  const format = useFormat()
  const language = useLanguage()
  const { currency } = useMerchant()
  const said = { terms: couponText(terms, { language, names: { currency } }), since: format.dateTime(since) }
  const count = { count: codes, n: format.number(codes) }
  if (kind === 'waiting')
    return (
      <Notice tone="warning" title={t('trouble.waiting')}>
        <Text size="sm">
          {t('trouble.waitingText', { ...said, ...count, next: next ? format.dateTime(next) : '—' })}
        </Text>
        <Text size="sm">{t('trouble.waitingDo')}</Text>
      </Notice>
    )
  return (
    <Notice tone="warning" title={t('trouble.changed')}>
      <Text size="sm">
        {t('trouble.changedText', said)}
        {flaw && (flawText(flaw, language) ?? flaw)}
      </Text>
      {codes > 0 && <Text size="sm">{t('trouble.dead', count)}</Text>}
      <Text size="sm">{t('trouble.changedDo')}</Text>
    </Notice>
  )
}
