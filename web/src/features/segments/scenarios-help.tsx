import { ActionIcon, List, Popover, Stack, Text } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import { useWords } from '../../app/i18n.ts'

/** Who counts as being in a scenario, as having entered and as having ended one. */
export function ScenariosHelp() {
  const t = useWords('segments')
  return (
    <Popover width={340} position="bottom" withArrow shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="md" aria-label={t('scenarios.open')}>
          <IconHelpCircle size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Text size="sm" fw={700}>
            {t('scenarios.title')}
          </Text>
          <List size="sm" spacing={6}>
            {(['now', 'entered', 'ended', 'heldOut', 'notCounted'] as const).map((each) => (
              <List.Item key={each}>{t(`scenarios.${each}`)}</List.Item>
            ))}
          </List>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
