import { List, Stack, Text } from '@mantine/core'
import type { LineMessageContent } from '@okaeri/contract/line-messages/message'
import { useState } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { fieldReasonText } from '../../../app/reasons.ts'
import { Notice } from '../../../ui/notice.tsx'
import { CustomerPicker } from '../../emails/customer-picker.tsx'
import { useFieldLabels } from '../field-labels.ts'
import { useFilledMessage } from '../filled-message.ts'
import { Phone } from './phone.tsx'

/** The message on a phone, filled in for a chosen customer, and what keeps it from being sent to them. */
export function LinePreview({ content }: { content: LineMessageContent }) {
  const t = useWords('lineMessages')
  const labelOf = useFieldLabels()
  const [customer, setCustomer] = useState<{ id: string; name: string } | null>(null)
  const filled = useFilledMessage(content, customer?.id ?? null)
  const problems = [
    ...filled.problems.map(({ field, reason }) =>
      t('editor.problem', { field: labelOf(field), reason: fieldReasonText(reason) }),
    ),
    ...filled.broken,
  ]
  return (
    <Stack gap="sm">
      <Phone
        messages={filled.messages}
        quickReplies={content.quick_replies}
        stale={filled.stale}
        controls={
          <CustomerPicker
            label={t('editor.previewAs')}
            size="xs"
            w={190}
            value={customer?.id ?? null}
            valueLabel={customer?.name}
            onChange={(id, name) => setCustomer(id === null ? null : { id, name: name ?? '' })}
          />
        }
      />
      {filled.error && <Notice tone="warning">{t('editor.previewFailed')}</Notice>}
      {problems.length > 0 && (
        <Notice tone="warning" title={t('editor.problems')}>
          <List size="sm">
            {problems.map((problem) => (
              <List.Item key={problem}>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {problem}
                </Text>
              </List.Item>
            ))}
          </List>
        </Notice>
      )}
    </Stack>
  )
}
