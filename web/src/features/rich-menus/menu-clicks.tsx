import { Text } from '@mantine/core'
import type { RichMenu, RichMenuClicks } from '@okaeri/contract/rich-menus/menu'
import { getRichMenuClicks } from '@okaeri/contract/rich-menus/routes'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { Records } from '../../ui/pages/records.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'

const ClicksChart = lazy(() => import('./clicks-chart.tsx'))

/** How often the links of a menu that was activated were followed. */
export function MenuClicks({ menu }: { menu: RichMenu }) {
  const t = useWords('richMenus')
  const isTracked = menu.tracking_enabled
  const query = useQuery({ ...queryOf(getRichMenuClicks, { params: { id: menu.id } }), enabled: isTracked })
  const links = menu.tabs.flatMap(({ areas }, tab) =>
    areas.flatMap(({ action }, area) => (action.type === 'link' ? [{ tab, area, url: action.url }] : [])),
  )
  const why = !isTracked ? t('clicks.untracked') : links.length === 0 ? t('clicks.noLinks') : null
  return (
    <EditSection title={t('clicks.title')} description={why ?? t('clicks.how')}>
      {why ? null : query.data ? (
        <>
          <ByArea links={links} clicks={query.data.clicks} hasTabs={menu.tabs.length > 1} />
          <Suspense fallback={<Loading lines={8} />}>
            <ClicksChart days={query.data.clicks.days} />
          </Suspense>
        </>
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loading lines={6} />
      )}
    </EditSection>
  )
}

interface ByAreaProps {
  links: readonly { tab: number; area: number; url: string }[]
  clicks: RichMenuClicks
  hasTabs: boolean
}

function ByArea({ links, clicks, hasTabs }: ByAreaProps) {
  const t = useWords('richMenus')
  const format = useFormat()
  const nameOf = ({ tab, area }: { tab: number; area: number }) =>
    [...(hasTabs ? [t('tab', { number: tab + 1 })] : []), t('area', { number: area + 1 })].join(' / ')
  const rows = links.map((link) => {
    const counted = clicks.areas.find(({ tab, area }) => tab === link.tab && area === link.area)
    return { id: `${link.tab} ${link.area}`, ...link, human: counted?.human ?? 0, machine: counted?.machine ?? 0 }
  })
  const numbers = { textAlign: 'right' } as const
  return (
    <Records
      dense
      records={rows}
      rowName={nameOf}
      columns={[
        { accessor: 'area', title: t('clicks.area'), phone: 'title', width: 150, render: nameOf },
        {
          accessor: 'url',
          title: t('action.url'),
          render: ({ url }) => (
            <Text size="sm" lineClamp={2} title={url} style={{ overflowWrap: 'anywhere' }}>
              {url}
            </Text>
          ),
        },
        {
          accessor: 'human',
          title: t('clicks.people'),
          ...numbers,
          width: 110,
          render: ({ human }) => format.number(human),
        },
        {
          accessor: 'machine',
          title: t('clicks.bots'),
          ...numbers,
          width: 190,
          render: ({ machine }) => format.number(machine),
        },
      ]}
    />
  )
}
