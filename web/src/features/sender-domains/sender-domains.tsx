import { Group, Stack, Text, TextInput } from '@mantine/core'
import { MAX_SENDER_DOMAINS, NewSenderDomain } from '@okaeri/contract/sender-domains/domain'
import { addSenderDomain, listSenderDomains } from '@okaeri/contract/sender-domains/routes'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { Form } from '../../ui/form.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { DomainCard } from './domain-card.tsx'

/** Settings, Mail: the domains mail is sent from, each with the records its DNS needs. */
export function SenderDomains() {
  const t = useWords('senderDomains')
  const { member } = useMerchant()
  const query = useQuery(queryOf(listSenderDomains, {}))
  const domains = query.data?.sender_domains
  if (!domains)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={6} />
  return (
    <Stack gap="lg">
      <EditSection title={t('title')} description={t('text')}>
        {domains.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('none')}
          </Text>
        )}
        {member.role !== 'owner' && (
          <Text size="sm" c="dimmed">
            {t('ownerOnly')}
          </Text>
        )}
        {member.role === 'owner' && domains.length < MAX_SENDER_DOMAINS && <Add />}
      </EditSection>
      {domains.map((domain) => (
        <DomainCard key={domain.id} domain={domain} />
      ))}
    </Stack>
  )
}

function Add() {
  const t = useWords('senderDomains')
  const form = useEditForm({
    values: { name: '' },
    schema: NewSenderDomain,
    fieldPrefix: 'sender_domain.',
    emptiesAfterSave: true,
    save: async (sender_domain) => {
      await call(addSenderDomain, { body: { sender_domain } })
      await refresh(addSenderDomain.area)
    },
  })
  return (
    <Form onSubmit={() => form.submit()}>
      <Group gap="sm" align="flex-end">
        <TextInput
          label={t('name')}
          description={t('nameHelp')}
          placeholder="example.co.jp"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          maw={480}
          style={{ flex: '1 1 16rem' }}
          {...form.field('name')}
        />
        <ActionButton
          action={{ label: t('add'), icon: <IconPlus size={18} />, busy: form.saving, onClick: () => form.submit() }}
        />
      </Group>
    </Form>
  )
}
