import { Code, CopyButton, Group } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useWords } from '../../app/i18n.ts'
import { ActionButton } from '../../ui/actions.tsx'

/** An address to take to another place. */
export function CopiedAddress({ label, url }: { label: string; url: string }) {
  const t = useWords('lineAccounts')
  return (
    <Group gap="xs">
      <Code style={{ overflowWrap: 'anywhere' }} aria-label={label}>
        {url}
      </Code>
      <CopyButton value={url}>
        {({ copied, copy }) => (
          <ActionButton
            action={{
              label: t(copied ? 'webhook.copied' : 'webhook.copy'),
              icon: <IconCopy size={16} />,
              onClick: copy,
            }}
          />
        )}
      </CopyButton>
    </Group>
  )
}
