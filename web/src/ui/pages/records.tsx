import { ActionIcon, Checkbox, Group, Pagination, Select, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { pageSizes } from '@okaeri/contract/paging'
import {
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
  IconSortAscending,
  IconSortDescending,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { DataTable, type DataTableColumn } from 'mantine-datatable'
import { isValidElement, type MouseEvent, type ReactNode } from 'react'
import { useFormat } from '../../app/format.ts'
import { useWords, type Words } from '../../app/i18n.ts'
import { type Action, ActionMenu } from '../actions.tsx'
import classes from './records.module.css'

/** Narrower than this, rows are cards. */
const PHONE = '(max-width: 40em)'
/** The number of labelled values on a card: the first columns after its title that are not hidden on phones. */
const VALUES_OF_A_CARD = 4

/** mantine-datatable's column; a `sortable` one needs an `accessor` that the list endpoint sorts by. */
export type Column<Row> = DataTableColumn<Row> & {
  /** On phones: the title of the row's card (by default the first column), or hidden. */
  phone?: 'title' | 'hide'
  /** Of the last column: it stays in sight where the table is wider than its place. */
  sticky?: boolean
}

interface NumberedPaging {
  page: number
  size: number
  total: number
  /** The limit of counting: a total of this many is shown as "at least". */
  countedTo?: number
  onPage: (page: number) => void
  onSize: (size: number) => void
}
/** For lists whose endpoint answers `next` and `prev`: equally fast at any depth, but without page numbers. */
interface CursorPaging {
  prev: string | null
  next: string | null
  size: number
  total: number
  /** False: the total is a lower bound. */
  totalExact: boolean
  /** Undefined is the first page, `end` the last. */
  onCursor: (cursor: string | undefined) => void
  onSize: (size: number) => void
}

export type RecordsPaging = NumberedPaging | CursorPaging

interface RecordsProps<Row extends { id: string }> {
  records: readonly Row[]
  columns: readonly Column<Row>[]
  /** The row's name in the labels of its controls. */
  rowName: (row: Row) => string
  /** The page a click on the row opens; the name column should have a real link to it too. */
  rowTo?: ((row: Row) => string) | undefined
  rowActions?: ((row: Row) => readonly Action[]) | undefined
  /** An older page is shown while the next one is fetched. */
  refreshing?: boolean
  sort?: {
    by: string
    direction: 'asc' | 'desc'
    onChange: (by: string, direction: 'asc' | 'desc') => void
  }
  /** Absent if all rows are given. */
  paging?: RecordsPaging
  /** Makes rows selectable. */
  ticked?: { rows: Row[]; onChange: (rows: Row[]) => void } | undefined
  /** Less space between the rows. */
  dense?: boolean
}

/** Rows of one kind: a table, or on phones a card for each. */
export function Records<Row extends { id: string }>(props: RecordsProps<Row>) {
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false })
  const { paging } = props
  return (
    <>
      {isPhone ? <Cards {...props} /> : <Rows {...props} />}
      {paging && ('onCursor' in paging ? <CursorPages paging={paging} /> : isPhone && <CardPages paging={paging} />)}
    </>
  )
}

function useOpen<Row extends { id: string }>({ rowTo }: Pick<RecordsProps<Row>, 'rowTo'>) {
  const navigate = useNavigate()
  return (
    rowTo &&
    ((row: Row, event: MouseEvent) => {
      const onControl = event.target instanceof Element && event.target.closest('a, button, input, label')
      if (!onControl && !window.getSelection()?.toString()) void navigate({ to: rowTo(row) })
    })
  )
}

