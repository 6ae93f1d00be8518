import { ActionIcon, Button, Menu, ScrollArea, Text, TextInput } from '@mantine/core'
import { ContentTag } from '@okaeri/contract/emails/email'
import { listContentTags } from '@okaeri/contract/emails/routes'
import { IconBraces } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mayBeEmpty, withDefault } from './tag-default.ts'
import { queryOf } from '../../../api/queries.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'

const categories = ContentTag.shape.category.options
type Category = (typeof categories)[number]

interface TagMenuProps {
  insert: (tag: string) => void
  /** Those that have no place here. */
  without?: readonly Category[]
  /** Within the field of an address, which is called so: only what may be such an address. */
  within?: { value: Exclude<ContentTag['value'], 'text'>; label: string }
}

/** The tags there are, each inserted at the cursor. */
export function TagMenu({ insert, without = [], within }: TagMenuProps) {
  const t = useWords('emails')
  const language = useLanguage()
  const { data } = useQuery(queryOf(listContentTags, {}))
  // Only once the menu has let go of the focus may the editor take it.
  const [chosen, setChosen] = useState<string | null>(null)
  const [instead, setInstead] = useState('')
  const tags = data?.content_tags.filter(
    (tag) => !without.includes(tag.category) && (within === undefined || tag.value === within.value),
  )
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      returnFocus={false}
      onExitTransitionEnd={() => {
        if (chosen !== null) insert(chosen)
        setChosen(null)
        setInstead('')
      }}
    >
      <Menu.Target>
        {within ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('editor.insertTagInto', { field: within.label })}
            title={t('editor.insertTag')}
            disabled={!tags}
          >
            <IconBraces size={18} aria-hidden />
          </ActionIcon>
        ) : (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconBraces size={16} aria-hidden />}
            title={t('editor.insertTagHelp')}
            disabled={!tags}
          >
            {t('editor.insertTag')}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {!within && tags?.some(mayBeEmpty) && (
          <TextInput
            size="xs"
            px={8}
            pt={4}
            pb={8}
            label={t('editor.instead')}
            description={t('editor.insteadHelp')}
            placeholder={t('editor.insteadExample')}
            maxLength={100}
            value={instead}
            onChange={(event) => setInstead(event.currentTarget.value)}
          />
        )}
        <ScrollArea.Autosize mah={360} w={300} type="auto">
          {categories
            .map((category) => ({ category, tags: tags?.filter((tag) => tag.category === category) ?? [] }))
            .filter(({ tags }) => tags.length > 0)
            .map(({ category, tags }) => (
              <div key={category}>
                <Menu.Label>{t(`tagCategory.${category}`)}</Menu.Label>
                {tags.map((tag) => (
                  <Menu.Item
                    key={tag.tag}
                    onClick={() => setChosen(mayBeEmpty(tag) ? withDefault(tag.tag, instead) : tag.tag)}
                  >
                    {tag[`name_${language}`]}
                    {category === 'line' && <Text size="xs">{t('editor.lineTagHelp')}</Text>}
                    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {tag.tag}
                      {tag[`example_${language}`] &&
                        ` ・ ${t('editor.example', { example: tag[`example_${language}`] })}`}
                    </Text>
                  </Menu.Item>
                ))}
              </div>
            ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  )
}
