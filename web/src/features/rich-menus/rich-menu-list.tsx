import { Group } from '@mantine/core'
import { mayDo, RichMenuStatus, type RichMenuSummary } from '@okaeri/contract/rich-menus/menu'
import { listRichMenus } from '@okaeri/contract/rich-menus/routes'
import { IconLayoutGrid } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { statusTones, useRichMenuActions } from './menu-actions.tsx'
import { PeriodDialog } from './period-dialog.tsx'
import { RichMenuSearch } from './routes.tsx'

export function RichMenuList() {
  const t = useWords('richMenus')
  const format = useFormat()
  const list = useListState(RichMenuSearch)
  const { mayChange } = useMerchant()
  const [moved, setMoved] = useState<RichMenuSummary | null>(null)
  const actionsOf = useRichMenuActions()
  const { limit, offset, q } = list.query
  const { status } = list.search
  const query = useQuery({
    ...queryOf(listRichMenus, { query: { limit, offset, ...(q && { q }), ...(status && { status }) } }),
    placeholderData: keepPreviousData,
  })
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
        description={t('description')}
        {...(mayChange && { create: { label: t('add'), to: paths.richMenuNew() } })}
        list={list}
        query={query}
        notice={trouble && <Notice tone="warning">{t(`trouble.${trouble}`)}</Notice>}
        searchPlaceholder={t('search')}
        tabs={{
          param: 'status',
          label: t('statusLabel'),
          items: RichMenuStatus.options.map((value) => ({ value, label: t(`status.${value}`) })),
        }}
        columns={[
          {
            accessor: 'title',
            title: t('menuTitle'),
            phone: 'title',
            render: ({ id, title }) => <TextLink to={paths.richMenu(id)}>{title}</TextLink>,
          },
          {
            accessor: 'status',
            title: t('statusLabel'),
            width: 210,
            render: (menu) => (
              <Group gap={6}>
                <StatusBadge tone={statusTones[menu.status]}>{t(`status.${menu.status}`)}</StatusBadge>
                {menu.is_shown && <StatusBadge tone="info">{t('shown')}</StatusBadge>}
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
        ]}
        rowName={({ title }) => title}
        rowTo={({ id }) => paths.richMenu(id)}
        rowActions={rowActions}
        empty={{ icon: IconLayoutGrid, title: t('empty.title'), text: t('empty.text') }}
      />
      {moved && <PeriodDialog menu={moved} onClose={() => setMoved(null)} />}
    </>
  )
}
