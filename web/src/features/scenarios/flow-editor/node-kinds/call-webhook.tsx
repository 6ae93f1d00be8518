import { Stack, TextInput } from '@mantine/core'
import { getWebhookSecret } from '@okaeri/contract/scenarios/execution'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../../api/queries.ts'
import { useWords } from '../../../../app/i18n.ts'
import { useMerchant } from '../../../../app/merchant.tsx'
import { SecretField } from '../../../../ui/secret-field.tsx'
import type { NodeFormProps } from './node-form.ts'

/** The URL, and the secret with which the receiver checks that the call is ours. */
export function CallWebhookForm({ node, onChange }: NodeFormProps<'call_webhook'>) {
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
        <SecretField
          readOnly
          label={t('webhook.secret')}
          description={t('webhook.secretHelp', { header: data.header })}
          value={data.secret}
        />
      )}
    </Stack>
  )
}
