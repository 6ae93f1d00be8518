import { variantName } from '@okaeri/contract/catalog/variant-name'
import { Avatar, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { downloadCustomerProof } from '@okaeri/contract/consent/routes'
import type {
  Customer,
  CustomerCartLine,
  CustomerConflict,
  CustomerFavorite,
  CustomerLook,
  CustomerOnLine,
} from '@okaeri/contract/customers/customer'
import { changeCustomer, deleteCustomer, getCustomer } from '@okaeri/contract/customers/routes'
import { IconDownload, IconPencil, IconPrinter, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { download } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { TextLink } from '../../ui/links.tsx'
import { confirm, confirmDelete } from '../../ui/confirm.tsx'
import { Card, DetailPage, Facts } from '../../ui/pages/detail-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { CustomerMetafields } from '../metafields/customer-metafields.tsx'
import { addressLines, birthdayText, languageName } from './customer-facts.ts'
import { BounceCard, SuppressedNotice } from './customer-bounces.tsx'
import { ConflictText, NEWS_MS } from './customer-conflicts.tsx'
import { DimmedText, OrderHistory } from './customer-history.tsx'
import { CustomerTimeline } from './timeline/customer-timeline.tsx'
import { CouponCard } from '../coupons/coupon-card.tsx'
import { SeenMenuCard } from '../rich-menus/seen-menu.tsx'
import { CustomerScenarios } from '../scenarios/customer-scenarios.tsx'
import { useCustomerPrivacy } from '../privacy/customer-privacy.tsx'
import { MarketingBadge, NotificationBadge } from './permission-badges.tsx'
import { PhoneNumber } from './phone-number.tsx'

export function CustomerPage() {
  const t = useWords('customers')
  const { id = '' } = useParams({ strict: false })
  const language = useLanguage()
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const query = useQuery(queryOf(getCustomer, { params: { id } }))
  const remove = useAction(deleteCustomer, {
    done: 'deleted',
    areas: ['segments', 'reports'],
    onDone: () => void navigate({ to: paths.customers() }),
  })
  const customer = query.data?.customer
  const name = customer ? customer.name || customer.email || t('noName') : t('title')
  const privacy = useCustomerPrivacy(id, name)
  const forbidden = !mayChange && t('viewerMayNot')

  const proof = (format: 'csv' | 'html') =>
    void download(
      downloadCustomerProof,
      { params: { id }, query: { lang: language, format } },
      `consent.${format}`,
    ).catch(toast.failed)
  const askAndRemove = async () => {
    if (await confirmDelete(t('deleteAsk', { name }), { body: t('deleteBody') })) remove.mutate({ params: { id } })
  }

  return (
    <DetailPage
      back={{ to: paths.customers(), label: t('title') }}
      title={name}
      badge={customer && <MarketingBadge customer={customer} labelled />}
      query={query}
      actions={[
        {
          label: t('edit'),
          icon: <IconPencil size={18} aria-hidden />,
          to: paths.customerEdit(id),
          disabledReason: forbidden,
        },
      ]}
      moreActions={[
        {
          label: t('proof.one'),
          icon: <IconDownload size={18} aria-hidden />,
          onClick: () => proof('csv'),
        },
        {
          label: t('proof.page'),
          icon: <IconPrinter size={18} aria-hidden />,
          onClick: () => proof('html'),
        },
        ...privacy.slice(0, -1),
        {
          label: t('delete'),
          icon: <IconTrash size={18} aria-hidden />,
          danger: true,
          disabledReason: forbidden,
          onClick: () => void askAndRemove(),
        },
        ...privacy.slice(-1),
      ]}
      notice={customer && <Notices customer={customer} conflicts={query.data?.conflicts ?? []} />}
      history={
        customer && (
          <Stack gap="md">
            <CustomerTimeline customerId={id} />
            <CustomerScenarios customerId={id} />
            <CouponCard of={{ customer: id }} />
            <OrderHistory customerId={id} />
          </Stack>
        )
      }
    >
      {customer && (
        <>
          <Stack gap="md">
            <Personal customer={customer} />
            <CustomerMetafields customerId={id} />
          </Stack>
          <Stack gap="md">
            <Results customer={customer} />
            <Permissions
              customer={customer}
              line={query.data?.line ?? null}
              name={name}
              pausedUntil={query.data?.mail_paused_until ?? null}
            />
            <BounceCard customerId={id} />
            <SeenMenuCard customerId={id} />
            <Favorites favorites={query.data?.favorites ?? []} />
            <Behavior viewed={query.data?.viewed ?? []} cart={query.data?.cart ?? []} />
          </Stack>
        </>
      )}
    </DetailPage>
  )
}

function Notices({ customer, conflicts }: { customer: Customer; conflicts: readonly CustomerConflict[] }) {
  const t = useWords('customers')
  const [since] = useState(() => Date.now() - NEWS_MS)
  const news = conflicts.filter((conflict) => Date.parse(conflict.occurred_at) > since)
  return (
    <>
      {customer.suppressed ? (
        <SuppressedNotice customer={customer} />
      ) : (
        customer.email === null && <Notice>{t('noEmailNotice')}</Notice>
      )}
      {news.length > 0 && (
        <Notice
          tone="warning"
          title={t('conflict.title')}
          action={<TextLink to={paths.customerEdit(customer.id)}>{t('conflict.edit')}</TextLink>}
        >
          <Stack gap="xs">
            {news.map((conflict) => (
              <ConflictText key={conflict.id} conflict={conflict} />
            ))}
          </Stack>
        </Notice>
      )}
    </>
  )
}

function Favorites({ favorites }: { favorites: readonly CustomerFavorite[] }) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <Card title={t('favorites')}>
      {favorites.length === 0 ? (
        <DimmedText>{t('noFavorites')}</DimmedText>
      ) : (
        <Facts
          items={favorites.map((favorite) => ({
            label: [
              favorite.product_title ?? t('unknownProduct'),
              favorite.variant_title && variantName(favorite.variant_title),
            ]
              .filter(Boolean)
              .join(' / '),
            value: format.date(favorite.created_at),
          }))}
        />
      )}
    </Card>
  )
}

