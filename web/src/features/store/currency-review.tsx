import { Group, List, Stack, Text } from '@mantine/core'
import { agreeToCurrency, getCurrencyChange } from '@okaeri/contract/store/routes'
import type { TypedAmounts } from '@okaeri/contract/store/currency'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { reasonText, useErrorText } from '../../app/reasons.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'

const pageOf: Record<TypedAmounts['kind'], (id: string) => string> = {
  segment: paths.segment,
  campaign: paths.campaign,
  scenario: paths.scenario,
  view: () => paths.customers(),
}

/** What each typed amount would mean in the currency of a store that was refused for it; an owner accepts just these. */
export function CurrencyReview({ currency, shop }: { currency: string; shop?: string | undefined }) {
  const t = useWords('store')
  const ui = useWords('ui')
  const format = useFormat()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const { member, store } = useMerchant()
  const { data: change, error, refetch } = useQuery(queryOf(getCurrencyChange, { query: { currency } }))
  // A connected store is disconnected first: what was copied of it is read again.
  const connects = shop !== undefined && store?.status !== 'connected'
  const agree = useAction(agreeToCurrency, {
    onDone: () => {
      if (connects) void navigate({ to: paths.storeAuthorize(), search: { shop } })
    },
  })
  if (error) return <Notice tone="danger">{errorText(error)}</Notice>
  if (!change || change.now === change.next) return null
  const { now, next, typed, running, obstacle } = change
  const text = (amount: TypedAmounts['amounts'][number]) =>
    `${format.moneyTyped(amount.now, now)} → ${format.moneyTyped(amount.next, next)}`
  const names = { now, next }
  return (
    <Notice tone="warning" title={t('change.title', names)}>
      <Stack gap="sm">
        {obstacle === 'sales' ? (
          <Text size="sm">{reasonText('currency_has_sales')}</Text>
        ) : (
          <Text size="sm">{t(typed.length > 0 ? 'change.text' : 'change.none', names)}</Text>
        )}
        {typed.length > 0 && (
          <List size="sm" spacing="xs">
            {typed.map(({ kind, id, name, amounts }) => (
              <List.Item key={id}>
                {ui('labelled', { label: t(`change.kind.${kind}`), value: '' })}
                <TextLink to={pageOf[kind](id)}>{name || t('change.ownView')}</TextLink>
                <Text size="sm">{format.list(amounts.map(text))}</Text>
              </List.Item>
            ))}
          </List>
        )}
        {obstacle === 'running' && (
          <>
            <Text size="sm">{t('change.running')}</Text>
            <List size="sm">
              {running.map(({ kind, id, name }) => (
                <List.Item key={id}>
                  {ui('labelled', { label: t(`change.kind.${kind}`), value: '' })}
                  <TextLink to={pageOf[kind](id)}>{name}</TextLink>
                </List.Item>
              ))}
            </List>
          </>
        )}
        {obstacle !== 'sales' && store?.status === 'connected' && <Text size="sm">{t('change.reconnect', names)}</Text>}
        {typed.length > 0 && obstacle !== 'sales' && (
          <>
            <Text size="sm">{change.is_agreed ? t('change.accepted', names) : t('change.later')}</Text>
            <Group>
              <ActionButton
                action={{
                  label: t(connects ? 'change.agree' : 'change.accept', names),
                  primary: true,
                  busy: agree.isPending,
                  disabledReason:
                    (member.role !== 'owner' && t('change.ownerOnly')) ||
                    (obstacle === 'running' && reasonText('currency_in_use')) ||
                    (change.is_agreed && !connects && t('change.accepted', names)),
                  // Where amounts changed meanwhile, they are shown as they are now.
                  onClick: () =>
                    agree.mutate({ body: { currency, seen: change.seen } }, { onError: () => void refetch() }),
                }}
              />
            </Group>
          </>
        )}
      </Stack>
    </Notice>
  )
}
