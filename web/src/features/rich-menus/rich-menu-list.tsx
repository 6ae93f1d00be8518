import { Group, SegmentedControl, Text } from '@mantine/core'
import { mayDo, RichMenuStatus, type RichMenuSummary } from '@okaeri/contract/rich-menus/menu'
import { listRichMenus, listSegmentRichMenus } from '@okaeri/contract/rich-menus/routes'
import { IconCalendar, IconLayoutGrid } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { type Column, ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { LineNotice } from '../line-accounts/line-notice.tsx'
import { statusTones, useRichMenuActions } from './menu-actions.tsx'
import { PeriodDialog } from './period-dialog.tsx'
import { RichMenuSearch } from './search.ts'

export const RichMenuList = () => <MenuList ofSegments={false} />
export const SegmentRichMenuList = () => <MenuList ofSegments />

/** Those for all friends, or those for segments. */
function MenuList({ ofSegments }: { ofSegments: boolean }) {
  const t = useWords('richMenus')
  const list = useListState(RichMenuSearch)
  const { mayChange } = useMerchant()
  const [moved, setMoved] = useState<RichMenuSummary | null>(null)
  const actionsOf = useRichMenuActions()
  const { limit, offset, q } = list.query
  const { status } = list.search
  const query = useQuery({
    ...queryOf(ofSegments ? listSegmentRichMenus : listRichMenus, {
      query: { limit, offset, ...(q && { q }), ...(status && { status }) },
    }),
    placeholderData: keepPreviousData,
  })
  const columns = useColumns(ofSegments)
  const trouble = query.data?.trouble
  const rowActions = (menu: RichMenuSummary): Action[] => [
    { label: t(mayDo('edit', menu.status) ? 'continue' : 'view'), to: paths.richMenu(menu.id) },
    ...(mayDo('activate', menu.status) ? [actionsOf.activate(menu)] : []),
    ...(mayDo('deactivate', menu.status) ? [actionsOf.deactivate(menu)] : []),
    { label: t('changePeriod'), disabledReason: !mayChange && t('viewerMayNot'), onClick: () => setMoved(menu) },
    actionsOf.duplicate(menu),
    actionsOf.remove(menu),
  ]
  return (
    <>
      <ListPage<RichMenuSummary>
        title={t('title')}
        description={t(ofSegments ? 'descriptionOfSegments' : 'description')}
        {...(mayChange && {
          create: { label: t('add'), to: ofSegments ? paths.segmentRichMenuNew() : paths.richMenuNew() },
        })}
        headerActions={
          <>
            <KindSwitch ofSegments={ofSegments} />
            <ButtonLink
              variant="default"
              to={paths.richMenuCalendar()}
              leftSection={<IconCalendar size={18} aria-hidden />}
            >
              {t('calendar.open')}
            </ButtonLink>
          </>
        }
        list={list}
        query={query}
        notice={trouble ? <Notice tone="warning">{t(`trouble.${trouble}`)}</Notice> : <LineNotice />}
        searchPlaceholder={t('search')}
        tabs={{
          param: 'status',
          label: t('statusLabel'),
          items: RichMenuStatus.options.map((value) => ({ value, label: t(`status.${value}`) })),
        }}
        columns={columns}
        rowName={({ title }) => title}
        rowTo={({ id }) => paths.richMenu(id)}
        rowActions={rowActions}
        empty={{
          icon: IconLayoutGrid,
          title: t(ofSegments ? 'emptyOfSegments.title' : 'empty.title'),
          text: t(ofSegments ? 'emptyOfSegments.text' : 'empty.text'),
        }}
      />
      {moved && <PeriodDialog menu={moved} onClose={() => setMoved(null)} />}
    </>
  )
}

function useColumns(ofSegments: boolean): Column<RichMenuSummary>[] {
  const t = useWords('richMenus')
  const format = useFormat()
  const segmentColumn: Column<RichMenuSummary> = {
    accessor: 'segment',
    title: t('segment'),
    render: ({ segment }) => segment?.name ?? t('segmentDeleted'),
  }
  return [
    {
      accessor: 'title',
      title: t('menuTitle'),
      phone: 'title',
      render: ({ id, title }) => <TextLink to={paths.richMenu(id)}>{title}</TextLink>,
    },
    ...(ofSegments ? [segmentColumn] : []),
    {
      accessor: 'status',
      title: t('statusLabel'),
      width: 210,
      render: (menu) => (
        <Group gap={6}>
          <StatusBadge tone={statusTones[menu.status]}>{t(`status.${menu.status}`)}</StatusBadge>
          {menu.refusal && <StatusBadge tone="danger">{t('refusal.badge')}</StatusBadge>}
          {menu.is_shown && (
            <StatusBadge tone="info">
              {menu.people === null ? t('shown') : t('shownTo', { count: menu.people, n: format.number(menu.people) })}
            </StatusBadge>
          )}
          {menu.refusal && (
            <Text size="xs" c="dimmed" lineClamp={2} title={menu.refusal.words}>
              {menu.refusal.words}
            </Text>
          )}
        </Group>
      ),
    },
    {
      accessor: 'starts_at',
      title: t('period'),
      render: ({ starts_at, ends_at }) =>
        t('periodOf', {
          start: starts_at ? format.dateTime(starts_at) : t('noStart'),
          end: ends_at ? format.dateTime(ends_at) : t('noEnd'),
        }),
    },
    {
      accessor: 'tab_count',
      title: t('tabs'),
      width: 90,
      phone: 'hide',
      render: ({ tab_count }) => (tab_count > 0 ? format.number(tab_count) : t('noTabs')),
    },
    {
      accessor: 'updated_at',
      title: t('updatedAt'),
      width: 160,
      phone: 'hide',
      render: ({ updated_at }) => format.dateTime(updated_at),
    },
  ]
}

/** The two kinds have a list each. */
function KindSwitch({ ofSegments }: { ofSegments: boolean }) {
  const t = useWords('richMenus')
  const navigate = useNavigate()
  return (
    <SegmentedControl
      aria-label={t('kind.label')}
      value={ofSegments ? 'segments' : 'all'}
      onChange={(kind) => void navigate({ to: kind === 'all' ? paths.richMenus() : paths.segmentRichMenus() })}
      data={[
        { value: 'all', label: t('kind.all') },
        { value: 'segments', label: t('kind.segments') },
      ]}
    />
  )
}