function Rows<Row extends { id: string }>(props: RecordsProps<Row>) {
  const { columns, rowName, rowActions, sort, paging, ticked } = props
  const t = useWords('ui')
  const format = useFormat()
  const open = useOpen(props)
  const menu: DataTableColumn<Row>[] = rowActions
    ? [
        {
          accessor: 'row-menu',
          title: <span className="for-screen-readers">{t('moreActions')}</span>,
          width: 56,
          textAlign: 'right',
          render: (row) => <ActionMenu name={rowName(row)} actions={rowActions(row)} />,
        },
      ]
    : []
  const table = {
    className: classes.table ?? '',
    verticalSpacing: props.dense ? ('xs' as const) : ('sm' as const),
    horizontalSpacing: 'md' as const,
    highlightOnHover: open !== undefined,
    minHeight: props.dense ? 120 : 180,
    // Its default has an English text, which screen readers read even when it is hidden.
    emptyState: <span />,
    records: [...props.records],
    columns: [...columns.map(readable), ...menu],
    pinLastColumn: menu.length > 0 || columns.at(-1)?.sticky === true,
    idAccessor: 'id',
    fetching: props.refreshing ?? false,
    sortStatus: { columnAccessor: sort?.by ?? '', direction: sort?.direction ?? 'asc' },
    onSortStatusChange: ({
      columnAccessor,
      direction,
    }: {
      columnAccessor: string | keyof Row
      direction: 'asc' | 'desc'
    }) => sort?.onChange(String(columnAccessor), direction),
    ...(open && { onRowClick: ({ record, event }: { record: Row; event: MouseEvent }) => open(record, event) }),
    ...(ticked && {
      selectedRecords: ticked.rows,
      onSelectedRecordsChange: ticked.onChange,
      allRecordsSelectionCheckboxProps: { 'aria-label': t('list.selectPage') },
      getRecordSelectionCheckboxProps: (row: Row) => ({ 'aria-label': t('list.select', { name: rowName(row) }) }),
    }),
  }
  if (!paging || 'onCursor' in paging) return <DataTable<Row> {...table} />
  return (
    <DataTable<Row>
      {...table}
      loadingText={t('loading')}
      page={paging.page}
      onPageChange={paging.onPage}
      totalRecords={paging.total}
      recordsPerPage={paging.size}
      recordsPerPageOptions={[...pageSizes]}
      onRecordsPerPageChange={paging.onSize}
      recordsPerPageLabel={t('list.pageSize')}
      paginationText={({ from, to, totalRecords }) =>
        rangeText(t, paging, {
          from: format.number(from),
          to: format.number(to),
          total: format.number(totalRecords),
        })
      }
      getPaginationControlProps={(control) => ({ 'aria-label': t(`list.${control}`) })}
      getPaginationItemProps={(number) => ({ 'aria-label': t('list.page', { page: number }) })}
    />
  )
}

/** Of the width that a column asks for, what it keeps where there is no room for all of them. */
const LEAST = 0.75
const LEAST_OF_REST = 160

/** A column without a width of its own takes what is left, but never so little that a name breaks at every character. */
function readable<Row>({ width, ...column }: Column<Row>): Column<Row> {
  if (column.cellsStyle) return { ...column, ...(width !== undefined && { width }) }
  if (typeof width === 'string') return { ...column, width }
  const style = width === undefined ? { minWidth: LEAST_OF_REST } : { width, minWidth: Math.round(width * LEAST) }
  return { ...column, cellsStyle: () => style }
}

