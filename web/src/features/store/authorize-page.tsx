import { Button, Center, Loader, Stack, Text } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { connectStore } from '@okaeri/contract/store/routes'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { call } from '../../api/call.ts'
import { hasSession } from '../../api/session.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { reasonText, useErrorText } from '../../app/reasons.ts'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthPage } from '../sessions/auth-page.tsx'
import { AuthorizeSearch } from './search.ts'

/** Gets the address of the platform's authorization and redirects there. */
export function AuthorizePage() {
  const t = useWords('store')
  const errorText = useErrorText()
  const navigate = useNavigate()
  const { shop = '', error: refusal, currency } = AuthorizeSearch.parse(useSearch({ strict: false }))
  // A query instead of an effect, so that it runs only once.
  const connect = useQuery({
    queryKey: ['store', 'connect', shop],
    queryFn: () => call(connectStore, { body: { shop } }),
    // After a refusal the person decides whether to try again.
    enabled: refusal === undefined,
    retry: false,
    staleTime: Infinity,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const target = connect.data?.authorize_url
  useEffect(() => {
    if (target) location.assign(target)
  }, [target])

  // Without a shop there is no field to correct here, and nothing to try again.
  const refused = shop === '' ? t('linkBroken') : connect.error && errorText(connect.error)
  const why = refusal === undefined ? refused : reasonText(refusal)
  const failed = refusal !== undefined || (connect.error && !connect.isFetching)
  // A later try gets the same advice.
  const advice =
    refusal === 'store_connected_elsewhere'
      ? t('connectedElsewhere')
      : refusal === 'store_sign_in_ended'
        ? t('signInEnded')
        : refusal === 'store_sells_in_another_currency'
          ? t('anotherCurrency', { currency: currency ?? '' })
          : refusal === 'currency_has_sales'
            ? t('currencyHasSales', { currency: currency ?? '' })
            : isNotSetUp(connect.error)
              ? t('notSetUp')
              : null
  const mayReview = refusal === 'store_sells_in_another_currency' && currency !== undefined && hasSession()
  const tryAgain = () =>
    refusal === undefined ? connect.refetch() : navigate({ to: '.', search: { shop }, replace: true })
  return (
    <AuthPage
      title={t('authorizing')}
      footer={
        hasSession() ? (
          <TextLink to={paths.settings()} search={{ tab: 'store' }}>
            {t('toSettings')}
          </TextLink>
        ) : (
          <TextLink to={paths.login()}>{t('toLogin')}</TextLink>
        )
      }
    >
      {advice ? (
        <Stack>
          <Notice tone="danger" title={why}>
            {advice}
          </Notice>
          {mayReview && (
            <ButtonLink to={paths.settings()} search={{ tab: 'store', currency, shop }}>
              {t('reviewAmounts')}
            </ButtonLink>
          )}
        </Stack>
      ) : failed ? (
        <Stack>
          <Notice tone="danger" title={t('authorizeFailed')}>
            {why}
          </Notice>
          {shop !== '' && <Button onClick={() => void tryAgain()}>{t('retry')}</Button>}
        </Stack>
      ) : (
        <Center>
          <Stack align="center" gap="sm" py="md">
            <Loader aria-label={t('authorizing')} />
            <Text size="sm">{t('authorizingText')}</Text>
            <Text size="sm" c="dimmed">
              {shop}
            </Text>
          </Stack>
        </Center>
      )}
    </AuthPage>
  )
}

/** Trying again does not help before an operator has set the app up. */
const isNotSetUp = (error: Error | null): boolean =>
  error instanceof ApiError && error.reason === 'store_platform_not_set_up'
