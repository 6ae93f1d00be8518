import { listProducts } from '@okaeri/contract/catalog/routes'
import { variantName } from '@okaeri/contract/catalog/variant-name'
import { Group, Text } from '@mantine/core'
import {
  downloadFavorites,
  type Favorite,
  type FavoritesOfProduct,
  FavoriteStatus,
  listFavorites,
  listFavoritesAggregated,
} from '@okaeri/contract/favorites/routes'
import { IconHeart } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { download } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { Figure, Figures } from '../../ui/figure.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import { TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import type { Column } from '../../ui/pages/records.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { PeopleSearch } from './search.ts'

/** Null for the product as a whole, or one without variants. */
const nameOfVariant = ({ store_variant_id: id, variant }: Favorite): string | null =>
  variant === null ? id : variantName(variant)

/** Who added one product: customers and guests, now and before. */
export function FavoritePeople() {
  const t = useWords('favorites')
  const language = useLanguage()
  const { id } = useParams({ strict: false }) as { id: string }
  const list = useListState(PeopleSearch)
  const status = list.search.status
  const product = useQuery(queryOf(listFavoritesAggregated, { query: { product_id: id, limit: 1 } })).data?.data[0]
  // A product without favorites has a name too.
  const named = useQuery(queryOf(listProducts, { query: { store_product_id: id, limit: 1 } })).data
  const query = useQuery({
    ...queryOf(listFavorites, { query: { ...list.query, product_id: id, ...(status && { status }) } }),
    placeholderData: keepPreviousData,
  })
  const columns = usePeopleColumns()
  const { q, sort, direction } = list.query
  const file = { ...(q && { q }), ...(status && { status }), sort, direction, product_id: id, lang: language }
  return (
    <ListPage<Favorite>
      title={named?.data[0]?.title ?? (named ? t('unknownProduct', { id }) : t('product'))}
      back={{ to: paths.favorites(), label: t('people.back') }}
      description={t('people.description')}
      headerActions={
        (query.data?.total ?? 0) > 0 && (
          <CsvButton run={() => download(downloadFavorites, { query: file }, 'favorites.csv')} />
        )
      }
      notice={<ProductFigures product={product} />}
      list={list}
      query={query}
      searchPlaceholder={t('people.search')}
      tabs={{
        param: 'status',
        label: t('people.status'),
        items: FavoriteStatus.options.map((value) => ({ value, label: t(value) })),
      }}
      columns={columns}
      rowName={(row) => row.customer_name || row.customer_email || t('people.guest')}
      {...(query.data?.data.some(({ customer_id }) => customer_id) && {
        rowActions: (row: Favorite) =>
          row.customer_id ? [{ label: t('people.openCustomer'), to: paths.customer(row.customer_id) }] : [],
      })}
      empty={{ icon: IconHeart, title: t('people.emptyTitle'), text: t('people.emptyText') }}
    />
  )
}

function ProductFigures({ product }: { product: FavoritesOfProduct | undefined }) {
  const t = useWords('favorites')
  const format = useFormat()
  if (!product) return null
  return (
    <Figures>
      <Figure label={t('active')} value={format.number(product.active_count)} />
      <Figure label={t('removed')} value={format.number(product.removed_count)} />
      <Figure label={t('retention')} value={t('days', { count: product.average_retention_days })} />
      <Figure label={t('latest')} value={format.date(product.latest_favorited_at)} />
    </Figures>
  )
}

function usePeopleColumns(): Column<Favorite>[] {
  const t = useWords('favorites')
  const format = useFormat()
  const small = (text: string) => (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  )
  return [
    {
      accessor: 'customer_name',
      title: t('people.customer'),
      sortable: true,
      phone: 'title',
      cellsStyle: () => ({ minWidth: 240 }),
      render: (row) =>
        row.customer_id ? (
          <>
            <TextLink to={paths.customer(row.customer_id)}>{row.customer_name || t('people.noName')}</TextLink>
            {row.customer_email && small(row.customer_email)}
          </>
        ) : (
          <>
            <Text size="sm">{t('people.guest')}</Text>
            {small(t('people.guestHint'))}
          </>
        ),
    },
    {
      accessor: 'status',
      title: t('people.status'),
      width: 110,
      render: (row) => (
        <StatusBadge tone={row.status === 'active' ? 'success' : 'neutral'}>{t(row.status)}</StatusBadge>
      ),
    },
    {
      accessor: 'variant',
      title: t('people.variant'),
      cellsStyle: () => ({ minWidth: 130 }),
      render: (row) => (
        <>
          <Text size="sm" c={nameOfVariant(row) ? undefined : 'dimmed'}>
            {nameOfVariant(row) ?? t('people.whole')}
          </Text>
          {row.sku && small(t('people.sku', { sku: row.sku }))}
        </>
      ),
    },
    {
      accessor: 'first_favorited_at',
      title: t('people.firstRegistration'),
      sortable: true,
      width: 140,
      render: (row) => format.date(row.first_favorited_at),
    },
    {
      accessor: 'latest_favorited_at',
      title: t('people.latestRegistration'),
      sortable: true,
      width: 140,
      phone: 'hide',
      render: (row) => format.date(row.latest_favorited_at),
    },
    {
      accessor: 'favorite_count',
      title: t('people.times'),
      sortable: true,
      textAlign: 'right',
      width: 110,
      phone: 'hide',
      render: (row) => <span className="numbers">{format.number(row.favorite_count)}</span>,
    },
    {
      accessor: 'restock_registered',
      title: t('people.restock'),
      width: 130,
      render: (row) => (
        <Group gap={4}>{row.restock_registered ? t('people.yes') : <Text c="dimmed">{t('people.no')}</Text>}</Group>
      ),
    },
    {
      accessor: 'removed_at',
      title: t('people.removedAt'),
      sortable: true,
      width: 120,
      phone: 'hide',
      render: (row) => (row.removed_at ? format.date(row.removed_at) : '—'),
    },
  ]
}
