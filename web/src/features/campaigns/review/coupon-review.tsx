import { Text } from '@mantine/core'
import { type Campaign, goesBy } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { couponText } from '@okaeri/contract/scenarios/flow/phrases'
import { useFormat } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'

const MINUTE = 60

/** How many codes would be made, what they give and until when. */
export function CouponReview({ campaign, review }: { campaign: Campaign; review: CampaignReview }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const language = useLanguage()
  const { currency } = useMerchant()
  if (!review.coupon || !campaign.coupon) return null
  const { codes, expires_at, seconds, sample_code: sample } = review.coupon
  const minutes = Math.ceil(seconds / MINUTE)
  const time =
    seconds < MINUTE / 2
      ? t('coupon.review.fewSeconds')
      : t('coupon.review.minutes', { count: minutes, n: format.number(minutes) })
  return (
    <>
      <Text size="sm" fw={600}>
        {codes === 0 ? t('coupon.review.none') : t('coupon.review.codes', { count: codes, n: format.number(codes) })}
      </Text>
      <Text size="sm">
        {couponText(campaign.coupon, { language, names: { currency } })}
        {language === 'ja' ? '。' : '. '}
        {t('coupon.review.until', { time: format.dateTime(expires_at) })}
      </Text>
      <Text size="sm" c="dimmed">
        {codes === 0
          ? t('coupon.review.noneText', { sample })
          : `${t('coupon.review.time', { time })}${language === 'ja' ? '' : ' '}${
              goesBy(campaign.channels, 'email')
                ? t('coupon.review.sample', { sample })
                : t('coupon.review.sampleOfLine')
            }`}
      </Text>
    </>
  )
}
