import { Text } from '@mantine/core'
import { useWords } from '../../app/i18n.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import classes from './dashboard.module.css'

/** Newest first; written with the release that brings them. */
const items = ['live', 'human', 'uncertain'] as const

/** Spec §2: what is new in the product; where there is room for it, one beside the other. */
export function News({ wide }: { wide?: boolean }) {
  const t = useWords('dashboard')
  return (
    <Card title={t('news.title')}>
      <ul className={classes.news} data-wide={wide}>
        {items.map((item) => (
          <li key={item}>
            <Text size="sm" fw={600}>
              {t(`news.items.${item}`)}
            </Text>
            <Text size="sm" c="dimmed">
              {t(`news.items.${item}Text`)}
            </Text>
          </li>
        ))}
      </ul>
    </Card>
  )
}
