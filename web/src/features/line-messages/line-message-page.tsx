import { Stack } from '@mantine/core'
import { DELIVERIES_COUNTED_TO } from '@okaeri/contract/deliveries/delivery'
import type { LineMessage } from '@okaeri/contract/line-messages/message'
import { getLineMessage, listLineHistories } from '@okaeri/contract/line-messages/routes'
import type { ProgramUse } from '@okaeri/contract/program-use'
import { IconCopy, IconMessageCheck, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Card, DetailPage, Facts } from '../../ui/pages/detail-page.tsx'
import { HistoryCard, useHistory } from '../deliveries/history-card.tsx'
import { ProgramUses } from '../emails/program-uses.tsx'
import { useLineMessageActions } from './line-message-actions.ts'
import { LinePreview } from './phone/line-preview.tsx'
import { TestSend } from './test-send.tsx'

export function LineMessagePage() {
  const t = useWords('lineMessages')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const query = useQuery(queryOf(getLineMessage, { params: { id } }))
  const { askAndDuplicate, askAndDelete } = useLineMessageActions({
    onDeleted: () => void navigate({ to: paths.lineMessages() }),
  })
  const [testing, setTesting] = useState(false)
  const message = query.data?.line_message
  const disabledReason = !mayChange && t('readOnly')
  return (
    <DetailPage
      back={{ to: paths.lineMessages(), label: t('back') }}
      title={message?.name ?? t('title')}
      query={query}
      actions={[
        { label: t('testSend'), icon: <IconMessageCheck size={18} />, onClick: () => setTesting(true), disabledReason },
        {
          label: t('sendCampaign'),
          icon: <IconSend size={18} />,
          to: paths.campaignNew(),
          search: { line_message: id },
          disabledReason,
        },
        {
          label: t('edit'),
          icon: <IconPencil size={18} />,
          to: paths.lineMessageEdit(id),
          primary: true,
          disabledReason,
        },
      ]}
      moreActions={
        message
          ? [
              {
                label: t('duplicate'),
                icon: <IconCopy size={16} />,
                onClick: () => void askAndDuplicate(message),
                disabledReason,
              },
              {
                label: t('delete'),
                icon: <IconTrash size={16} />,
                danger: true,
                onClick: () => void askAndDelete(message),
                disabledReason,
              },
            ]
          : []
      }
      history={<SentHistory lineMessageId={id} />}
    >
      {query.data && <Cards message={query.data.line_message} usedBy={query.data.used_by} />}
      {message && <TestSend lineMessageId={id} opened={testing} onClose={() => setTesting(false)} />}
    </DetailPage>
  )
}

function Cards({ message, usedBy }: { message: LineMessage; usedBy: ProgramUse[] }) {
  const t = useWords('lineMessages')
  const format = useFormat()
  const { messages, quick_replies, created_at, updated_at } = message
  return (
    <>
      <Stack gap="md">
        <Card title={t('facts.title')}>
          <Facts
            items={[
              { label: t('facts.count'), value: format.number(messages.length) },
              { label: t('types'), value: format.list(messages.map(({ type }) => t(`type.${type}.name`))) },
              { label: t('facts.quickReplies'), value: format.number(quick_replies.length) },
              { label: t('createdAt'), value: format.dateTime(created_at) },
              { label: t('updatedAt'), value: format.dateTime(updated_at) },
            ]}
          />
        </Card>
        <ProgramUses uses={usedBy} none={t('facts.notUsed')} />
      </Stack>
      <Card title={t('facts.preview')}>
        <LinePreview content={message} />
      </Card>
    </>
  )
}

function SentHistory({ lineMessageId }: { lineMessageId: string }) {
  const t = useWords('lineMessages')
  const history = useHistory()
  const query = useQuery({
    ...queryOf(listLineHistories, { query: { line_message_id: lineMessageId, ...history.asked } }),
    placeholderData: keepPreviousData,
  })
  return (
    <HistoryCard
      history={history}
      query={query}
      columns={['person', 'campaign', 'status', 'reason', 'sent_at', 'clicked_at']}
      empty={t('history.empty')}
      countedTo={DELIVERIES_COUNTED_TO}
    />
  )
}
