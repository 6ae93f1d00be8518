import { ActionIcon, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { RichMenuAction, RichMenuArea } from '@okaeri/contract/rich-menus/menu'
import { IconTrash } from '@tabler/icons-react'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { fieldReasonText } from '../../app/reasons.ts'

const kinds = ['link', 'message', 'none'] as const

const emptyAction = (type: RichMenuAction['type']): RichMenuAction => {
  if (type === 'link') return { type, url: '' }
  return type === 'message' ? { type, text: '' } : { type }
}

interface AreaActionsProps {
  disabled: boolean
  areas: readonly RichMenuArea[]
  /** Field reasons by path. */
  errors: Record<string, string>
  /** Where the areas are in the form. */
  path: string
  onAction: (index: number, action: RichMenuAction) => void
  onRemove: (index: number) => void
}

/** What each area does when it is tapped. */
export function AreaActions({ disabled, areas, errors, path, onAction, onRemove }: AreaActionsProps) {
  const t = useWords('richMenus')
  const language = useLanguage()
  if (areas.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('noAreas')}
      </Text>
    )
  const fieldOf = (index: number, name: 'url' | 'text') => {
    const place = `${path}.${index}.action.${name}`
    return { name: place, error: errors[place] ? fieldReasonText(errors[place], language) : undefined }
  }
  return (
    <Stack gap="sm">
      {areas.map(({ action }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: areas are known by their place
        <Group key={index} gap="xs" align="flex-end" wrap="wrap">
          <Select
            label={t('action.label', { number: index + 1 })}
            disabled={disabled}
            w={190}
            allowDeselect={false}
            data={kinds.map((value) => ({ value, label: t(`action.${value}`) }))}
            value={action.type}
            onChange={(type) => type && onAction(index, emptyAction(type))}
          />
          {action.type === 'link' && (
            <TextInput
              label={t('action.url')}
              disabled={disabled}
              style={{ flex: 1, minWidth: 200 }}
              type="url"
              value={action.url}
              onChange={(event) => onAction(index, { type: 'link', url: event.currentTarget.value })}
              {...fieldOf(index, 'url')}
            />
          )}
          {action.type === 'message' && (
            <TextInput
              label={t('action.text')}
              disabled={disabled}
              style={{ flex: 1, minWidth: 200 }}
              value={action.text}
              onChange={(event) => onAction(index, { type: 'message', text: event.currentTarget.value })}
              {...fieldOf(index, 'text')}
            />
          )}
          {!disabled && (
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={t('removeArea', { number: index + 1 })}
              onClick={() => onRemove(index)}
            >
              <IconTrash size={18} />
            </ActionIcon>
          )}
        </Group>
      ))}
    </Stack>
  )
}
