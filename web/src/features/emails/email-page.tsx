import { Stack, Text } from '@mantine/core'
import { getEmail, listEmailHistories } from '@okaeri/contract/emails/routes'
import type { Email, Finding } from '@okaeri/contract/emails/email'
import type { EmailDetail } from '@okaeri/contract/emails/routes'
import {
  IconCode,
  IconCopy,
  IconHistory,
  IconLink,
  IconMailCheck,
  IconPencil,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Card, DetailPage, Facts } from '../../ui/pages/detail-page.tsx'
import { LoadFailed } from '../../ui/states.tsx'
import { HistoryCard, useHistory } from '../deliveries/history-card.tsx'
import { CustomerPicker } from './customer-picker.tsx'
import { CustomerVariant } from './preview/customer-variant.tsx'
import { useEmailActions } from './email-actions.ts'
import { type EmailLanguage, inLanguage, useLanguageName } from './email-language.ts'
import { FindingList } from './preview/finding-list.tsx'
import { LanguageSwitch } from './language-bar.tsx'
import { MailPreview } from './preview/mail-preview.tsx'
import { ProgramUses } from './program-uses.tsx'
import { SizeMeter } from './preview/size-meter.tsx'
import { TestSend } from './test-send.tsx'
import { type MailToPreview, usePreview } from './preview/use-preview.ts'

export function EmailPage() {
  const t = useWords('emails')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const query = useQuery(queryOf(getEmail, { params: { id } }))
  const [testing, setTesting] = useState(false)
  const { askAndDuplicate, askAndDelete } = useEmailActions({ onDeleted: () => void navigate({ to: paths.emails() }) })
  const email = query.data?.email
  const disabledReason = !mayChange && t('readOnly')

  return (
    <DetailPage
      back={{ to: paths.emails(), label: t('back') }}
      title={email?.name ?? t('title')}
      query={query}
      actions={[
        { label: t('testSend'), icon: <IconMailCheck size={18} />, onClick: () => setTesting(true), disabledReason },
        {
          label: t('sendCampaign'),
          icon: <IconSend size={18} />,
          to: paths.campaignNew(),
          search: { email: id },
          disabledReason,
        },
        { label: t('editProperties'), icon: <IconPencil size={18} />, to: paths.emailProperties(id), disabledReason },
        {
          label: t('openEditor'),
          icon: <IconCode size={18} />,
          to: paths.emailEditor(id),
          primary: true,
          disabledReason,
        },
      ]}
      moreActions={
        email
          ? [
              { label: t('links.title'), icon: <IconLink size={16} />, to: paths.emailLinks(email.id) },
              { label: t('versions.title'), icon: <IconHistory size={16} />, to: paths.emailVersions(email.id) },
              {
                label: t('duplicate'),
                icon: <IconCopy size={16} />,
                onClick: () => void askAndDuplicate(email),
                disabledReason,
              },
              {
                label: t('delete'),
                icon: <IconTrash size={16} />,
                danger: true,
                onClick: () => void askAndDelete(email),
                disabledReason,
              },
            ]
          : []
      }
      history={<SentHistory emailId={id} />}
    >
      {query.data && <Cards detail={query.data} />}
      {email && (
        <TestSend emailId={id} languages={email.languages} opened={testing} onClose={() => setTesting(false)} />
      )}
    </DetailPage>
  )
}

/** What was made from blocks has no typed lines. */
const withoutLine = (finding: Finding): Finding => {
  const { line: _, ...rest } = finding
  return rest
}