/** Only where something was recorded: most merchants record nothing. */
function Behavior({ viewed, cart }: { viewed: readonly CustomerLook[]; cart: readonly CustomerCartLine[] }) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <>
      {cart.length > 0 && (
        <Card title={t('cart')}>
          <Facts
            items={cart.map((line) => ({
              label: line.product_title ?? t('unknownProduct'),
              value: t('cartPieces', { n: format.number(line.quantity), date: format.date(line.seen_at) }),
            }))}
          />
        </Card>
      )}
      {viewed.length > 0 && (
        <Card title={t('viewed')}>
          <Facts
            items={viewed.map((look) => ({
              label: look.product_title ?? t('unknownProduct'),
              value:
                look.views > 1
                  ? t('viewedTimes', { date: format.date(look.viewed_at), n: format.number(look.views) })
                  : format.date(look.viewed_at),
            }))}
          />
        </Card>
      )}
    </>
  )
}

function Personal({ customer }: { customer: Customer }) {
  const t = useWords('customers')
  const format = useFormat()
  const language = useLanguage()
  const spoken = customer.language
  const address = addressLines(customer.address)
  return (
    <Card title={t('personal')}>
      <Facts
        items={[
          { label: t('name'), value: customer.name || null },
          { label: t('email'), value: customer.email },
          { label: t('phone'), value: customer.phone && <PhoneNumber number={customer.phone} /> },
          { label: t('language'), value: spoken && languageName(spoken, language) },
          { label: t('birthday'), value: customer.birthday && birthdayText(customer.birthday, language) },
          {
            label: t('address'),
            value: address.length > 0 ? address.map((line) => <div key={line}>{line}</div>) : null,
          },
          customer.address?.phone
            ? { label: t('addressPhone'), value: <PhoneNumber number={customer.address.phone} /> }
            : false,
          {
            label: t('tags'),
            value:
              customer.tags.length === 0 ? null : (
                <Group gap={6}>
                  {customer.tags.map((tag) => (
                    <Badge key={tag} variant="default" tt="none" fw={500}>
                      {tag}
                    </Badge>
                  ))}
                </Group>
              ),
          },
          { label: t('createdAt'), value: format.dateTime(customer.created_at) },
        ]}
      />
    </Card>
  )
}

