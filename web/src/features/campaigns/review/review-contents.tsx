import { Button, SegmentedControl, Text } from '@mantine/core'
import { AbChoice } from '@okaeri/contract/campaigns/ab-test'
import { type Campaign, goesBy } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { getEmail } from '@okaeri/contract/emails/routes'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { TextLink } from '../../../ui/links.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { CustomerPicker } from '../../emails/customer-picker.tsx'
import { CustomerVariant } from '../../emails/preview/customer-variant.tsx'
import { FindingList } from '../../emails/preview/finding-list.tsx'
import { useLinkChecks } from '../../emails/links/link-checks.ts'
import { LinkSummary } from '../../emails/links/link-summary.tsx'
import { MailPreview } from '../../emails/preview/mail-preview.tsx'
import { SizeMeter } from '../../emails/preview/size-meter.tsx'
import { TestSend } from '../../emails/test-send.tsx'
import { ChosenLineMessage } from '../../line-messages/phone/chosen-line-message.tsx'
import { type PartProps, Section } from './review-section.tsx'

/** What is found in what will be sent. */
export function Checks({ campaign, review }: PartProps) {
  const t = useWords('campaigns')
  return (
    <Section title={t('review.checks')}>
      <Unsaved review={review} campaignId={campaign.id} />
      <FindingList
        findings={review.findings}
        campaignAt={paths.campaignEdit(campaign.id)}
        {...(campaign.email && {
          editorAt: { to: paths.emailEditor(campaign.email.id), search: { campaign: campaign.id } },
        })}
      />
      {review.ab_test && review.ab_test.findings.length > 0 && (
        <>
          <Text fw={600}>{t('ab.review.findingsOfB')}</Text>
          <FindingList findings={review.ab_test.findings} campaignAt={paths.campaignEdit(campaign.id)} />
        </>
      )}
      {review.sample && <SizeMeter sizeBytes={review.sample.size_bytes} />}
      {goesBy(campaign.channels, 'email') && campaign.email && (
        <Links campaignId={campaign.id} emailId={campaign.email.id} />
      )}
    </Section>
  )
}

/** What the member typed is theirs alone: what is saved is sent. */
function Unsaved({ review: { unsaved }, campaignId }: { review: CampaignReview; campaignId: string }) {
  const t = useWords('campaigns')
  const format = useFormat()
  if (unsaved.length === 0) return null
  return (
    <Notice tone="warning" title={t('review.unsaved')}>
      {t('review.unsavedText')}
      {unsaved.map(({ kind, id, name, saved_at }) => (
        <div key={id}>
          <TextLink
            to={kind === 'email' ? paths.emailEditor(id) : paths.emailComponent(id)}
            search={{ campaign: campaignId }}
            fz="sm"
          >
            {t('review.unsavedAt', { name, at: format.dateTime(saved_at) })}
          </TextLink>
        </div>
      ))}
    </Notice>
  )
}

/** Opening the review has the links looked at; what comes back is among the checks then. */
function Links({ campaignId, emailId }: { campaignId: string; emailId: string }) {
  const { data } = useQuery(queryOf(getEmail, { params: { id: emailId } }))
  const checks = useLinkChecks(emailId, data?.email.updated_at)
  return <LinkSummary emailId={emailId} campaignId={campaignId} checks={checks} />
}

export interface ReviewProps {
  campaign: Campaign
  review: CampaignReview
  stale: boolean
  customer: string | null
  setCustomer: (id: string | null) => void
}

export function MailSection({ campaign, review, stale, customer, setCustomer }: ReviewProps) {
  const t = useWords('campaigns')
  const emails = useWords('emails')
  const { mayChange } = useMerchant()
  const [chosen, setChosen] = useState<AbChoice>('a')
  const [testing, setTesting] = useState(false)
  const second = review.ab_test?.sample
  const shown = chosen === 'b' && second ? second : review.sample
  const email = shown === second && campaign.ab_test?.differs === 'email' ? campaign.ab_email : campaign.email
  return (
    <Section title={t('review.mail')}>
      {second && (
        <SegmentedControl
          aria-label={t('ab.review.shown')}
          style={{ alignSelf: 'flex-start' }}
          value={chosen}
          onChange={(value) => setChosen(AbChoice.parse(value))}
          data={AbChoice.options.map((value) => ({ value, label: t(`ab.group.${value}`) }))}
        />
      )}
      {shown ? (
        <>
          <CustomerPicker
            label={t('review.seenAs')}
            placeholder={review.sample_customer?.name || emails('editor.exampleCustomer')}
            value={customer}
            onChange={(id) => setCustomer(id)}
          />
          <CustomerVariant chosen={shown.customer_variant} />
          <MailPreview mail={shown} stale={stale} />
          {second && email && mayChange && (
            <>
              <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setTesting(true)}>
                {t('ab.review.sendTest', { group: t(`ab.group.${chosen}`) })}
              </Button>
              <TestSend
                key={chosen}
                emailId={email.id}
                subject={chosen === 'b' && campaign.ab_test?.differs === 'subject' ? campaign.ab_test.subject : null}
                opened={testing}
                onClose={() => setTesting(false)}
              />
            </>
          )}
          {email && (
            <TextLink to={paths.emailEditor(email.id)} fz="sm" target="_blank">
              {email.name} — {emails('openEditor')}
              {t('form.newTab')}
            </TextLink>
          )}
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {t('review.noSample')}
        </Text>
      )}
    </Section>
  )
}

export function LineSection({ campaign: { line_message: message } }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  return (
    <Section title={t('lineMessage')}>
      {message ? (
        <>
          <ChosenLineMessage id={message.id} />
          <TextLink to={paths.lineMessageEdit(message.id)} fz="sm" target="_blank">
            {message.name} — {t('review.openLine')}
            {t('form.newTab')}
          </TextLink>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {t('review.noLine')}
        </Text>
      )}
    </Section>
  )
}
