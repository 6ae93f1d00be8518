import { Group, Stack, Text } from '@mantine/core'
import { FAILING_DAYS, type SenderDomain } from '@okaeri/contract/sender-domains/domain'
import {
  checkSenderDomain,
  deleteSenderDomain,
  endWarmUp,
  rotateSenderDomainKey,
  startWarmUp,
} from '@okaeri/contract/sender-domains/routes'
import { IconFlame, IconKey, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { reasonTexts } from '../../app/reasons.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { asked } from '../../ui/confirm.tsx'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { LinkDomain } from './link-domain.tsx'
import { DomainRecordRow } from './domain-record.tsx'
import { WarmUpPlan } from './warm-up-plan.tsx'

const tones = { pending: 'info', verified: 'success', failing: 'danger', lost: 'danger' } as const
const DAY_MS = 86_400_000

export function DomainCard({ domain }: { domain: SenderDomain }) {
  const t = useWords('senderDomains')
  const format = useFormat()
  const { name, unicode_name, status, records, checked_at } = domain
  return (
    <EditSection title={unicode_name ?? name} {...(unicode_name && { description: t('asciiName', { name }) })}>
      <Group gap="sm">
        <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>
        <Text size="sm" c="dimmed">
          {checked_at ? t('checkedAt', { time: format.dateTime(checked_at) }) : t('unchecked')}
        </Text>
      </Group>
      <Situation domain={domain} />
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {records.map((record) => (
          <DomainRecordRow key={`${record.kind} ${record.name}`} record={record} />
        ))}
      </Stack>
      {domain.former_selectors.map((former) => (
        <Text key={former.name} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('former', { name: former.name, date: format.date(former.published_until) })}
        </Text>
      ))}
      {domain.warm_up && <WarmUpPlan warmUp={domain.warm_up} />}
      <Actions domain={domain} />
      <LinkDomain domain={domain} />
    </EditSection>
  )
}

function Situation({ domain: { status, failing_since, warns } }: { domain: SenderDomain }) {
  const t = useWords('senderDomains')
  const format = useFormat()
  if (status === 'pending') return <Text size="sm">{t('statusText.pending')}</Text>
  if (status === 'lost') return <Notice tone="danger">{t('statusText.lost')}</Notice>
  if (status === 'failing' && failing_since) {
    const until = new Date(Date.parse(failing_since) + FAILING_DAYS * DAY_MS).toISOString()
    return <Notice tone="danger">{t('statusText.failing', { date: format.dateTime(until) })}</Notice>
  }
  return warns ? <Notice tone="warning">{t('statusText.warns')}</Notice> : null
}

function Actions({ domain: { id, name, status, records, warm_up } }: { domain: SenderDomain }) {
  const t = useWords('senderDomains')
  const language = useLanguage()
  const { member, mayChange } = useMerchant()
  const check = useAction(checkSenderDomain, {
    onDone: ({ result }) => (result === 'success' ? toast.done(t('success')) : toast.error(t('failure'))),
  })
  const rotate = useAction(rotateSenderDomainKey)
  const remove = useAction(deleteSenderDomain, { done: 'deleted' })
  const start = useAction(startWarmUp, { done: 'saved' })
  const end = useAction(endWarmUp, { done: 'saved' })
  const ownerOnly = member.role !== 'owner' && t('ownerOnly')
  const hasNext = records.some(({ kind }) => kind === 'dkim_next')
  const params = { id }
  return (
    <Group gap="sm">
      <ActionButton
        action={{
          label: t('check'),
          icon: <IconRefresh size={18} />,
          primary: true,
          busy: check.isPending,
          disabledReason: !mayChange && t('readOnly'),
          onClick: () => check.mutate({ body: { domain: name } }),
        }}
      />
      <ActionButton
        action={{
          label: t('rotate'),
          icon: <IconKey size={18} />,
          busy: rotate.isPending,
          disabledReason:
            ownerOnly ||
            (status === 'pending' && reasonTexts.sender_domain_pending[language]) ||
            (hasNext && t('rotateWaits')),
          onClick: asked({ title: t('rotateTitle'), body: t('rotateText'), confirmLabel: t('rotate') }, () =>
            rotate.mutate({ params }),
          ),
        }}
      />
      <ActionButton
        action={{
          label: t(warm_up ? 'warmUp.end' : 'warmUp.start'),
          icon: <IconFlame size={18} />,
          busy: start.isPending || end.isPending,
          disabledReason: ownerOnly,
          onClick: asked(
            warm_up
              ? { title: t('warmUp.endTitle', { name }), body: t('warmUp.endText'), confirmLabel: t('warmUp.end') }
              : {
                  title: t('warmUp.startTitle', { name }),
                  body: t('warmUp.startText'),
                  confirmLabel: t('warmUp.start'),
                },
            () => (warm_up ? end : start).mutate({ params }),
          ),
        }}
      />
      <ActionButton
        action={{
          label: t('remove'),
          icon: <IconTrash size={18} />,
          danger: true,
          busy: remove.isPending,
          disabledReason: ownerOnly,
          onClick: asked(
            { title: t('removeTitle', { name }), body: t('removeText'), confirmLabel: t('remove'), danger: true },
            () => remove.mutate({ params }),
          ),
        }}
      />
    </Group>
  )
}