function Results({ customer }: { customer: Customer }) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <Card title={t('results')}>
      <Facts
        items={[
          { label: t('revenue'), value: format.money(customer.total_revenue) },
          { label: t('orders'), value: format.number(customer.orders_count) },
          ...(customer.orders_in_other_currencies > 0
            ? [
                {
                  label: t('otherCurrencies'),
                  value: t('otherCurrenciesLeftOut', {
                    count: customer.orders_in_other_currencies,
                    n: format.number(customer.orders_in_other_currencies),
                    currency: customer.total_revenue.currency,
                  }),
                },
              ]
            : []),
          { label: t('lastOrder'), value: customer.last_order_at && format.dateTime(customer.last_order_at) },
          { label: t('emailsSent'), value: format.number(customer.email_sent_count) },
          { label: t('lineSent'), value: format.number(customer.line_sent_count) },
        ]}
      />
    </Card>
  )
}

function Line({ line }: { line: CustomerOnLine | null }) {
  const t = useWords('customers')
  const format = useFormat()
  if (!line) return <StatusBadge tone="neutral">{t('notConnected')}</StatusBadge>
  const [state, tone] = line.is_friend
    ? (['friend', 'success'] as const)
    : line.blocked_at
      ? (['blocked', 'danger'] as const)
      : (['noFriend', 'neutral'] as const)
  const since = line.is_friend ? line.friend_since : line.blocked_at
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <StatusBadge tone={tone}>{t(`onLine.${state}`)}</StatusBadge>
        {since && (
          <Text size="sm" c="dimmed">
            {t('onLine.since', { time: format.date(since) })}
          </Text>
        )}
      </Group>
      {line.name && (
        <Group gap="xs" wrap="nowrap">
          <Avatar src={line.picture_url} size="sm" name={line.name} color="initials" aria-hidden />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {line.name}
          </Text>
        </Group>
      )}
      {line.last_contact_at && (
        <Text size="sm" c="dimmed">
          {t('onLine.lastContact', { time: format.dateTime(line.last_contact_at) })}
        </Text>
      )}
    </Stack>
  )
}

function Permissions({
  customer,
  line,
  name,
  pausedUntil,
}: {
  customer: Customer
  line: CustomerOnLine | null
  name: string
  pausedUntil: string | null
}) {
  const t = useWords('customers')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const change = useAction(changeCustomer, { done: 'saved', areas: ['segments', 'reports'] })

  const askAndChange = async (kind: 'Marketing' | 'Notification', to: boolean) => {
    const verb = to ? 'grant' : 'withdraw'
    const sure = await confirm({
      title: t(`permission.${verb}${kind}Title`),
      body: t(`permission.${verb}${kind}Body`, { name }),
      confirmLabel: t('permission.confirm'),
    })
    if (!sure) return
    const body = kind === 'Marketing' ? { accepts_marketing: to } : { accepts_transactions: to }
    change.mutate({ params: { id: customer.id }, body })
  }
  const row = (badge: ReactNode, kind: 'Marketing' | 'Notification', now: boolean) => (
    <Group gap="xs" justify="space-between">
      {badge}
      {mayChange && (kind === 'Notification' || customer.email !== null) && (
        <Button
          size="compact-sm"
          variant="default"
          loading={change.isPending}
          aria-label={`${t(kind === 'Marketing' ? 'marketing' : 'notification')}: ${t(now ? 'withdraw' : 'grant')}`}
          onClick={() => void askAndChange(kind, !now)}
        >
          {t(now ? 'withdraw' : 'grant')}
        </Button>
      )}
    </Group>
  )
  return (
    <Card title={t('permissions')}>
      <Facts
        items={[
          {
            label: t('marketing'),
            value: row(<MarketingBadge customer={customer} />, 'Marketing', customer.accepts_marketing),
          },
          {
            label: t('notification'),
            value: row(<NotificationBadge customer={customer} />, 'Notification', customer.accepts_transactions),
          },
          {
            label: t('onLine.title'),
            value: <Line line={line} />,
          },
        ]}
      />
      {pausedUntil !== null && <Notice>{t('mailPaused', { until: format.date(pausedUntil) })}</Notice>}
      <Text size="sm" c="dimmed">
        {customer.email === null ? t('permission.needsEmail') : t('permissionsHelp')}
      </Text>
    </Card>
  )
}
