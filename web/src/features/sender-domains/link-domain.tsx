import { Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { NewLinkDomain, type SenderDomain } from '@okaeri/contract/sender-domains/domain'
import { deleteLinkDomain, setLinkDomain } from '@okaeri/contract/sender-domains/routes'
import { IconLink, IconLinkOff } from '@tabler/icons-react'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import { asked } from '../../ui/confirm.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useAction } from '../../ui/use-action.ts'

/** Where links and pictures of mails from the domain lead. Its record stands with the others of the domain. */
export function LinkDomain({ domain }: { domain: SenderDomain }) {
  const t = useWords('senderDomains')
  const { member } = useMerchant()
  if (domain.link_target === null) return null
  return (
    <Stack gap="sm">
      <Title order={4} size="h5">
        {t('links.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('links.text')}
      </Text>
      {domain.link_domain && <Standing domain={domain} link={domain.link_domain} />}
      {domain.link_domain === null && member.role === 'owner' && <Choose domain={domain} />}
    </Stack>
  )
}

function Standing({ domain, link }: { domain: SenderDomain; link: NonNullable<SenderDomain['link_domain']> }) {
  const t = useWords('senderDomains')
  const { member } = useMerchant()
  const remove = useAction(deleteLinkDomain, { done: 'saved' })
  const { host, verified_at } = link
  const now = window.location.host
  const wasThere = domain.records.some(({ kind, last_found_at }) => kind === 'tracking' && last_found_at !== null)
  return (
    <>
      {verified_at ? (
        <div>
          <StatusBadge tone="success">{t('links.verified', { host })}</StatusBadge>
        </div>
      ) : wasThere && domain.status !== 'pending' ? (
        <Notice tone="warning" title={t('links.lostTitle', { host })}>
          {t('links.lost', { now })}
        </Notice>
      ) : (
        <Text size="sm">{t('links.waits', { host, now })}</Text>
      )}
      <div>
        <ActionButton
          action={{
            label: t('links.remove'),
            icon: <IconLinkOff size={18} />,
            busy: remove.isPending,
            disabledReason: member.role !== 'owner' && t('ownerOnly'),
            onClick: asked(
              {
                title: t('links.removeTitle', { host }),
                body: t('links.removeText', { now }),
                confirmLabel: t('links.removeConfirm'),
              },
              () => remove.mutate({ params: { id: domain.id } }),
            ),
          }}
        />
      </div>
    </>
  )
}

function Choose({ domain: { id, name } }: { domain: SenderDomain }) {
  const t = useWords('senderDomains')
  const form = useEditForm({
    values: { host: '' },
    schema: NewLinkDomain,
    fieldPrefix: 'link_domain.',
    emptiesAfterSave: true,
    save: async (link_domain) => {
      await call(setLinkDomain, { params: { id }, body: { link_domain } })
      await refresh(setLinkDomain.area)
    },
  })
  return (
    <Form onSubmit={() => form.submit()}>
      <Group gap="sm" align="flex-end">
        <TextInput
          label={t('links.host')}
          description={t('links.hostHelp', { name })}
          placeholder={`mail.${name}`}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          maw={480}
          style={{ flex: '1 1 16rem' }}
          {...form.field('host')}
        />
        <ActionButton
          action={{
            label: t('links.save'),
            icon: <IconLink size={18} />,
            busy: form.saving,
            onClick: () => form.submit(),
          }}
        />
      </Group>
    </Form>
  )
}
