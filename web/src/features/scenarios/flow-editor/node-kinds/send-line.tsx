import { Group, Stack, Text } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { getLineMessage } from '@okaeri/contract/line-messages/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../../api/queries.ts'
import { useWords } from '../../../../app/i18n.ts'
import { paths } from '../../../../app/paths.ts'
import { TextLink } from '../../../../ui/links.tsx'
import { LineMessageSelect } from '../../../line-messages/line-message-select.tsx'
import { LinePreview } from '../../../line-messages/phone/line-preview.tsx'
import type { NodeFormProps } from './node-form.ts'
import { TrackingFields } from './tracking-fields.tsx'

/** Which LINE message, how it looks on a phone, and the parameters of its links. */
export function SendLineForm({ node, onChange }: NodeFormProps<'send_line'>) {
  const t = useWords('flow')
  const { line_message_id: id, tracking_parameters: tracking } = node.settings
  const query = useQuery({
    ...queryOf(getLineMessage, { params: { id: id ?? '' } }),
    enabled: id !== null,
    retry: false,
  })
  const message = id === null ? undefined : query.data?.line_message
  const gone = id !== null && query.error instanceof ApiError && query.error.status === 404
  const set = (settings: Partial<typeof node.settings>, typing?: string) =>
    onChange({ ...node, settings: { ...node.settings, ...settings } }, typing)
  return (
    <Stack gap="sm">
      <LineMessageSelect
        label={t('line.label')}
        placeholder={t('line.placeholder')}
        value={id}
        valueLabel={message?.name}
        onChange={(line_message_id) => set({ line_message_id })}
        error={gone ? t('line.gone') : undefined}
      />
      <Group gap="md">
        {message && (
          <TextLink to={paths.lineMessage(message.id)} target="_blank" fz="sm">
            {t('line.open')}
            {t('email.newTab')}
          </TextLink>
        )}
        <TextLink to={paths.lineMessageNew()} target="_blank" fz="sm">
          {t('line.create')}
          {t('email.newTab')}
        </TextLink>
      </Group>
      {message && <LinePreview content={message} />}
      <Text size="xs" c="dimmed">
        {t('line.friends')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('line.coupon', { code: '{{ coupon.code }}' })}
      </Text>
      <TrackingFields
        medium="line"
        tracking={tracking ?? null}
        onChange={(tracking_parameters, typing) => set({ tracking_parameters }, typing)}
      />
    </Stack>
  )
}
