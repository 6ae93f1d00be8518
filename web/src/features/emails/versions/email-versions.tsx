import { Badge, Button, Group, Paper, SegmentedControl, Text, UnstyledButton } from '@mantine/core'
import type { Email } from '@okaeri/contract/emails/email'
import { getEmail } from '@okaeri/contract/emails/routes'
import { getEmailVersion, listEmailVersions, restoreEmailVersion } from '@okaeri/contract/emails/version-routes'
import { type EmailVersionSummary, KEPT_VERSIONS } from '@okaeri/contract/emails/version'
import { IconRestore } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { EditPageLoading } from '../../../ui/pages/edit-page.tsx'
import { PageFrame } from '../../../ui/pages/page-frame.tsx'
import { Loading, LoadFailed } from '../../../ui/states.tsx'
import { useAction } from '../../../ui/use-action.ts'
import classes from './email-versions.module.css'
import { type EmailLanguage, inLanguage } from '../email-language.ts'
import { LanguageSwitch } from '../language-bar.tsx'
import { MailPreview } from '../preview/mail-preview.tsx'
import { usePreview } from '../preview/use-preview.ts'
import { VersionComparison } from './version-comparison.tsx'

/** What an email said after each save: looked at, and brought back. */
export function EmailVersions() {
  const t = useWords('emails')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const email = useQuery(queryOf(getEmail, { params: { id } }))
  const versions = useQuery(queryOf(listEmailVersions, { params: { id } }))
  const [chosen, choose] = useState<string | null>(null)
  const back = { to: paths.email(id), label: t('backToEmail') }
  if (!versions.data || !email.data)
    return <EditPageLoading title={t('versions.title')} back={back} query={versions.error ? versions : email} />
  const list = versions.data.versions
  const shown = list.find((one) => one.id === chosen) ?? list[0]
  return (
    <PageFrame
      title={`${email.data.email.name} — ${t('versions.title')}`}
      back={back}
      description={t('versions.text', { count: KEPT_VERSIONS })}
    >
      {shown ? (
        <div className={classes.panes}>
          <Paper withBorder component="section" aria-label={t('versions.title')} className={classes.list}>
            {list.map((version) => (
              <VersionItem
                key={version.id}
                version={version}
                isChosen={version.id === shown.id}
                onChoose={() => choose(version.id)}
              />
            ))}
          </Paper>
          <Version email={email.data.email} version={shown} />
        </div>
      ) : (
        <Text c="dimmed">{t('versions.none')}</Text>
      )}
    </PageFrame>
  )
}

interface VersionItemProps {
  version: EmailVersionSummary
  isChosen: boolean
  onChoose: () => void
}
function VersionItem({ version, isChosen, onChoose }: VersionItemProps) {
  const t = useWords('emails')
  const format = useFormat()
  return (
    <UnstyledButton
      className={classes.item}
      aria-pressed={isChosen}
      data-chosen={isChosen || undefined}
      onClick={onChoose}
    >
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={600}>
          {format.dateTime(version.saved_at)}
        </Text>
        {version.is_current && (
          <Badge size="sm" variant="light" tt="none">
            {t('versions.current')}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" truncate>
        {version.saved_by ?? t('versions.unknown')}
      </Text>
      <Text size="xs" truncate>
        {version.subject}
      </Text>
    </UnstyledButton>
  )
}

function Version({ email, version }: { email: Email; version: EmailVersionSummary }) {
  const emailId = email.id
  const t = useWords('emails')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const query = useQuery({
    ...queryOf(getEmailVersion, { params: { id: emailId, version_id: version.id } }),
    placeholderData: keepPreviousData,
  })
  const [chosen, choose] = useState<EmailLanguage>(null)
  const whole = query.data?.version
  const variant = whole?.variants?.find(({ language }) => language === chosen)
  const said = variant ?? whole
  const preview = usePreview(said ? shownAs(said, variant?.language ?? null) : null)
  const [isCompared, setIsCompared] = useState(false)
  const compares = isCompared && !version.is_current
  const now = usePreview(
    compares ? shownAs(inLanguage(email, variant?.language ?? null), variant?.language ?? null) : null,
  )
  const restore = useAction(restoreEmailVersion, { done: 'saved' })
  const ask = async () => {
    const sure = await confirm({
      title: t('versions.restoreAsk', { at: format.dateTime(version.saved_at) }),
      body: t('versions.restoreBody'),
      confirmLabel: t('versions.restore'),
    })
    if (sure) restore.mutate({ params: { id: emailId, version_id: version.id } })
  }
  return (
    <Paper
      withBorder
      component="section"
      aria-label={t('preview')}
      className={classes.version}
      data-compares={compares || undefined}
    >
      {query.error && !query.data ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <>
          <Group justify="space-between" gap="xs" mb="sm">
            <LanguageSwitch
              size="xs"
              languages={[null, ...(whole?.variants ?? []).map(({ language }) => language)]}
              value={variant?.language ?? null}
              onChange={choose}
            />
            <SegmentedControl
              size="xs"
              aria-label={t('versions.mode')}
              value={compares ? 'compare' : 'view'}
              onChange={(value) => setIsCompared(value === 'compare')}
              data={[
                { value: 'view', label: t('preview') },
                { value: 'compare', label: t('versions.compare'), disabled: version.is_current },
              ]}
            />
            <Button
              size="xs"
              leftSection={<IconRestore size={16} aria-hidden />}
              loading={restore.isPending}
              disabled={version.is_current || !mayChange}
              onClick={() => void ask()}
            >
              {t('versions.restore')}
            </Button>
          </Group>
          {!compares ? (
            <MailPreview mail={preview.data} stale={preview.isFetching || query.isPlaceholderData} fill />
          ) : now.error && !now.data ? (
            <LoadFailed error={now.error} retry={() => void now.refetch()} />
          ) : preview.data && now.data ? (
            <VersionComparison before={preview.data} now={now.data} />
          ) : (
            <Loading lines={6} />
          )}
        </>
      )}
    </Paper>
  )
}

type Said = Pick<Email, 'subject' | 'preheader' | 'plain_text' | 'design'> & { content?: string | undefined }
const shownAs = ({ subject, preheader, content, design, plain_text }: Said, language: EmailLanguage) => ({
  subject,
  preheader,
  content: content ?? '',
  ...(content === undefined && design && { design }),
  plain_text,
  language,
  from_email: null,
  from_name: null,
  customer_id: null,
})
