import { Group, Text, VisuallyHidden } from '@mantine/core'
import type { TimelineEntry } from '@okaeri/contract/customers/timeline'
import type { ReactNode } from 'react'
import { useWords } from '../../../app/i18n.ts'
import classes from './timeline.module.css'

export type Entry<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: K }>

/** The title of an entry, and below it the time and details. */
export const EntryLayout = ({ title, when, children }: { title: ReactNode; when: ReactNode; children?: ReactNode }) => (
  <>
    <Group gap="xs">{typeof title === 'string' ? <Title>{title}</Title> : title}</Group>
    {children}
    <Text size="sm" c="dimmed">
      {when}
    </Text>
  </>
)
export const Title = ({ children }: { children: ReactNode }) => (
  <Text span size="sm" fw={600}>
    {children}
  </Text>
)
export const joined = (parts: readonly (string | null | false | undefined)[]): string =>
  parts.filter(Boolean).join(' · ')

/** A server's message, unchanged. */
export function Proof({ children }: { children: string | null }) {
  const t = useWords('customers')
  if (!children) return null
  return (
    <Text size="xs" c="dimmed" className={classes.proof}>
      <VisuallyHidden>{t('why.proof')}</VisuallyHidden>
      {children}
    </Text>
  )
}
