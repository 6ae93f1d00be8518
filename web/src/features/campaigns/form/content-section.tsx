import { Box, Group, Radio, Stack } from '@mantine/core'
import { CampaignChannels, campaignChannels, goesBy } from '@okaeri/contract/campaigns/campaign'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { EditSection } from '../../../ui/pages/edit-page.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { ChosenEmail } from '../../emails/chosen-email.tsx'
import { EmailSelect } from '../../emails/email-select.tsx'
import { ChosenLineMessage } from '../../line-messages/phone/chosen-line-message.tsx'
import { LineMessageSelect } from '../../line-messages/line-message-select.tsx'
import { type CampaignDraftForm } from '../campaign-values.ts'

interface ContentProps {
  form: CampaignDraftForm
  emailName: string | undefined
  lineName: string | undefined
}

/** By which channels, and what each of them says. */
export function ContentSection({ form, emailName, lineName }: ContentProps) {
  const t = useWords('campaigns')
  const { values, set } = form
  return (
    <EditSection title={t('form.contentTitle')}>
      <Radio.Group
        aria-label={t('form.channels')}
        value={values.channels}
        onChange={(value) => set('channels', CampaignChannels.parse(value))}
      >
        <Stack gap="sm">
          {campaignChannels.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`channels.${value}`)}
              description={t(`form.channelsText.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {goesBy(values.channels, 'line') && <LineField form={form} savedName={lineName} />}
      {goesBy(values.channels, 'email') && <EmailField form={form} savedName={emailName} />}
    </EditSection>
  )
}

interface FieldProps {
  form: CampaignDraftForm
  savedName: string | undefined
}

function EmailField({ form: { values, set, field }, savedName }: FieldProps) {
  const t = useWords('campaigns')
  const id = values.email_id
  return (
    <Group align="flex-start" gap="md" wrap="wrap">
      {id && <ChosenEmail id={id} />}
      <Box flex="1 1 280px">
        <EmailSelect
          label={t('email')}
          placeholder={t('form.emailPlaceholder')}
          value={id}
          valueLabel={savedName}
          onChange={(next) => set('email_id', next)}
          error={field('email_id').error}
        />
        <ContentLinks
          open={id && { to: paths.email(id), label: t('form.openEmail') }}
          write={{ to: paths.emailNew(), label: t('form.writeNew') }}
        />
      </Box>
    </Group>
  )
}

function LineField({ form: { values, set, field }, savedName }: FieldProps) {
  const t = useWords('campaigns')
  const id = values.line_message_id
  return (
    <Group align="flex-start" gap="md" wrap="wrap">
      <Box flex="1 1 280px">
        <LineMessageSelect
          label={t('lineMessage')}
          placeholder={t('form.linePlaceholder')}
          value={id}
          valueLabel={savedName}
          onChange={(next) => set('line_message_id', next)}
          error={field('line_message_id').error}
        />
        <ContentLinks
          open={id && { to: paths.lineMessage(id), label: t('form.openLine') }}
          write={{ to: paths.lineMessageNew(), label: t('form.writeLine') }}
        />
      </Box>
      {id && (
        <Box flex="1 1 320px" component="section" aria-label={t('lineMessage')}>
          <ChosenLineMessage id={id} />
        </Box>
      )}
    </Group>
  )
}

interface ContentLink {
  to: string
  label: string
}

function ContentLinks({ open, write }: { open: ContentLink | '' | null; write: ContentLink }) {
  const t = useWords('campaigns')
  return (
    <Group gap="md" mt={8}>
      {[open, write].map(
        (link) =>
          link && (
            <TextLink key={link.to} to={link.to} target="_blank" fz="sm">
              {link.label}
              {t('form.newTab')}
            </TextLink>
          ),
      )}
    </Group>
  )
}
