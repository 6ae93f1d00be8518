import { ActionIcon, Group, Paper, SegmentedControl, Stack, Table, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { getRichMenuCalendar } from '@okaeri/contract/rich-menus/routes'
import { IconCalendar, IconChevronLeft, IconChevronRight, IconDeviceMobile, IconEyeOff } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createLink, useSearch } from '@tanstack/react-router'
import type { DateTime } from 'luxon'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFrame } from '../../ui/pages/page-frame.tsx'
import { Empty, Loading, LoadFailed } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { CustomerPicker } from '../emails/customer-picker.tsx'
import { type CalendarMenu, daysOf, type Lane, lanesOf, onDay, type Span } from './menu-calendar.ts'
import classes from './menu-calendar.module.css'
import { CalendarSearch } from './search.ts'
import { SeenMenu } from './seen-menu.tsx'

/** Narrower than this, a month does not fit side by side. */
const PHONE = '(max-width: 40em)'

/** Which menu people see on which day of a month. */
export function RichMenuCalendar() {
  const t = useWords('richMenus')
  const { zone } = useFormat()
  const asked = CalendarSearch.parse(useSearch({ strict: false }))
  const query = useQuery({ ...queryOf(getRichMenuCalendar, { query: asked }), placeholderData: keepPreviousData })
  // Which month it is, the server knows: in the sandbox its clock is another than the browser's.
  const { menus, today: day = '', month: answered } = query.data ?? {}
  const month = asked.month ?? answered
  const days = month === undefined ? [] : daysOf(month, zone)
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false })
  const [view, setView] = useState<'table' | 'days'>('table')
  const [asking, setAsking] = useState(false)
  const lanes = lanesOf(menus ?? [], days)
  const today = days.slice(0, -1).findIndex((one) => one.toISODate() === day)
  const isPast = month !== undefined && menus !== undefined && month < day.slice(0, month.length)
  const isTable = view === 'table' && !isPhone
  return (
    <PageFrame
      title={t('calendar.title')}
      back={{ to: paths.richMenus(), label: t('title') }}
      description={t('calendar.description')}
      actions={
        <>
          {!isPhone && (
            <SegmentedControl
              aria-label={t('calendar.view')}
              value={view}
              onChange={(value) => setView(value === 'days' ? 'days' : 'table')}
              data={[
                { value: 'table', label: t('calendar.asTable') },
                { value: 'days', label: t('calendar.asDays') },
              ]}
            />
          )}
          <ActionButton
            action={{ label: t('seen.open'), icon: <IconDeviceMobile size={18} />, onClick: () => setAsking(true) }}
          />
        </>
      }
    >
      <SeenDialog opened={asking} onClose={() => setAsking(false)} />
      <Paper withBorder>
        <div className={classes.head}>
          <MonthTitle days={days} />
          <MonthLinks days={days} />
        </div>
        {isPast && (
          <div className={classes.note}>
            <Notice>{t('calendar.past')}</Notice>
          </div>
        )}
        {query.error && !menus ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : !menus ? (
          <Group p="lg" mih={320} align="flex-start">
            <Loading lines={8} />
          </Group>
        ) : lanes.length === 0 ? (
          <Empty icon={IconCalendar} title={t('calendar.empty.title')} text={t('calendar.empty.text')} />
        ) : (
          <div className={classes.body} data-old={query.isPlaceholderData || undefined}>
            {isTable ? <MonthTable lanes={lanes} days={days} today={today} /> : <DayList {...{ lanes, days, today }} />}
            {isTable && (
              <Legend
                hasSegments={lanes.some(({ segment }) => segment !== null)}
                hasRefused={menus.some(({ refusal }) => refusal !== null)}
              />
            )}
          </div>
        )}
      </Paper>
    </PageFrame>
  )
}

/** What one of the customers sees now. */
function SeenDialog(props: { opened: boolean; onClose: () => void }) {
  const t = useWords('richMenus')
  const [customerId, setCustomerId] = useState<string | null>(null)
  return (
    <Dialog {...props} title={t('seen.openTitle')} size="lg">
      <Stack gap="md" mih={320}>
        <CustomerPicker
          label={t('seen.customer')}
          placeholder={t('seen.pick')}
          value={customerId}
          onChange={(id) => setCustomerId(id)}
        />
        {customerId ? (
          <SeenMenu customerId={customerId} />
        ) : (
          <Empty icon={IconDeviceMobile} title={t('seen.empty.title')} text={t('seen.empty.text')} />
        )}
      </Stack>
    </Dialog>
  )
}

interface MonthProps {
  lanes: readonly Lane[]
  days: readonly DateTime[]
  /** Which of the days; -1 when it is none of them. */
  today: number
}

