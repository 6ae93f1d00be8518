import { Select, Text } from '@mantine/core'
import type { Customer } from '@okaeri/contract/customers/customer'
import { deleteCustomer, listCustomers } from '@okaeri/contract/customers/routes'
import { IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { useListState } from '../../ui/list-state.ts'
import { useAction } from '../../ui/use-action.ts'
import { MarketingBadge } from './permission-badges.tsx'
import classes from './customer-list.module.css'
import { CustomerSearch } from './routes.tsx'
import { SyncProgressCard, useSync } from './sync-progress.tsx'

export function CustomerList() {
  const t = useWords('customers')
  const format = useFormat()
  const { store, mayChange } = useMerchant()
  const list = useListState(CustomerSearch)
  const { marketing } = list.search
  const query = useQuery({
    ...queryOf(listCustomers, { query: { ...list.query, ...(marketing && { marketing }) } }),
    placeholderData: keepPreviousData,
  })
  const sync = useSync()
  const remove = useAction(deleteCustomer, { done: 'deleted', areas: ['segments', 'reports'] })
  const connected = store?.status === 'connected'

  const askAndRemove = async (customer: Customer) => {
    const name = customer.name || customer.email || t('noName')
    if (await confirmDelete(t('deleteAsk', { name }), { body: t('deleteBody') }))
      remove.mutate({ params: { id: customer.id } })
  }
  const forbidden = !mayChange && t('viewerMayNot')

  return (
    <ListPage<Customer>
      title={t('title')}
      description={t('description')}
      {...(mayChange && { create: { label: t('add'), to: paths.customerNew() } })}
      notice={<SyncProgressCard sync={sync} onlyWhile={['running', 'failed']} />}
      list={list}
      query={query}
      searchPlaceholder={t('search')}
      filters={
        <Select
          aria-label={t('filterMarketing')}
          w={{ base: '100%', xs: 260 }}
          value={marketing ?? ''}
          onChange={(value) => list.set({ marketing: value || undefined })}
          data={[
            { value: '', label: `${t('marketing')}: ${t('marketingAll')}` },
            { value: 'granted', label: `${t('marketing')}: ${t('marketingGranted')}` },
            { value: 'not_granted', label: `${t('marketing')}: ${t('marketingNotGranted')}` },
          ]}
        />
      }
      columns={[
        {
          accessor: 'name',
          title: t('nameAndEmail'),
          sortable: true,
          render: (customer) => (
            <>
              <TextLink to={paths.customer(customer.id)}>{customer.name || t('noName')}</TextLink>
              {customer.email && (
                <Text size="sm" c="dimmed" className={classes.email}>
                  {customer.email}
                </Text>
              )}
            </>
          ),
        },
        {
          accessor: 'marketing_state',
          title: <span style={{ whiteSpace: 'normal' }}>{t('marketingColumn')}</span>,
          width: 150,
          render: (customer) => <MarketingBadge customer={customer} />,
        },
        {
          accessor: 'orders_count',
          title: t('orders'),
          sortable: true,
          width: 100,
          textAlign: 'right',
          render: (customer) => format.number(customer.orders_count),
        },
        {
          accessor: 'total_revenue',
          title: t('revenue'),
          sortable: true,
          width: 145,
          textAlign: 'right',
          render: (customer) => format.money(customer.total_revenue),
        },
        {
          accessor: 'last_order_at',
          title: t('lastOrder'),
          sortable: true,
          width: 130,
          render: (customer) => (customer.last_order_at ? format.date(customer.last_order_at) : '—'),
        },
        {
          accessor: 'email_sent_count',
          title: t('emailsSent'),
          sortable: true,
          width: 130,
          textAlign: 'right',
          render: (customer) => format.number(customer.email_sent_count),
        },
        {
          accessor: 'created_at',
          title: t('createdAt'),
          sortable: true,
          width: 130,
          render: (customer) => format.date(customer.created_at),
        },
      ]}
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
