import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useWords } from '../../../app/i18n.ts'

/** The tag of a component, to be written into an email. */
export function CopyTag({ tag }: { tag: string }) {
  const t = useWords('emails')
  return (
    <Group gap={4} wrap="nowrap">
      <Code style={{ overflowWrap: 'anywhere' }}>{tag}</Code>
      <CopyButton value={tag}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t('components.copied') : t('components.copyTag')}>
            <ActionIcon variant="subtle" color="gray" aria-label={t('components.copyTag')} onClick={copy}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  )
}
