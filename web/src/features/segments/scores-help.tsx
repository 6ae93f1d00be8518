import { ActionIcon, Popover, Stack, Table, Text } from '@mantine/core'
import { rfmClasses } from '@okaeri/contract/segments/condition-fields'
import { IconHelpCircle } from '@tabler/icons-react'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { nameOf } from './editor/condition-names.ts'

/** How classes and the expected next order are calculated. */
export function ScoresHelp() {
  const t = useWords('segments')
  const language = useLanguage()
  return (
    <Popover width={360} position="bottom" withArrow shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="md" aria-label={t('scores.open')}>
          <IconHelpCircle size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Stack gap="xs">
          <Text size="sm" fw={700}>
            {t('scores.title')}
          </Text>
          <Text size="sm">{t('scores.how')}</Text>
          <Table fz="xs" verticalSpacing={4} horizontalSpacing={6}>
            <Table.Tbody>
              {rfmClasses.map((each) => (
                <Table.Tr key={each.value}>
                  <Table.Th fw={600}>{nameOf(each, language)}</Table.Th>
                  <Table.Td>{t(`scores.${each.value}`)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Text size="sm" fw={700}>
            {t('scores.nextTitle')}
          </Text>
          <Text size="sm">{t('scores.next')}</Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