function Cards({ detail: { email, used_by } }: { detail: EmailDetail }) {
  const t = useWords('emails')
  const format = useFormat()
  const { setting } = useMerchant()
  const nameOf = useLanguageName()
  const [customer, setCustomer] = useState<string | null>(null)
  const [chosen, choose] = useState<EmailLanguage>(null)
  const language = email.languages.find((one) => one === chosen) ?? null
  const languages: EmailLanguage[] = [null, ...email.languages]
  const preview = usePreview(previewOf(email, { language, customer }))
  const theirs = preview.isPlaceholderData ? undefined : preview.data?.customer_variant
  // Who a customer is chosen as sees what that customer gets.
  const followed = useRef<string | null>(null)
  useEffect(() => {
    if (customer === null) followed.current = null
    if (!theirs || followed.current === customer) return
    followed.current = customer
    choose(theirs.language)
  }, [theirs, customer])
  const ownSender = email.from_email ?? email.from_name
  const address = email.from_email ?? setting.sender_email
  const sender = `${email.from_name ?? setting.sender_name} ${address ? `<${address}>` : t('view.noAddress')}`
  return (
    <>
      <Stack gap="md">
        <Card title={t('facts.title')}>
          <Facts
            items={[
              { label: t('subject'), value: email.subject },
              { label: t('preheader'), value: email.preheader || null },
              { label: t('sender.title'), value: ownSender ? sender : t('sender.fromSettings', { sender }) },
              { label: t('type'), value: t(email.type === 'VISUAL' ? 'form.visual' : 'form.html') },
              email.languages.length > 0 && {
                label: t('languages.title'),
                value: format.list(languages.map(nameOf)),
              },
              {
                label: t('plainText.title'),
                value: t(email.plain_text === null ? 'plainText.made' : 'plainText.written'),
              },
              { label: t('createdAt'), value: format.dateTime(email.created_at) },
              { label: t('updatedAt'), value: format.dateTime(email.updated_at) },
            ]}
          />
          <SizeMeter sizeBytes={preview.data?.size_bytes ?? email.size_bytes} />
        </Card>
        <Card title={t('facts.results')}>
          <Facts
            items={[
              { label: t('sentCount'), value: format.number(email.sent_count) },
              { label: t('openRate'), value: email.sent_count ? format.percent(email.open_rate) : null },
              { label: t('clickRate'), value: email.sent_count ? format.percent(email.click_rate) : null },
              { label: t('revenue'), value: format.money(email.revenue) },
            ]}
          />
          <Text size="xs" c="dimmed">
            {t('facts.resultsHow')}
          </Text>
        </Card>
        <Card title={t('findings.title')}>
          {languages.map((one) => (
            <LanguageFindings
              key={one ?? 'base'}
              email={email}
              language={one}
              customer={one === language ? customer : null}
            />
          ))}
        </Card>
        <ProgramUses uses={used_by} none={t('usedBy.none')} />
      </Stack>
      <Card title={t('preview')}>
        {preview.error && !preview.data ? (
          <LoadFailed error={preview.error} retry={() => void preview.refetch()} />
        ) : (
          <>
            <CustomerPicker label={t('editor.previewAs')} value={customer} onChange={(chosen) => setCustomer(chosen)} />
            <LanguageSwitch languages={languages} value={language} onChange={choose} />
            <CustomerVariant chosen={theirs} shown={language} onShow={choose} />
            <MailPreview mail={preview.data} stale={preview.isPlaceholderData} />
          </>
        )}
      </Card>
    </>
  )
}

const previewOf = (
  email: Email,
  { language, customer }: { language: EmailLanguage; customer: string | null },
): MailToPreview => {
  const { subject, preheader, content, plain_text, from_email, from_name, languages } = inLanguage(email, language)
  return {
    subject,
    preheader,
    content,
    plain_text,
    from_email,
    from_name,
    language,
    variant_languages: languages,
    customer_id: customer,
  }
}

/** What the check finds in one language, which is named where there are several. */
function LanguageFindings({ email, ...seen }: { email: Email; language: EmailLanguage; customer: string | null }) {
  const { language } = seen
  const nameOf = useLanguageName()
  const preview = usePreview(previewOf(email, seen))
  if (!preview.data) return null
  const said = inLanguage(email, language)
  const behind: Finding[] = said.plain_text_is_behind ? [{ code: 'text_behind', level: 'warns', detail: null }] : []
  const findings = [...preview.data.findings, ...behind]
  return (
    <section aria-label={nameOf(language)}>
      {email.languages.length > 0 && (
        <Text size="sm" fw={600} mb={6}>
          {nameOf(language)}
        </Text>
      )}
      <FindingList findings={findings.map(said.design ? withoutLine : (one) => one)} />
    </section>
  )
}

function SentHistory({ emailId }: { emailId: string }) {
  const history = useHistory()
  const query = useQuery({
    ...queryOf(listEmailHistories, { query: { email_id: emailId, ...history.asked } }),
    placeholderData: keepPreviousData,
  })
  return (
    <HistoryCard
      history={history}
      query={query}
      columns={['person', 'campaign', 'status', 'reason', 'sent_at', 'reaction']}
    />
  )
}
