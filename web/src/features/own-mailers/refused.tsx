import { Text } from '@mantine/core'
import { useWords } from '../../app/i18n.ts'
import { Notice } from '../../ui/notice.tsx'

/** What the server said, in its words. */
export function Refused({ answer, kept }: { answer: string; kept?: string }) {
  const t = useWords('ownMailers')
  return (
    <Notice tone="danger" title={t('failed')}>
      <Text size="sm" lang="en" style={{ overflowWrap: 'anywhere' }}>
        {answer}
      </Text>
      {kept}
    </Notice>
  )
}
