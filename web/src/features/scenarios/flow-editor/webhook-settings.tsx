import { PasswordInput, Stack, TextInput } from '@mantine/core'
import { getWebhookSecret } from '@okaeri/contract/scenarios/execution'
import type { FlowNode, NodeOf } from '@okaeri/contract/scenarios/flow'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'

/** Where to call, and what the receiver checks with that it was us. */
export function WebhookSettings({
  node,
  onChange,
}: {
  node: NodeOf<'call_webhook'>
  onChange: (node: FlowNode, typing?: string) => void
}) {
  const t = useWords('flow')
  const { mayChange } = useMerchant()
  const { data } = useQuery({ ...queryOf(getWebhookSecret, {}), enabled: mayChange })
  return (
    <Stack gap="sm">
      <TextInput
        type="url"
        label={t('webhook.label')}
        description={t('webhook.help')}
        placeholder="https://"
        maxLength={2000}
        value={node.settings.url}
        onChange={(event) => onChange({ ...node, settings: { url: event.currentTarget.value } }, 'url')}
      />
      {data && (
        <PasswordInput
          readOnly
          label={t('webhook.secret')}
          description={t('webhook.secretHelp', { header: data.header })}
          value={data.secret}
          visibilityToggleButtonProps={{ 'aria-label': t('webhook.showSecret') }}
        />
      )}
    </Stack>
  )
}
