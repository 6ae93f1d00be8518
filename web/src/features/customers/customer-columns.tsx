import { Badge, Button, Checkbox, Group, Popover, Stack, Text } from '@mantine/core'
import type { Customer } from '@okaeri/contract/customers/customer'
import { type CustomerColumn, CustomerColumn as Column_, customerColumns } from '@okaeri/contract/customers/view'
import { IconColumns } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { z } from 'zod'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { EmailAddress } from '../../ui/email-address.tsx'
import { TextLink } from '../../ui/links.tsx'
import type { Column } from '../../ui/pages/records.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { birthdayText, languageName } from './customer-facts.ts'
import { MarketingBadge, NotificationBadge } from './permission-badges.tsx'
import { PhoneNumber } from './phone-number.tsx'
import { prefectureOf } from './prefectures.ts'

/** The default columns. */
export const usualColumns: readonly CustomerColumn[] = [
  'marketing_state',
  'orders_count',
  'total_revenue',
  'last_order_at',
  'email_sent_count',
  'created_at',
]
const KEPT_AT = 'okaeri.customers.columns'
const Kept = z.array(Column_).catch([...usualColumns])

/** The columns chosen in this browser. */
export function useChosenColumns(): [readonly CustomerColumn[], (columns: readonly CustomerColumn[]) => void] {
  const [chosen, setChosen] = useState<readonly CustomerColumn[]>(() => {
    const kept = localStorage.getItem(KEPT_AT)
    return kept === null ? usualColumns : Kept.parse(parsed(kept))
  })
  const choose = useCallback((columns: readonly CustomerColumn[]) => {
    localStorage.setItem(KEPT_AT, JSON.stringify(columns))
    setChosen(columns)
  }, [])
  return [chosen, choose]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Turns the list's columns on and off; their order is fixed. */
export function ColumnChoice(props: {
  chosen: readonly CustomerColumn[]
  onChoose: (columns: readonly CustomerColumn[]) => void
}) {
  const { chosen, onChoose } = props
  const t = useWords('customers')
  const toggle = (column: CustomerColumn) =>
    onChoose(customerColumns.filter((one) => chosen.includes(one) !== (one === column)))
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns size={16} aria-hidden />}>
          {t('columns.open')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns.open')} mah={440} style={{ overflowY: 'auto' }}>
        <Stack gap="xs">
          {customerColumns.map((column) => (
            <Checkbox
              key={column}
              label={t(`columns.${column}`)}
              checked={chosen.includes(column)}
              onChange={() => toggle(column)}
            />
          ))}
          <Button variant="subtle" size="compact-sm" onClick={() => onChoose(usualColumns)}>
            {t('columns.reset')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

const SHOWN_TAGS = 3

/** The name, followed by the chosen columns. */
export function useColumns(chosen: readonly CustomerColumn[]): Column<Customer>[] {
  const t = useWords('customers')
  const all: Record<CustomerColumn, Column<Customer>> = {
    ...usePermissionColumns(),
    ...usePersonColumns(),
    ...useCountColumns(),
  }
  return [
    {
      accessor: 'name',
      title: t('nameAndEmail'),
      sortable: true,
      phone: 'title',
      render: (customer) => (
        <>
          <TextLink to={paths.customer(customer.id)}>{customer.name || t('noName')}</TextLink>
          {customer.email && <EmailAddress address={customer.email} />}
        </>
      ),
    },
    ...customerColumns.filter((column) => chosen.includes(column)).map((column) => all[column]),
  ]
}

type Columns<Name extends CustomerColumn> = Record<Name, Column<Customer>>

/** By what they may be reached. */
function usePermissionColumns(): Columns<'marketing_state' | 'accepts_transactions' | 'suppressed' | 'line_connected'> {
  const t = useWords('customers')
  return {
    marketing_state: {
      accessor: 'marketing_state',
      title: <span style={{ whiteSpace: 'normal' }}>{t('marketingColumn')}</span>,
      width: 136,
      render: (customer) => <MarketingBadge customer={customer} />,
    },
    accepts_transactions: {
      accessor: 'accepts_transactions',
      title: <span style={{ whiteSpace: 'normal' }}>{t('columns.accepts_transactions')}</span>,
      width: 150,
      render: (customer) => <NotificationBadge customer={customer} />,
    },
    suppressed: {
      accessor: 'suppressed',
      title: t('columns.suppressed'),
      width: 160,
      render: (customer) =>
        customer.suppressed ? (
          <StatusBadge tone="warning">{t(`suppressions.reasons.${customer.suppressed}`)}</StatusBadge>
        ) : (
          '—'
        ),
    },
    line_connected: {
      accessor: 'line_connected',
      title: t('columns.line_connected'),
      width: 120,
      render: (customer) => (
        <StatusBadge tone={customer.line_connected ? 'success' : 'neutral'}>
          {t(customer.line_connected ? 'connected' : 'notConnected')}
        </StatusBadge>
      ),
    },
  }
}

/** Who they are. */
function usePersonColumns(): Columns<'phone' | 'language' | 'birthday' | 'province' | 'tags'> {
  const t = useWords('customers')
  const format = useFormat()
  const language = useLanguage()
  return {
    phone: {
      accessor: 'phone',
      title: t('phone'),
      width: 160,
      render: (customer) => (customer.phone ? <PhoneNumber number={customer.phone} /> : '—'),
    },
    language: {
      accessor: 'language',
      title: t('language'),
      width: 120,
      render: (customer) => (customer.language ? languageName(customer.language, language) : '—'),
    },
    birthday: {
      accessor: 'birthday',
      title: t('birthday'),
      width: 150,
      render: (customer) => (customer.birthday ? birthdayText(customer.birthday, language) : '—'),
    },
    province: {
      accessor: 'province',
      title: t('columns.province'),
      width: 120,
      render: ({ address }) => {
        if (!address?.province) return '—'
        return language === 'ja' ? prefectureOf(address.province) : address.province
      },
    },
    tags: {
      accessor: 'tags',
      title: t('tags'),
      width: 200,
      render: ({ tags }) =>
        tags.length === 0 ? (
          '—'
        ) : (
          <Group gap={4}>
            {tags.slice(0, SHOWN_TAGS).map((tag) => (
              <Badge key={tag} variant="default" tt="none" fw={500} maw={160}>
                {tag}
              </Badge>
            ))}
            {tags.length > SHOWN_TAGS && (
              <Text span size="sm" c="dimmed">
                +{format.number(tags.length - SHOWN_TAGS)}
              </Text>
            )}
          </Group>
        ),
    },
  }
}

/** What they bought, what they got, and since when they are here. */
function useCountColumns(): Columns<
  'orders_count' | 'total_revenue' | 'last_order_at' | 'email_sent_count' | 'line_sent_count' | 'created_at'
> {
  const t = useWords('customers')
  const format = useFormat()
  const number = (
    accessor: 'orders_count' | 'email_sent_count' | 'line_sent_count',
    width: number,
    sortable = true,
  ) => ({
    accessor,
    title: t(`columns.${accessor}`),
    sortable,
    width,
    textAlign: 'right' as const,
    render: (customer: Customer) => format.number(customer[accessor]),
  })
  return {
    orders_count: number('orders_count', 100),
    total_revenue: {
      accessor: 'total_revenue',
      title: t('revenue'),
      sortable: true,
      width: 124,
      textAlign: 'right',
      render: (customer) => format.money(customer.total_revenue),
    },
    last_order_at: {
      accessor: 'last_order_at',
      title: t('lastOrder'),
      sortable: true,
      width: 130,
      render: (customer) => (customer.last_order_at ? format.date(customer.last_order_at) : '—'),
    },
    email_sent_count: number('email_sent_count', 116),
    line_sent_count: number('line_sent_count', 130, false),
    created_at: {
      accessor: 'created_at',
      title: t('createdAt'),
      sortable: true,
      width: 130,
      render: (customer) => format.date(customer.created_at),
    },
  }
}
