import { Group, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './page-frame.module.css'
import { TextLink } from '../links.tsx'
import { StaleNotice } from '../stale-notice.tsx'

export interface Back {
  to: string
  /** The query of that page's address. */
  search?: Record<string, unknown>
  label: string
}

interface PageFrameProps {
  title: string
  back?: Back
  badge?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Forms read better in a narrower column. */
  narrow?: boolean
}

/** The frame of every page: its title in the tab and at the top, a back link, its buttons, and a notice if its data is old. */
export const PageFrame = ({ title, back, badge, description, actions, children, narrow }: PageFrameProps) => (
  <Stack gap="lg" className={classes.frame} data-narrow={narrow || undefined}>
    <title>{`${title} | Okaeri`}</title>
    <div>
      {back && (
        <TextLink to={back.to} {...(back.search && { search: back.search })} className={classes.back}>
          <IconArrowLeft size={16} aria-hidden />
          {back.label}
        </TextLink>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={classes.heading}>
          <Group gap="sm">
            <Title order={1} size="h2" className={classes.title}>
              {title}
            </Title>
            {badge}
          </Group>
          {description && (
            <Text c="dimmed" size="sm" mt={4} maw={760}>
              {description}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    </div>
    <StaleNotice />
    {children}
  </Stack>
)