function Cards<Row extends { id: string }>(props: RecordsProps<Row>) {
  const { records, columns, rowName, rowActions, sort, ticked } = props
  const t = useWords('ui')
  const open = useOpen(props)
  const title = columns.find(({ phone }) => phone === 'title') ?? columns[0]
  const values = columns.filter((column) => column !== title && column.phone !== 'hide').slice(0, VALUES_OF_A_CARD)
  const cell = (column: Column<Row>, row: Row, at: number): ReactNode =>
    column.render ? column.render(row, at) : String(row[column.accessor as keyof Row] ?? '')
  const tick = (row: Row, on: boolean) =>
    ticked?.onChange(on ? [...ticked.rows, row] : ticked.rows.filter(({ id }) => id !== row.id))

  return (
    <>
      {sort && <SortChoice columns={columns} sort={sort} />}
      <ul className={classes.cards} data-refreshing={props.refreshing || undefined}>
        {records.map((row, at) => (
          // The keyboard uses the link in the title; the whole card is only a larger touch target.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
          <li
            key={row.id}
            className={classes.card}
            data-open={open !== undefined || undefined}
            onClick={(event) => open?.(row, event)}
          >
            <div className={classes.head}>
              {ticked && (
                <Checkbox
                  aria-label={t('list.select', { name: rowName(row) })}
                  checked={ticked.rows.some(({ id }) => id === row.id)}
                  onChange={(event) => tick(row, event.currentTarget.checked)}
                />
              )}
              <div className={classes.title}>{title && cell(title, row, at)}</div>
              {rowActions && <ActionMenu name={rowName(row)} actions={rowActions(row)} />}
            </div>
            <dl className={classes.values}>
              {values.map((column) => (
                <div key={String(column.accessor)}>
                  <dt>{column.title}</dt>
                  <dd>{cell(column, row, at)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The sorting for cards; a table is sorted by its headings. */
function SortChoice<Row>({
  columns,
  sort,
}: {
  columns: readonly Column<Row>[]
  sort: NonNullable<RecordsProps<Row & { id: string }>['sort']>
}) {
  const t = useWords('ui')
  const sortable = columns.filter((column) => column.sortable)
  if (sortable.length === 0) return null
  const choices = sortable.map((column) => ({ value: String(column.accessor), label: plain(column.title) }))
  // The initial order of the list, if it has no heading.
  if (!choices.some(({ value }) => value === sort.by) && sort.by === 'created_at')
    choices.unshift({ value: sort.by, label: t('list.created') })
  const Icon = sort.direction === 'asc' ? IconSortAscending : IconSortDescending
  const turned = sort.direction === 'asc' ? 'desc' : 'asc'
  return (
    <Group gap="xs" wrap="nowrap" className={classes.sort}>
      <Select
        aria-label={t('list.sortBy')}
        leftSection={<span aria-hidden>{t('list.sortBy')}</span>}
        leftSectionWidth={88}
        flex={1}
        value={sort.by}
        data={choices}
        onChange={(by) => by && sort.onChange(by, sort.direction)}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t(turned === 'asc' ? 'list.ascending' : 'list.descending')}
        onClick={() => sort.onChange(sort.by, turned)}
      >
        <Icon size={18} />
      </ActionIcon>
    </Group>
  )
}

/** The text of a heading, which may be inside an element. */
function plain(title: ReactNode): string {
  if (typeof title === 'string') return title
  return isValidElement<{ children?: ReactNode }>(title) ? plain(title.props.children) : ''
}

/** The range of the rows shown, and the total. */
const rangeText = (
  t: Words<'ui'>,
  { total, countedTo = Number.POSITIVE_INFINITY }: NumberedPaging,
  values: { from: string; to: string; total: string },
): string => t(total < countedTo ? 'list.range' : 'list.rangeAtLeast', values)

function CardPages({ paging }: { paging: NumberedPaging }) {
  const { page, size, total, onPage, onSize } = paging
  const t = useWords('ui')
  const format = useFormat()
  const pages = Math.ceil(total / size)
  const from = (page - 1) * size + 1
  const range = { from: format.number(from), to: format.number(Math.min(page * size, total)) }
  return (
    <div className={classes.pages}>
      <Group justify="space-between" gap="xs" w="100%">
        <Text size="sm" c="dimmed" className="numbers">
          {rangeText(t, paging, { ...range, total: format.number(total) })}
        </Text>
        {total > pageSizes[0] && <PageSize size={size} onSize={onSize} />}
      </Group>
      {pages > 1 && (
        <Pagination
          size="md"
          siblings={0}
          boundaries={1}
          gap={4}
          value={page}
          total={pages}
          onChange={onPage}
          getControlProps={(control) => ({ 'aria-label': t(`list.${control}`) })}
          getItemProps={(number) => ({ 'aria-label': t('list.page', { page: number }) })}
        />
      )}
    </div>
  )
}

function PageSize({ size, onSize }: Pick<NumberedPaging, 'size' | 'onSize'>) {
  const t = useWords('ui')
  return (
    <Select
      size="xs"
      w={76}
      aria-label={t('list.pageSize')}
      value={String(size)}
      data={pageSizes.map(String)}
      onChange={(chosen) => onSize(Number(chosen))}
    />
  )
}

function CursorPages({ paging }: { paging: CursorPaging }) {
  const t = useWords('ui')
  const format = useFormat()
  const { prev, next, size, total, totalExact, onCursor, onSize } = paging
  const all = format.number(total)
  const go = (label: string, icon: ReactNode, cursor: string | undefined | null) => (
    <ActionIcon
      variant="default"
      size={32}
      aria-label={label}
      disabled={cursor === null}
      onClick={() => cursor !== null && onCursor(cursor)}
    >
      {icon}
    </ActionIcon>
  )
  const icon = { size: 17, 'aria-hidden': true } as const
  return (
    <Group justify="space-between" gap="sm" px="md" py="sm" className={classes.cursors}>
      <Text size="sm" c="dimmed" className="numbers">
        {t(totalExact ? 'list.total' : 'list.atLeast', { count: total, total: all })}
      </Text>
      {(prev !== null || next !== null || total > pageSizes[0]) && (
        <Group gap="xs">
          <Text size="sm" c="dimmed" visibleFrom="xs" aria-hidden>
            {t('list.pageSize')}
          </Text>
          <PageSize size={size} onSize={onSize} />
          <Group gap={4}>
            {go(t('list.first'), <IconChevronsLeft {...icon} />, prev === null ? null : undefined)}
            {go(t('list.previous'), <IconChevronLeft {...icon} />, prev)}
            {go(t('list.next'), <IconChevronRight {...icon} />, next)}
            {go(t('list.last'), <IconChevronsRight {...icon} />, next === null ? null : 'end')}
          </Group>
        </Group>
      )}
    </Group>
  )
}
