import { Button, CloseButton, Group, Paper, Skeleton, Stack, Tabs, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import type { Page } from '@okaeri/contract/paging'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { type Action, ActionButton } from '../actions.tsx'
import { ButtonLink } from '../links.tsx'
import classes from './list-page.module.css'
import { type AnyListState, narrowingOf } from './list-state.ts'
import { type Back, PageFrame } from './page-frame.tsx'
import { type Column, Records, type RecordsPaging } from './records.tsx'
import { Empty, LoadFailed } from '../states.tsx'

const SEARCH_DELAY_MS = 250
/** The value of the tab "all"; Mantine accepts no empty one. */
const ALL = ' all'
/** Rows of the skeleton while the first page loads. */
const SKELETON_ROWS = 8

export type { Column }

/** Answers of lists that are paged by cursors. */
interface Cursors {
  next: string | null
  prev: string | null
  /** False: `total` is a lower bound. */
  total_exact: boolean
}

interface ListPageProps<Row extends { id: string }> {
  title: string
  /** For a list that belongs to another page. */
  back?: Back
  description?: ReactNode
  /** The only primary button; with a reason it is disabled and shows it. */
  create?: { label: string; to: string; disabledReason?: string | false | null }
  /** More buttons next to it. */
  headerActions?: ReactNode
  /** A notice above the list. */
  notice?: ReactNode
  /** From `useListState(schema)`. */
  list: AnyListState
  /** `useQuery({ ...queryOf(listX, { query: { ...list.query, … } }), placeholderData: keepPreviousData })`. */
  query: UseQueryResult<Page<Row> & Partial<Cursors>>
  /** The limit of counting: a total of this many is shown as "at least". */
  countedTo?: number
  /** Shown in the search field; without it there is no search. */
  searchPlaceholder?: string
  /** Tabs over one filter of the address; the tab without `value` shows all. */
  /** One tab for each of these values of a filter, after a tab for all. */
  tabs?: { param: string; label: string; items: readonly { value: string; label: string }[] }
  /** More filters, to the right of the search. They call `list.set({ … })`. */
  filters?: ReactNode
  columns: readonly Column<Row>[]
  /** The row's name in its menu's label. */
  rowName: (row: Row) => string
  /** The page a click on the row opens; the name column should have a real link to it too. */
  rowTo?: (row: Row) => string
  rowActions?: (row: Row) => readonly Action[]
  /** For an empty list: its purpose, and the first button (by default `create`). */
  empty: { title: string; text: string; icon?: ComponentType<{ size?: number; stroke?: number }>; action?: ReactNode }
  /** Makes rows selectable. It shows how many are selected, which may be more than are ticked. */
  bulkActions?: (rows: Row[], clear: () => void) => ReactNode
}

/** The list page: search, tabs and filters in the address, a table, and empty, loading and error states. */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { title, list, query, create, tabs } = props
  const t = useWords('ui')
  const chosen = tabs && (list.search as Record<string, unknown>)[tabs.param]
  const plus = <IconPlus size={18} aria-hidden />
  const createButton =
    create &&
    (create.disabledReason ? (
      <ActionButton action={{ ...create, icon: plus, primary: true }} />
    ) : (
      <ButtonLink to={create.to} leftSection={plus}>
        {create.label}
      </ButtonLink>
    ))
  return (
    <PageFrame
      title={title}
      {...(props.back && { back: props.back })}
      description={props.description}
      actions={
        (props.headerActions || createButton) && (
          <>
            {props.headerActions}
            {createButton}
          </>
        )
      }
    >
      {props.notice}
      <Paper withBorder className={classes.paper}>
        {tabs && (
          <Tabs
            value={typeof chosen === 'string' ? chosen : ALL}
            onChange={(value) => list.set({ [tabs.param]: value === ALL ? undefined : (value ?? undefined) })}
            aria-label={tabs.label}
          >
            <Tabs.List className={classes.tabs}>
              {[{ value: ALL, label: t('all') }, ...tabs.items].map(({ value, label }) => (
                <Tabs.Tab key={value} value={value}>
                  {label}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          </Tabs>
        )}
        {(props.searchPlaceholder || props.filters) && (
          <Group p="sm" gap="sm" className={classes.filters}>
            {props.searchPlaceholder && <Search list={list} placeholder={props.searchPlaceholder} />}
            {props.filters}
          </Group>
        )}
        {query.error && !query.data ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Rows {...props} createButton={createButton} />
        )}
      </Paper>
    </PageFrame>
  )
}

/** Endpoints that answer `next` and `prev` are paged by cursors, the others by page numbers. */
export function pagingOf(list: AnyListState, page: Page<unknown> & Partial<Cursors>): RecordsPaging {
  const onSize = (size: number) => list.set({ size })
  const { total } = page
  if (page.next === undefined)
    return { page: list.page, size: list.size, total, onPage: (to) => list.set({ page: to }), onSize }
  return {
    prev: page.prev ?? null,
    next: page.next,
    size: list.size,
    total,
    totalExact: page.total_exact ?? true,
    onCursor: (cursor) => list.set({ cursor }),
    onSize,
  }
}

function Search({ list, placeholder }: { list: AnyListState; placeholder: string }) {
  const t = useWords('ui')
  const [typed, setTyped] = useState(list.q)
  const apply = useDebouncedCallback((q: string) => list.set({ q }), SEARCH_DELAY_MS)
  // The address may change from elsewhere (back button, "clear filters").
  useEffect(() => setTyped(list.q), [list.q])
  const change = (value: string) => {
    setTyped(value)
    apply(value)
  }
  return (
    <TextInput
      className={classes.search}
      type="search"
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      placeholder={placeholder}
      aria-label={placeholder}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed && <CloseButton size="sm" aria-label={t('clear')} onClick={() => change('')} />}
    />
  )
}

function Rows<Row extends { id: string }>(props: ListPageProps<Row> & { createButton: ReactNode }) {
  const { list, query, columns, rowActions, rowTo, rowName, bulkActions, empty } = props
  const t = useWords('ui')
  const [ticked, setTicked] = useState<Row[]>([])
  const page = query.data
  // Rows hidden by another filter are not acted on.
  const narrowing = narrowingOf(list.search)
  useEffect(() => setTicked([]), [narrowing])

  if (!page) return <SkeletonRows columns={Math.min(columns.length, 5)} />
  if (page.total === 0) {
    return list.narrowed ? (
      <Empty
        icon={IconSearch}
        title={t('list.noMatch')}
        text={t('list.noMatchHint')}
        action={
          <Button variant="default" onClick={list.clear}>
            {t('clear')}
          </Button>
        }
      />
    ) : (
      <Empty {...empty} action={empty.action ?? props.createButton} />
    )
  }

  return (
    <Stack gap={0}>
      {bulkActions && ticked.length > 0 && (
        <Group className={classes.bulk} gap="sm">
          {bulkActions(ticked, () => setTicked([]))}
        </Group>
      )}
      <Records<Row>
        records={page.data}
        columns={columns}
        rowName={rowName}
        rowTo={rowTo}
        rowActions={rowActions}
        refreshing={query.isPlaceholderData}
        sort={{
          by: list.sort,
          direction: list.direction,
          onChange: (sort, direction) => list.set({ sort, direction }),
        }}
        paging={{ ...pagingOf(list, page), ...(props.countedTo !== undefined && { countedTo: props.countedTo }) }}
        {...(bulkActions && { ticked: { rows: ticked, onChange: setTicked } })}
      />
    </Stack>
  )
}

function SkeletonRows({ columns }: { columns: number }) {
  const t = useWords('ui')
  return (
    <div role="status" aria-label={t('loading')} className={classes.skeleton}>
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <Group key={row} gap="xl" wrap="nowrap" h={45} px="md">
          {Array.from({ length: columns }, (_, column) => (
            <Skeleton key={column} height={14} width={column === 0 ? '32%' : '14%'} />
          ))}
        </Group>
      ))}
    </div>
  )
}
