import { Button, Menu, ScrollArea, Text } from '@mantine/core'
import { ContentTag } from '@okaeri/contract/emails/email'
import { listContentTags } from '@okaeri/contract/emails/routes'
import { IconBraces } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'

const categories = ContentTag.shape.category.options
type Category = (typeof categories)[number]

/** The tags there are, each inserted at the cursor. `without`: those that have no place here. */
export function TagMenu({ insert, without }: { insert: (tag: string) => void; without: readonly Category[] }) {
  const t = useWords('emails')
  const language = useLanguage()
  const { data } = useQuery(queryOf(listContentTags, {}))
  // Only once the menu has let go of the focus may the editor take it.
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      returnFocus={false}
      onExitTransitionEnd={() => {
        if (chosen !== null) insert(chosen)
        setChosen(null)
      }}
    >
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBraces size={16} aria-hidden />}
          title={t('editor.insertTagHelp')}
          disabled={!data}
        >
          {t('editor.insertTag')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={360} w={300} type="auto">
          {categories
            .filter(
              (category) => !without.includes(category) && data?.content_tags.some((tag) => tag.category === category),
            )
            .map((category) => (
              <div key={category}>
                <Menu.Label>{t(`tagCategory.${category}`)}</Menu.Label>
                {data?.content_tags
                  .filter((tag) => tag.category === category)
                  .map((tag) => (
                    <Menu.Item key={tag.tag} onClick={() => setChosen(tag.tag)}>
                      {tag[`name_${language}`]}
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