function MonthTitle({ days: [first] }: { days: readonly DateTime[] }) {
  const { language } = useFormat()
  return (
    <Title order={2} size="h4" aria-live="polite">
      {first?.setLocale(language).toLocaleString({ year: 'numeric', month: 'long' })}
    </Title>
  )
}

const IconLink = createLink(ActionIcon<'a'>)

function MonthLinks({ days: [first] }: { days: readonly DateTime[] }) {
  const t = useWords('richMenus')
  const to = paths.richMenuCalendar()
  const other = (months: number) => ({ month: first?.plus({ months }).toFormat('yyyy-MM') })
  const icon = { variant: 'default', size: 36, component: 'a' } as const
  return (
    <Group gap="xs">
      <ButtonLink variant="default" to={to} search={{}}>
        {t('calendar.thisMonth')}
      </ButtonLink>
      <IconLink {...icon} to={to} search={other(-1)} aria-label={t('calendar.previous')}>
        <IconChevronLeft size={18} aria-hidden />
      </IconLink>
      <IconLink {...icon} to={to} search={other(1)} aria-label={t('calendar.next')}>
        <IconChevronRight size={18} aria-hidden />
      </IconLink>
    </Group>
  )
}

/** Days are columns, menus are rows, in the order in which one hides the other. */
function MonthTable({ lanes, days, today }: MonthProps) {
  const t = useWords('richMenus')
  const format = useFormat()
  const shown = days.slice(0, -1)
  return (
    <Table.ScrollContainer
      minWidth={900}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t('calendar.title') } }}
    >
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" className={classes.name}>
              {t('menuTitle')}
            </th>
            {shown.map((day, at) => (
              <th
                key={day.day}
                scope="col"
                className={classes.day}
                data-weekend={day.weekday > 5 || undefined}
                {...(at === today && { 'aria-current': 'date' as const })}
              >
                <span aria-hidden>
                  {day.day}
                  <br />
                  {day.setLocale(format.language).toFormat('ccccc')}
                </span>
                <span className="for-screen-readers">{dayText(day, format.language)}</span>
              </th>
            ))}
          </tr>
        </thead>
        {lanes.map((lane) => (
          <tbody key={lane.segment?.id ?? ''}>
            <tr>
              <th scope="rowgroup" colSpan={shown.length + 1} className={classes.lane}>
                <div>
                  <LaneName lane={lane} />
                  {lane.clashes > 0 && (
                    <StatusBadge tone="warning">
                      {t('calendar.clashes', { count: lane.clashes, n: format.number(lane.clashes) })}
                    </StatusBadge>
                  )}
                </div>
              </th>
            </tr>
            {lane.rows.map(({ menu, spans }) => (
              <tr key={menu?.id ?? ''}>
                <th scope="row" className={classes.name}>
                  {menu ? <MenuLink menu={menu} /> : t('calendar.menuForAll')}
                  {menu && spans.every(({ state }) => state === 'hidden') && (
                    <div>
                      <StatusBadge tone="warning">{t('calendar.neverSeen')}</StatusBadge>
                    </div>
                  )}
                </th>
                <Cells spans={spans} days={days} isFallback={menu === null} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </Table.ScrollContainer>
  )
}

function Cells({
  spans,
  days,
  isFallback,
}: {
  spans: readonly Span[]
  days: readonly DateTime[]
  isFallback: boolean
}) {
  const format = useFormat()
  const spanText = useSpanText()
  const cells = spans.map((span, at) => {
    const before = spans[at - 1]
    const gap = span.first - (before ? before.first + before.days : 0)
    const text = spanText(span, days)
    return [
      <Without key={`before-${span.first}`} days={gap} />,
      <td key={span.first} colSpan={span.days}>
        <div
          className={classes.bar}
          data-state={span.state}
          data-days={span.days}
          data-fallback={isFallback || undefined}
          title={`${spanDays(span, days, format.language)} ${text}`}
        >
          {(span.state === 'hidden' || span.state === 'refused') && <IconEyeOff size={14} aria-hidden />}
          <span className={span.days === 1 ? 'for-screen-readers' : undefined}>
            <span className="for-screen-readers">{spanDays(span, days, format.language)} </span>
            {text}
          </span>
        </div>
      </td>,
    ]
  })
  const last = spans.at(-1)
  const rest = days.length - 1 - (last ? last.first + last.days : 0)
  return [...cells, <Without key="rest" days={rest} />]
}

/** Days outside the menu's period. */
function Without({ days }: { days: number }) {
  const t = useWords('richMenus')
  if (days === 0) return null
  return (
    <td colSpan={days}>
      <span className="for-screen-readers">{t('calendar.without')}</span>
    </td>
  )
}

/** A day after the other; those on which all is as on the day before stand together. */
function DayList({ lanes, days, today }: MonthProps) {
  const t = useWords('richMenus')
  const { language } = useFormat()
  return (
    <ul className={classes.days}>
      {runsOf(lanes, days.length - 1).map(({ first, days: count }) => (
        <li key={first}>
          <h3 className={classes.date}>
            {spanDays({ first, days: count }, days, language)}
            {first <= today && today < first + count && <StatusBadge tone="info">{t('calendar.today')}</StatusBadge>}
          </h3>
          <dl className={classes.seen}>
            {lanes.map((lane) => (
              <DayOfLane key={lane.segment?.id ?? ''} lane={lane} day={first} days={days} />
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}

function DayOfLane({ lane, day, days }: { lane: Lane; day: number; days: readonly DateTime[] }) {
  const t = useWords('richMenus')
  const spanText = useSpanText()
  const found = onDay(lane, day)
  return (
    <>
      <dt>
        <LaneName lane={lane} />
      </dt>
      <dd>
        {found.length === 0 && t('calendar.none')}
        {found.map(({ menu, span }) => (
          <p key={menu?.id ?? ''}>
            {menu ? <MenuLink menu={menu} isInText /> : t('calendar.menuForAll')}
            {span.state !== 'shown' && t('calendar.aside', { text: spanText(span, days) })}
          </p>
        ))}
      </dd>
    </>
  )
}

function LaneName({ lane }: { lane: Lane }) {
  const t = useWords('richMenus')
  return lane.segment === null ? t('kind.all') : (lane.segment.name ?? t('segmentDeleted'))
}

const MenuLink = ({ menu, isInText = false }: { menu: CalendarMenu; isInText?: boolean }) => (
  <TextLink to={paths.richMenu(menu.id)} underline={isInText ? 'always' : 'hover'}>
    {menu.title}
  </TextLink>
)

/** What is the matter with a menu on these days. */
function useSpanText(): (span: Span, days: readonly DateTime[]) => string {
  const t = useWords('richMenus')
  const format = useFormat()
  const clock = (at: number) => format.time(new Date(at).toISOString())
  const timeOf = ([from, to]: readonly [number, number], day: readonly (DateTime | undefined)[]): string => {
    if (from === day[0]?.toMillis()) return t('calendar.until', { to: clock(to) })
    if (to === day[1]?.toMillis()) return t('calendar.from', { from: clock(from) })
    return t('calendar.between', { from: clock(from), to: clock(to) })
  }
  return ({ state, first, times, hiddenBy }, days) => {
    if (state === 'shown') return t('calendar.shown')
    if (state === 'refused') return t('refusal.badge')
    const titles = format.list(hiddenBy.map(({ title }) => t('calendar.quoted', { title })))
    if (state === 'hidden') return t('calendar.hidden', { titles })
    const spans = times.map((time) => timeOf(time, days.slice(first, first + 2)))
    return t('calendar.partly', { times: format.list(spans) })
  }
}

const dayText = (day: DateTime, language: string): string =>
  day.setLocale(language).toLocaleString({ month: 'short', day: 'numeric', weekday: 'short' })

function spanDays(
  { first, days: count }: Pick<Span, 'first' | 'days'>,
  days: readonly DateTime[],
  language: string,
): string {
  return [first, ...(count > 1 ? [first + count - 1] : [])]
    .map((at) => days[at])
    .flatMap((day) => (day ? dayText(day, language) : []))
    .join(' – ')
}

/** Days on which each lane looks as on the day before. */
function runsOf(lanes: readonly Lane[], length: number): { first: number; days: number }[] {
  const begins = new Set([0])
  for (const { first, days } of lanes.flatMap(({ rows }) => rows.flatMap(({ spans }) => spans)))
    for (const at of [first, first + days]) if (at < length) begins.add(at)
  const sorted = [...begins].sort((one, other) => one - other)
  return sorted.map((first, at) => ({ first, days: (sorted[at + 1] ?? length) - first }))
}

function Legend({ hasSegments, hasRefused }: { hasSegments: boolean; hasRefused: boolean }) {
  const t = useWords('richMenus')
  const items = [
    { state: 'shown', label: t('calendar.legend.shown') },
    { state: 'partly', label: t('calendar.legend.partly') },
    { state: 'hidden', label: t('calendar.legend.hidden') },
    ...(hasRefused ? [{ state: 'refused', label: t('refusal.badge') }] : []),
  ]
  return (
    <ul className={classes.legend}>
      {items.map(({ state, label }) => (
        <li key={state}>
          <span className={classes.bar} data-state={state} aria-hidden />
          {label}
        </li>
      ))}
      {hasSegments && (
        <li>
          <span className={classes.bar} data-state="shown" data-fallback aria-hidden />
          {t('calendar.legend.fallback')}
        </li>
      )}
    </ul>
  )
}
