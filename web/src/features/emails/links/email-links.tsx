import { Paper, Text } from '@mantine/core'
import { getEmail } from '@okaeri/contract/emails/routes'
import { languageNames } from '@okaeri/contract/locale'
import type { EmailAddressSeen } from '@okaeri/contract/emails/addresses'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { EditPageLoading } from '../../../ui/pages/edit-page.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { PageFrame } from '../../../ui/pages/page-frame.tsx'
import { LoadFailed } from '../../../ui/states.tsx'
import { StatusBadge, type Tone } from '../../../ui/status-badge.tsx'
import { backFrom, backToEmail, useEditorSearch } from '../editor/editor-search.ts'
import classes from './email-links.module.css'
import { useLinkChecks } from './link-checks.ts'
import { sumUp, worstFirst } from './link-states.ts'
import { CheckAgain } from './link-summary.tsx'

/** All that a mail leads to: where, and what came back. */
export function EmailLinks() {
  const t = useWords('emails')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const search = useEditorSearch()
  const back = backFrom(search, backToEmail(id))
  const email = useQuery(queryOf(getEmail, { params: { id } }))
  const checks = useLinkChecks(id, email.data?.email.updated_at)
  if (!email.data) return <EditPageLoading title={t('links.title')} back={back} query={email} />
  const { addresses } = checks
  return (
    <PageFrame
      title={`${email.data.email.name} — ${t('links.title')}`}
      back={back}
      description={t('links.text')}
      actions={<CheckAgain checks={checks} />}
    >
      {addresses ? (
        <>
          <Sum addresses={addresses} isChecking={checks.isChecking} />
          <Paper withBorder component="section" aria-label={t('links.title')} className={classes.list}>
            {addresses.length === 0 && (
              <Text c="dimmed" size="sm" p="md">
                {t('links.none')}
              </Text>
            )}
            {worstFirst(addresses).map((address) => (
              <AddressRow
                key={`${address.kind} ${address.written}`}
                address={address}
                emailId={id}
                campaignId={search.campaign}
              />
            ))}
          </Paper>
        </>
      ) : (
        checks.error && (
          <Paper withBorder p="lg">
            <LoadFailed error={checks.error} retry={checks.refetch} />
          </Paper>
        )
      )}
    </PageFrame>
  )
}

function Sum({ addresses, isChecking }: { addresses: readonly EmailAddressSeen[]; isChecking: boolean }) {
  const t = useWords('emails')
  const { total, dead, unknown } = sumUp(addresses)
  return (
    <Text role="status">
      {isChecking
        ? t('links.checking')
        : [
            t('links.total', { count: total }),
            dead > 0 ? t('links.dead', { count: dead }) : t('links.noneDead'),
            unknown > 0 && t('links.unknown', { count: unknown }),
          ]
            .filter(Boolean)
            .join(' · ')}
    </Text>
  )
}

const tones: Record<EmailAddressSeen['state'], Tone> = {
  answers: 'success',
  gone: 'danger',
  no_host: 'danger',
  unknown: 'warning',
  waits: 'progress',
  not_checked: 'neutral',
  never_checked: 'neutral',
}

interface AddressRowProps {
  address: EmailAddressSeen
  emailId: string
  campaignId: string | undefined
}

function AddressRow({ address, emailId, campaignId }: AddressRowProps) {
  const t = useWords('emails')
  const format = useFormat()
  const { kind, written, line, block, places, state, reason, status, leads_to, size_bytes, checked_at } = address
  const place = {
    ...(line !== undefined && { line }),
    ...(block !== undefined && { block }),
    ...(address.variant && { language: address.variant }),
  }
  const facts = [
    t(`links.kind.${kind}`),
    address.languages && format.list(address.languages.map((one) => languageNames[one])),
    places > 1 && t('links.places', { count: places }),
    status !== null && t('links.status', { status: String(status) }),
    size_bytes !== null && kind === 'picture' && format.bytes(size_bytes),
    address.ends_at && t('links.endsAt', { at: format.dateTime(address.ends_at) }),
    address.uses_left !== null &&
      t('links.usesLeft', { count: address.uses_left, n: format.number(address.uses_left) }),
    checked_at && t('links.checkedAt', { at: format.dateTime(checked_at) }),
  ].filter((fact) => typeof fact === 'string')
  return (
    <div className={classes.row}>
      <div className={classes.state}>
        <StatusBadge tone={tones[state]}>
          {state === 'gone' && kind === 'coupon' ? t('links.state.noCode') : t(`links.state.${state}`)}
        </StatusBadge>
      </div>
      <div className={classes.what}>
        <code className={classes.address}>{written}</code>
        {leads_to && (
          <Text size="sm" className={classes.address}>
            {t('links.leadsTo', { address: leads_to })}
          </Text>
        )}
        {reason && (
          <Text size="sm" c="dimmed">
            {t(`links.reason.${reason}`)}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {facts.join(' · ')}
        </Text>
      </div>
      <TextLink
        to={paths.emailEditor(emailId)}
        search={{ ...place, ...(campaignId && { campaign: campaignId }) }}
        fz="sm"
        className={classes.way}
      >
        {line !== undefined
          ? t('findings.goToLine', { line })
          : block !== undefined
            ? t('findings.openBlock')
            : t('openEditor')}
      </TextLink>
    </div>
  )
}
