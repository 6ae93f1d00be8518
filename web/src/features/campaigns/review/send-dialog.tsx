import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { type Campaign, goesBy } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import type { Finding, FindingCode } from '@okaeri/contract/emails/email'
import { languageNames } from '@okaeri/contract/locale'
import { couponText } from '@okaeri/contract/scenarios/flow/phrases'
import { IconCalendarCheck, IconSend } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { useFormat } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { Facts } from '../../../ui/pages/detail-page.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useLanguageName } from '../../emails/email-language.ts'
import { testersOf } from './testers.ts'
import { unresolvedOf } from './unresolved.ts'

interface SendDialogProps {
  campaign: Campaign
  review: CampaignReview
  busy: boolean
  /** With every warning, each of them ticked. */
  onConfirm: (accepted: FindingCode[]) => void
  onClose: () => void
}

/** Of both emails of a test. */
export const allFindings = ({ findings, ab_test }: CampaignReview): Finding[] => [
  ...findings,
  ...(ab_test?.findings ?? []),
]

/** The last question: how many people, who, what and from whom, and a yes to each thing that was not mended. */
export function SendDialog({ campaign, review, busy, onConfirm, onClose }: SendDialogProps) {
  const t = useWords('campaigns')
  const emails = useWords('emails')
  const format = useFormat()
  const { setting } = useMerchant()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const immediate = campaign.send_type === 'immediate'
  const facts = useFacts(campaign, review)
  const codes = [...new Set(allFindings(review).map(({ code }) => code))]
  const unresolved = unresolvedOf(allFindings(review))
  const open = [
    ...unresolved.map(({ key, code, detail, language }) => {
      const named = detail
        ? t('sendDialog.finding', { title: emails(`finding.${code}.title`), detail })
        : emails(`finding.${code}.title`)
      return { key, label: language ? `${languageNames[language]} — ${named}` : named }
    }),
    ...(review.without_consent > 0
      ? [{ key: 'consent', label: t('review.withoutConsent', { n: format.number(review.without_consent) }) }]
      : []),
  ]
  const tick = (key: string, on: boolean) =>
    setTicked((before) => new Set(on ? [...before, key] : [...before].filter((one) => one !== key)))
  return (
    <Dialog opened onClose={onClose} title={t(immediate ? 'sendDialog.titleNow' : 'sendDialog.titleLater')} size="lg">
      <Stack gap="md">
        <Facts items={facts} />
        {open.length > 0 && (
          <Stack gap="xs">
            <Text size="sm" fw={600}>
              {t('sendDialog.unresolved')}
            </Text>
            {open.map(({ key, label }) => (
              <Checkbox
                key={key}
                label={label}
                styles={{ label: { overflowWrap: 'anywhere' } }}
                checked={ticked.has(key)}
                onChange={(event) => tick(key, event.currentTarget.checked)}
              />
            ))}
          </Stack>
        )}
        {setting.undo_seconds > 0 && (
          <Text size="sm" c="dimmed">
            {t('sendDialog.undo', { seconds: format.number(setting.undo_seconds) })}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('sendDialog.back')}
          </Button>
          <Button
            leftSection={immediate ? <IconSend size={18} aria-hidden /> : <IconCalendarCheck size={18} aria-hidden />}
            loading={busy}
            disabled={ticked.size < open.length}
            onClick={() => onConfirm(codes)}
          >
            {t(immediate ? 'sendDialog.confirmNow' : 'sendDialog.confirmLater')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** How many people, who, what, from whom and when. */
function useFacts(campaign: Campaign, review: CampaignReview): ComponentProps<typeof Facts>['items'] {
  const t = useWords('campaigns')
  const emails = useWords('emails')
  const format = useFormat()
  const { currency } = useMerchant()
  const language = useLanguage()
  const nameOf = useLanguageName()
  const immediate = campaign.send_type === 'immediate'
  // How many by which channel, where there are several.
  const byChannel =
    review.parts.length < 2
      ? ''
      : ` (${review.parts
          .map(({ channel, recipients }) =>
            t('review.part', {
              channel: t(`channels.${channel}`),
              people: t('review.people', { count: recipients, n: format.number(recipients) }),
            }),
          )
          .join(' · ')})`
  /** For a test both, where they differ. */
  const ofBoth = (what: 'subject' | 'from'): string | undefined => {
    const [a, b] = [review.sample?.[what], review.ab_test?.sample?.[what]]
    return b === undefined || a === b ? a : t('ab.review.both', { a: a ?? '', b })
  }
  return [
    {
      label: t('sendDialog.people'),
      value: review.test_mode
        ? t('sendDialog.test', {
            cap: format.number(review.test_cap),
            recipients: format.list(testersOf(review)),
          })
        : `${t(campaign.channels === 'both' ? 'review.messages' : 'review.people', { count: review.recipients, n: format.number(review.recipients) })}${byChannel}`,
    },
    {
      label: t('segment'),
      value: campaign.segment_type === 'all' ? t('allCustomers') : (campaign.customer_segment?.name ?? t('notChosen')),
    },
    review.languages.length > 0 && {
      label: emails('languages.title'),
      value: review.languages
        .map(({ language, people }) =>
          emails('languages.people', {
            name: nameOf(language),
            people: t('review.people', { count: people, n: format.number(people) }),
          }),
        )
        .join(' · '),
    },
    goesBy(campaign.channels, 'line') && { label: t('lineMessage'), value: campaign.line_message?.name },
    ...(goesBy(campaign.channels, 'email')
      ? [
          {
            label: t('sendDialog.subject'),
            value: ofBoth('subject'),
          },
          review.ab_test !== null && {
            label: t('ab.title'),
            value: t('ab.review.inGroups', {
              a: format.number(review.ab_test.people.a),
              b: format.number(review.ab_test.people.b),
              rest: format.number(review.ab_test.people.rest),
            }),
          },
          { label: t('sendDialog.sender'), value: ofBoth('from') },
        ]
      : []),
    campaign.coupon !== null &&
      review.coupon !== null && {
        label: t('coupon.title'),
        value: t('coupon.review.fact', {
          terms: couponText(campaign.coupon, { language, names: { currency } }),
          codes:
            review.coupon.codes === 0
              ? t('coupon.review.none')
              : t('coupon.review.codes', {
                  count: review.coupon.codes,
                  n: format.number(review.coupon.codes),
                }),
        }),
      },
    {
      label: t('when'),
      value: (
        <>
          {!immediate ? format.scheduled(review.starts_at) : !review.wait_reason && t('sendDialog.now')}
          {review.wait_reason && <div>{t(`review.wait.${review.wait_reason}`)}</div>}
        </>
      ),
    },
  ]
}
