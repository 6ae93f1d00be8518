import { Avatar, Group } from '@mantine/core'
import {
  downloadFavoritesAggregated,
  type FavoritesOfProduct,
  listFavoritesAggregated,
} from '@okaeri/contract/favorites/routes'
import { IconHeart, IconPackage } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { download } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ProductSearch } from './search.ts'

type Row = FavoritesOfProduct & { id: string }

/** Customers → Favorites: what people like, product by product. */
export function FavoriteProducts() {
  const t = useWords('favorites')
  const format = useFormat()
  const language = useLanguage()
  const list = useListState(ProductSearch)
  const query = useQuery({
    ...queryOf(listFavoritesAggregated, { query: list.query }),
    select: (page) => ({ ...page, data: page.data.map((row) => ({ ...row, id: row.store_product_id })) }),
    placeholderData: keepPreviousData,
  })
  const nameOf = (row: Row): string => row.product_name ?? t('unknownProduct', { id: row.id })
  const { q, sort, direction } = list.query
  const file = { ...(q && { q }), sort, direction, lang: language }
  return (
    <ListPage<Row>
      title={t('title')}
      description={t('description')}
      headerActions={
        (query.data?.total ?? 0) > 0 && (
          <CsvButton run={() => download(downloadFavoritesAggregated, { query: file }, 'favorites.csv')} />
        )
      }
      list={list}
      query={query}
      searchPlaceholder={t('search')}
      columns={[
        {
          accessor: 'product_name',
          title: t('product'),
          sortable: true,
          phone: 'title',
          cellsStyle: () => ({ minWidth: 220 }),
          render: (row) => (
            <Group gap="sm" wrap="nowrap">
              <Avatar src={row.image_url} alt="" radius="sm" size={36}>
                <IconPackage size={18} aria-hidden />
              </Avatar>
              <Group gap="xs" wrap="wrap">
                <TextLink to={paths.favoritesOfProduct(row.id)} fw={600}>
                  {nameOf(row)}
                </TextLink>
                {!row.on_sale && <StatusBadge tone="neutral">{t('notOnSale')}</StatusBadge>}
              </Group>
            </Group>
          ),
        },
        {
          accessor: 'active_count',
          title: t('active'),
          sortable: true,
          textAlign: 'right',
          width: 110,
          render: (row) => <span className="numbers">{format.number(row.active_count)}</span>,
        },
        {
          accessor: 'removed_count',
          title: t('removed'),
          sortable: true,
          textAlign: 'right',
          width: 110,
          render: (row) => <span className="numbers">{format.number(row.removed_count)}</span>,
        },
        {
          accessor: 'average_retention_days',
          title: t('retention'),
          sortable: true,
          textAlign: 'right',
          width: 160,
          render: (row) => <span className="numbers">{t('days', { count: row.average_retention_days })}</span>,
        },
        {
          accessor: 'latest_favorited_at',
          title: t('latest'),
          sortable: true,
          width: 140,
          render: (row) => format.date(row.latest_favorited_at),
        },
        {
          accessor: 'first_favorited_at',
          title: t('first'),
          sortable: true,
          width: 140,
          phone: 'hide',
          render: (row) => format.date(row.first_favorited_at),
        },
      ]}
      rowName={nameOf}
      rowTo={(row) => paths.favoritesOfProduct(row.id)}
      empty={{
        icon: IconHeart,
        title: t('emptyTitle'),
        text: t('emptyText'),
        action: (
          <ButtonLink variant="default" to={paths.settings()} search={{ tab: 'widget' }}>
            {t('settings')}
          </ButtonLink>
        ),
      }}
    />
  )
}
