import { List, Paper, Stack, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { PageFrame } from '../../ui/pages/page-frame.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

/** The pages that later pieces bring: their addresses, and where to go meanwhile. The words say what will be there. */
export const comingPages = {
  videos: { path: paths.videos, meanwhile: paths.dashboard() },
  support: { path: paths.support, meanwhile: paths.settings() },
} as const

/** Says what a page will do once it is there. */
export function ComingPage({ page }: { page: keyof typeof comingPages }) {
  const t = useWords('coming')
  return (
    <PageFrame
      title={t(`${page}.title`)}
      badge={<StatusBadge tone="info">{t('badge')}</StatusBadge>}
      description={t(`${page}.text`)}
      narrow
    >
      <Paper withBorder p="xl">
        <Stack gap="md">
          <Text>{t('lead')}</Text>
          <List spacing="xs">
            <List.Item>{t(`${page}.one`)}</List.Item>
            <List.Item>{t(`${page}.two`)}</List.Item>
            <List.Item>{t(`${page}.three`)}</List.Item>
          </List>
          <div>
            <Text size="sm" c="dimmed" mb={6}>
              {t('meanwhile')}
            </Text>
            <ButtonLink
              variant="default"
              to={comingPages[page].meanwhile}
              rightSection={<IconArrowRight size={16} aria-hidden />}
            >
              {t(`${page}.link`)}
            </ButtonLink>
          </div>
        </Stack>
      </Paper>
    </PageFrame>
  )
}
