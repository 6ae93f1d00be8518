import { Group, Paper, SimpleGrid, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Action, ActionButton, ActionMenu } from '../actions.tsx'
import classes from './detail-page.module.css'
import { type Back, PageFrame } from './page-frame.tsx'
import { PageTabs, type PageTabsProps } from './page-tabs.tsx'
import { Loading, LoadFailed } from '../states.tsx'

interface DetailPageProps {
  back: Back
  /** The item's name; while it loads, its kind. */
  title: string
  badge?: ReactNode
  description?: ReactNode
  /** Buttons; one that the status forbids is disabled with its reason. */
  actions?: readonly Action[]
  /** Less frequent actions, in the menu. */
  moreActions?: readonly Action[]
  /** The main query of the page, whose loading and error states are shown until there is data. */
  query: { data: unknown; error: Error | null; refetch: () => unknown }
  /** Tabs, if the item has too much for one page; the other properties are the open tab. */
  tabs?: Omit<PageTabsProps, 'children'>
  /** Between the header and the cards: notices and questions. */
  notice?: ReactNode
  /** `Card`s, in two columns. */
  children: ReactNode
  /** Full width at the bottom. */
  history?: ReactNode
}

/** The detail shape. */
export function DetailPage(props: DetailPageProps) {
  const { query, actions = [], moreActions = [] } = props
  const ready = query.data !== undefined
  const shown = ready ? (
    <>
      {props.notice}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" className={classes.cards}>
        {props.children}
      </SimpleGrid>
      {props.history}
    </>
  ) : (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {[0, 1].map((card) => (
        <Paper key={card} withBorder p="lg" h={220}>
          <Loading />
        </Paper>
      ))}
    </SimpleGrid>
  )
  return (
    <PageFrame
      title={props.title}
      back={props.back}
      badge={props.badge}
      description={props.description}
      actions={
        ready && (
          <>
            {actions.slice(0, -1).map((action) => (
              <ActionButton key={action.label} action={action} />
            ))}
            {/* If they do not fit into one line, the menu never has a line of its own. */}
            <Group gap="xs" wrap="nowrap">
              {actions.slice(-1).map((action) => (
                <ActionButton key={action.label} action={action} />
              ))}
              <ActionMenu name={props.title} actions={moreActions} />
            </Group>
          </>
        )
      }
    >
      {!ready && query.error ? (
        <Paper withBorder>
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        </Paper>
      ) : props.tabs ? (
        <PageTabs {...props.tabs}>{shown}</PageTabs>
      ) : (
        shown
      )}
    </PageFrame>
  )
}

interface CardProps {
  title?: string
  /** To the right of the title. */
  action?: ReactNode
  children: ReactNode
  /** Spans both columns. */
  wide?: boolean
}

/** A titled box. */
export const Card = ({ title, action, children, wide }: CardProps) => (
  <Paper withBorder p="lg" component="section" aria-label={title} className={wide ? classes.wide : undefined}>
    <Stack gap="md">
      {(title || action) && (
        <Group justify="space-between" gap="xs">
          {title && (
            <Title order={2} size="h4">
              {title}
            </Title>
          )}
          {action}
        </Group>
      )}
      {children}
    </Stack>
  </Paper>
)

/** Labels and values; a null value shows a dash, `false` omits the row. */
export const Facts = ({ items }: { items: readonly ({ label: string; value: ReactNode } | false)[] }) => (
  <dl className={classes.facts}>
    {items.map(
      (item) =>
        item && (
          <div key={item.label}>
            <dt>{item.label}</dt>
            <dd>{item.value ?? '—'}</dd>
          </div>
        ),
    )}
  </dl>
)
