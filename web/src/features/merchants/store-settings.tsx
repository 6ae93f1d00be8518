import { Anchor, Button, Group, TextInput } from '@mantine/core'
import { disconnectStore } from '@okaeri/contract/store/routes'
import { IconBuildingStore, IconPlugConnectedX } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Facts } from '../../ui/pages/detail-page.tsx'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CurrencyReview } from '../store/currency-review.tsx'
import { useShopField } from '../store/shop-field.ts'
import { SettingsSearch } from './search.ts'

/** What is asked for by default; an operator may ask for more. */
const scopes = [
  'read_customers',
  'write_customers',
  'read_customer_merge',
  'read_orders',
  'read_all_orders',
  'read_products',
  'read_locales',
  'write_discounts',
  'write_app_proxy',
] as const
const isNamed = (scope: string): scope is (typeof scopes)[number] => (scopes as readonly string[]).includes(scope)

export function StoreSettings() {
  const refused = SettingsSearch.parse(useSearch({ strict: false }))
  const t = useWords('merchants')
  const format = useFormat()
  const { store, member, mayChange } = useMerchant()
  const navigate = useNavigate()
  const disconnect = useAction(disconnectStore, {
    done: { message: t('store.disconnectedToast') },
    areas: ['settings', 'customers'],
  })
  const connected = store?.status === 'connected'
  const goConnect = (domain: string) => void navigate({ to: paths.storeAuthorize(), search: { shop: domain } })
  const shop = useShopField(goConnect)

  const askAndDisconnect = async () => {
    const sure = await confirm({
      title: t('store.disconnectTitle'),
      body: t('store.disconnectBody'),
      confirmLabel: t('store.disconnect'),
      danger: true,
    })
    if (sure) disconnect.mutate({})
  }

  return (
    <EditSection title={t('store.title')} description={t(connected ? 'store.connectedTo' : 'store.notConnected')}>
      <div>
        <StatusBadge tone={connected ? 'success' : 'neutral'}>
          {t(connected ? 'store.connected' : 'store.disconnected')}
        </StatusBadge>
      </div>
      {refused.currency && <CurrencyReview currency={refused.currency} shop={refused.shop} />}
      {store && (
        <Facts
          items={[
            { label: t('store.name'), value: store.name },
            { label: t('store.domain'), value: store.shop_domain },
            { label: t('store.currency'), value: store.currency },
            {
              label: t('store.storefront'),
              value: store.storefront_url && (
                <Anchor href={store.storefront_url} target="_blank" rel="noreferrer">
                  {store.storefront_url}
                </Anchor>
              ),
            },
          ]}
        />
      )}
      {store && store.missing_scopes.length > 0 && (
        <Notice tone="info" title={t('store.missingScopesTitle')}>
          {t('store.missingScopes', {
            scopes: format.list(
              store.missing_scopes.map((scope) => (isNamed(scope) ? t(`store.scope.${scope}`) : scope)),
            ),
          })}
        </Notice>
      )}
      {store && !store.signs_in && (
        <Notice tone="warning" title={t('store.signInEndedTitle')}>
          {t('store.signInEnded')}
        </Notice>
      )}
      {store?.under_review && <Notice tone="warning">{t('store.underReview')}</Notice>}
      {store ? (
        <Group>
          <ActionButton
            action={{
              label: t('store.reconnect'),
              primary: !connected,
              disabledReason: !mayChange && t('readOnly'),
              onClick: () => goConnect(store.shop_domain),
            }}
          />
          {connected && (
            <ActionButton
              action={{
                label: t('store.disconnect'),
                icon: <IconPlugConnectedX size={18} />,
                danger: true,
                busy: disconnect.isPending,
                disabledReason: member.role !== 'owner' && t('store.ownerOnly'),
                onClick: () => void askAndDisconnect(),
              }}
            />
          )}
        </Group>
      ) : (
        <Form onSubmit={() => shop.submit()}>
          <Group align="flex-end">
            <TextInput
              label={t('store.shop')}
              description={t('store.shopHelp')}
              flex="1 1 260px"
              autoCapitalize="none"
              spellCheck={false}
              // The field stays level with the button beside it.
              inputWrapperOrder={['label', 'description', 'error', 'input']}
              {...shop.field}
            />
            <Button type="submit" leftSection={<IconBuildingStore size={18} aria-hidden />}>
              {t('store.connect')}
            </Button>
          </Group>
        </Form>
      )}
    </EditSection>
  )
}
