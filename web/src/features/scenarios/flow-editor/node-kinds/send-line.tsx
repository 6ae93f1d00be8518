import { Group, Stack, Text } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { getLineMessage } from '@okaeri/contract/line-messages/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../../api/queries.ts'
import { ownWords, useWords } from '../../../../app/i18n.ts'
import { paths } from '../../../../app/paths.ts'
import { TextLink } from '../../../../ui/links.tsx'
import { LineMessageSelect } from '../../../line-messages/line-message-select.tsx'
import { LinePreview } from '../../../line-messages/phone/line-preview.tsx'
import type { NodeFormProps } from './node-form.ts'
import { TrackingFields } from './tracking-fields.tsx'

const useText = ownWords({
  label: { ja: 'LINEメッセージ', en: 'LINE message' },
  placeholder: { ja: 'メッセージ名で検索', en: 'Search by name' },
  open: { ja: 'LINEメッセージを開く', en: 'Open LINE message' },
  create: { ja: 'LINEメッセージを作成', en: 'Create LINE message' },
  friends: {
    ja: 'LINEと連携している友だちにだけ届きます。連携していない顧客や、友だちでない顧客、ブロックした顧客は次のステップへ進みます。',
    en: 'Reaches friends with a linked LINE account. Customers who are not linked, not friends, or have blocked you continue without it.',
  },
  coupon: {
    ja: 'このステップより前に「クーポンを発行する」があれば、メッセージの {{code}} にコードが入ります。リンクには [coupon] を使います。',
    en: 'After an “Issue coupon” step, {{code}} in the message is replaced with the code. In links, use [coupon].',
  },
  gone: {
    ja: '選んだLINEメッセージは削除されています。別のLINEメッセージを選んでください。',
    en: 'This LINE message was deleted. Choose another one.',
  },
})

/** Which LINE message, how it looks on a phone, and the parameters of its links. */
export function SendLineForm({ node, onChange }: NodeFormProps<'send_line'>) {
  const t = useText()
  const flow = useWords('flow')
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
        label={t('label')}
        placeholder={t('placeholder')}
        value={id}
        valueLabel={message?.name}
        onChange={(line_message_id) => set({ line_message_id })}
        error={gone ? t('gone') : undefined}
      />
      <Group gap="md">
        {message && (
          <TextLink to={paths.lineMessage(message.id)} target="_blank" fz="sm">
            {t('open')}
            {flow('newTab')}
          </TextLink>
        )}
        <TextLink to={paths.lineMessageNew()} target="_blank" fz="sm">
          {t('create')}
          {flow('newTab')}
        </TextLink>
      </Group>
      {message && <LinePreview content={message} />}
      <Text size="xs" c="dimmed">
        {t('friends')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('coupon', { code: '{{ coupon.code }}' })}
      </Text>
      <TrackingFields
        medium="line"
        tracking={tracking ?? null}
        onChange={(tracking_parameters, typing) => set({ tracking_parameters }, typing)}
      />
    </Stack>
  )
}
