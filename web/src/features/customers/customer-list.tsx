import type { Customer } from '@okaeri/contract/customers/customer'
import { downloadConsentProof } from '@okaeri/contract/consent/routes'
import { countCustomers, deleteCustomer, listCustomers } from '@okaeri/contract/customers/routes'
import type { CustomerViewSearch } from '@okaeri/contract/customers/view'
import { IconDownload, IconMailOff, IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { download } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ActionMenu } from '../../ui/actions.tsx'
import { confirmDelete } from '../../ui/confirm.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { type ListState, useListState } from '../../ui/pages/list-state.ts'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { BulkActions, TagChanges } from './bulk-actions.tsx'
import { ColumnChoice, useChosenColumns, useColumns } from './customer-columns.tsx'
import { CustomerFilters, FilterPills, filterNames } from './customer-filters.tsx'
import { CustomerViews } from './customer-views.tsx'
import { CustomerSearch } from './search.ts'
import { SyncProgressCard, useSync } from './sync-progress.tsx'

/** Counting a million takes longer than loading a page, so it is a separate request, and less frequent. */
const COUNT_KEPT_MS = 5 * 60_000

/** A page of customers; the total may arrive later. */
function useCustomers(list: ListState<typeof CustomerSearch>, filters: Omit<CustomerViewSearch, 'q'>) {
  const page = useQuery({
    ...queryOf(listCustomers, { query: { ...list.query, ...filters } }),
    placeholderData: keepPreviousData,
  })
  const counted = useQuery({
    ...queryOf(countCustomers, { query: { ...filters, ...(list.q && { q: list.q }) } }),
    enabled: page.data?.total_exact === false && !page.isPlaceholderData,
    staleTime: COUNT_KEPT_MS,
    refetchInterval: COUNT_KEPT_MS,
  })
  return page.data && !page.data.total_exact && counted.data
    ? ({ ...page, data: { ...page.data, total: counted.data.total, total_exact: true } } as typeof page)
    : page
}

export function CustomerList() {
  const t = useWords('customers')
  const language = useLanguage()
  const { store, mayChange } = useMerchant()
  const list = useListState(CustomerSearch)
  const [chosen, choose] = useChosenColumns()
  const columns = useColumns(chosen)
  const filters = Object.fromEntries(
    filterNames.flatMap((name) => (list.search[name] === undefined ? [] : [[name, list.search[name]]])),
  ) as Omit<CustomerViewSearch, 'q'>
  const query = useCustomers(list, filters)
  const sync = useSync()
  const remove = useAction(deleteCustomer, { done: 'deleted', areas: ['segments', 'reports'] })
  const connected = store?.status === 'connected'

  const askAndRemove = async (customer: Customer) => {
    const name = customer.name || customer.email || t('noName')
    if (await confirmDelete(t('deleteAsk', { name }), { body: t('deleteBody') }))
      remove.mutate({ params: { id: customer.id } })
  }
  const forbidden = !mayChange && t('viewerMayNot')
  const open = ({ columns: wanted, ...search }: CustomerViewSearch) => {
    if (wanted) choose(wanted)
    const none = Object.fromEntries([...filterNames, 'q', 'sort', 'direction'].map((name) => [name, undefined]))
    list.set({ ...none, ...search })
  }

  return (
    <ListPage<Customer>
      title={t('title')}
      description={t('description')}
      {...(mayChange && { create: { label: t('add'), to: paths.customerNew() } })}
      headerActions={
        <ActionMenu
          name={t('title')}
          actions={[
            {
              label: t('suppressionList'),
              icon: <IconMailOff size={18} aria-hidden />,
              to: paths.suppressions(),
            },
            {
              label: t('proof.all'),
              icon: <IconDownload size={18} aria-hidden />,
              onClick: () =>
                void download(downloadConsentProof, { query: { lang: language } }, 'consent.csv').catch(toast.failed),
            },
          ]}
        />
      }
      notice={
        <>
          <SyncProgressCard sync={sync} onlyWhile={['running', 'failed']} />
          <TagChanges />
        </>
      }
      bulkActions={(rows: Customer[], clear: () => void) => (
        <BulkActions
          ticked={rows}
          clear={clear}
          filter={{ ...filters, ...(list.q && { q: list.q }) }}
          total={query.data?.total_exact ? query.data.total : null}
        />
      )}
      list={list}
      query={query}
      searchPlaceholder={t('search')}
      filters={
        <>
          <CustomerFilters filters={filters} onChange={list.set} />
          <CustomerViews
            current={{
              ...filters,
              ...(list.q && { q: list.q }),
              sort: list.query.sort,
              direction: list.direction,
              columns: [...chosen],
            }}
            onOpen={open}
          />
          <ColumnChoice chosen={chosen} onChoose={choose} />
          <FilterPills filters={filters} onChange={list.set} />
          {mayChange && filterNames.some((name) => filters[name] !== undefined) && (
            <ButtonLink
              to={paths.segmentNew()}
              search={{ ...filters, ...(list.q && { q: list.q }) }}
              variant="subtle"
              size="compact-sm"
            >
              {t('filter.saveAsSegment')}
            </ButtonLink>
          )}
        </>
      }
      columns={columns}
      rowName={(customer) => customer.name || customer.email || t('noName')}
      rowTo={(customer) => paths.customer(customer.id)}
      rowActions={(customer) => [
        { label: t('details'), to: paths.customer(customer.id) },
        { label: t('edit'), to: paths.customerEdit(customer.id), disabledReason: forbidden },
        { label: t('delete'), danger: true, disabledReason: forbidden, onClick: () => void askAndRemove(customer) },
      ]}
      empty={{
        icon: IconUsers,
        title: t('empty.title'),
        text: connected ? t('empty.wait') : t('empty.connect'),
        action: connected ? undefined : (
          <ButtonLink to={paths.settings()} search={{ tab: 'store' }}>
            {t('empty.connectButton')}
          </ButtonLink>
        ),
      }}
    />
  )
}
