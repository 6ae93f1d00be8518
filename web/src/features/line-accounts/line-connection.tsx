import { Group, Stack, Text, ThemeIcon } from '@mantine/core'
import type { LineAccount, LineFinding } from '@okaeri/contract/line-accounts/account'
import { checkLineAccount, disconnectLine, setLineWebhook } from '@okaeri/contract/line-accounts/routes'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconPlugConnected } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CopiedAddress } from './copied-address.tsx'

/** Where events arrive, and what the platform says when it is asked. */
export function LineConnection({ account }: { account: LineAccount }) {
  const t = useWords('lineAccounts')
  const format = useFormat()
  const { member, mayChange } = useMerchant()
  const [findings, setFindings] = useState<readonly LineFinding[]>([])
  const shown = { onDone: (reply: { findings: LineFinding[] }) => setFindings(reply.findings) }
  const check = useAction(checkLineAccount, shown)
  const set = useAction(setLineWebhook, shown)
  const disconnect = useAction(disconnectLine, {
    done: { message: t('disconnect.done') },
    areas: ['settings'],
    onDone: () => setFindings([]),
  })
  // Without the webhook no friends are known, so a channel that was just connected is checked automatically.
  const looked = useRef(account.channel_id)
  const { mutate: look } = check
  useEffect(() => {
    if (looked.current === account.channel_id) return
    looked.current = account.channel_id
    if (account.channel_id !== null) look({})
  }, [account.channel_id, look])
  const needsChannel = account.channel_id === null && t('webhook.needsChannel')
  const ownerOnly = member.role !== 'owner' && t('ownerOnly')
  const elsewhere = findings.find(({ code }) => code === 'webhook_elsewhere')?.detail
  const isSet = findings.some(({ code }) => code === 'webhook_ours')

  const askAndSet = async () => {
    const sure =
      !elsewhere ||
      (await confirm({
        title: t('webhook.setTitle'),
        body: t('webhook.setText', { url: elsewhere }),
        confirmLabel: t('webhook.set'),
      }))
    if (sure) set.mutate({})
  }
  const askAndDisconnect = async () => {
    const sure = await confirm({
      title: t('disconnect.title'),
      body: t('disconnect.text'),
      confirmLabel: t('disconnect.button'),
      danger: true,
    })
    if (sure) disconnect.mutate({})
  }
  return (
    <EditSection title={t('webhook.title')} description={t('webhook.text')}>
      <CopiedAddress label={t('webhook.url')} url={account.webhook_url} />
      {findings.length > 0 && (
        <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {findings.map((finding) => (
            <Finding key={finding.code} finding={finding} />
          ))}
        </Stack>
      )}
      <Group gap="sm">
        <ActionButton
          action={{
            label: t('webhook.check'),
            icon: <IconPlugConnected size={18} />,
            busy: check.isPending,
            disabledReason: needsChannel || (!mayChange && t('ownerOnly')),
            onClick: () => check.mutate({}),
          }}
        />
        {findings.length > 0 && !isSet && (
          <ActionButton
            action={{
              label: t('webhook.set'),
              primary: true,
              busy: set.isPending,
              disabledReason: needsChannel || ownerOnly,
              onClick: () => void askAndSet(),
            }}
          />
        )}
        {account.channel_id !== null && (
          <ActionButton
            action={{
              label: t('disconnect.button'),
              danger: true,
              busy: disconnect.isPending,
              disabledReason: ownerOnly,
              onClick: () => void askAndDisconnect(),
            }}
          />
        )}
      </Group>
      {account.checked_at && (
        <Text size="sm" c="dimmed">
          {t('webhook.checkedAt', { time: format.dateTime(account.checked_at) })}
        </Text>
      )}
    </EditSection>
  )
}

const marks = {
  fine: { color: 'teal', icon: <IconCheck size={14} /> },
  note: { color: 'blue', icon: <IconInfoCircle size={14} /> },
  problem: { color: 'red', icon: <IconAlertTriangle size={14} /> },
} as const

const isCount = (code: LineFinding['code']): boolean =>
  code === 'quota' || code === 'quota_unlimited' || code === 'friends'

function Finding({ finding: { code, level, detail } }: { finding: LineFinding }) {
  const t = useWords('lineAccounts')
  const format = useFormat()
  const isUsedUp = code === 'quota' && level === 'problem'
  const shown = isCount(code) ? detail?.replace(/\d+/g, (count) => format.number(Number(count))) : detail
  const { color, icon } = marks[level]
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      <ThemeIcon size="sm" radius="xl" variant="light" color={color} aria-hidden>
        {icon}
      </ThemeIcon>
      <Text size="sm">{t(`finding.${isUsedUp ? 'quota_reached' : code}`, { detail: shown ?? '' })}</Text>
    </Group>
  )
}
