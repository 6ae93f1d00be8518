import { Stack, TextInput } from '@mantine/core'
import { getWebhookSecret } from '@okaeri/contract/scenarios/execution'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../../api/queries.ts'
import { ownWords } from '../../../../app/i18n.ts'
import { useMerchant } from '../../../../app/merchant.tsx'
import { SecretField } from '../../../../ui/secret-field.tsx'
import type { NodeFormProps } from './node-form.ts'

const useText = ownWords({
  label: { ja: '呼び出し先のURL', en: 'URL to call' },
  help: {
    ja: '顧客とシナリオの情報を、署名を付けたJSONで送ります。失敗したときは、間隔をあけて再送します。',
    en: 'Sends the customer and the scenario as signed JSON. Failed calls are retried.',
  },
  secret: { ja: '署名の検証キー', en: 'Signing secret' },
  secretHelp: {
    ja: '呼び出しには{{header}}ヘッダーで「t=秒,v1=署名」を付けます。「秒.本文」のHMAC-SHA256をこのキーで計算し、v1と同じか確かめてください。',
    en: 'Each call carries “t=seconds,v1=signature” in the header {{header}}. Compute the HMAC-SHA256 of “seconds.body” with this secret and compare it with v1.',
  },
})

/** The URL, and the secret with which the receiver checks that the call is ours. */
export function CallWebhookForm({ node, onChange }: NodeFormProps<'call_webhook'>) {
  const t = useText()
  const { mayChange } = useMerchant()
  const { data } = useQuery({ ...queryOf(getWebhookSecret, {}), enabled: mayChange })
  return (
    <Stack gap="sm">
      <TextInput
        type="url"
        label={t('label')}
        description={t('help')}
        placeholder="https://"
        maxLength={2000}
        value={node.settings.url}
        onChange={(event) => onChange({ ...node, settings: { url: event.currentTarget.value } }, 'url')}
      />
      {data && (
        <SecretField
          readOnly
          label={t('secret')}
          description={t('secretHelp', { header: data.header })}
          value={data.secret}
        />
      )}
    </Stack>
  )
}
