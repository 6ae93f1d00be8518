import { Button, Center, Loader, Stack, Text } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { issueToken } from '@okaeri/contract/sessions/routes'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { call } from '../../api/call.ts'
import { queryClient } from '../../api/queries.ts'
import { hasSession, keepTokens } from '../../api/session.ts'
import { useWords } from '../../app/i18n.ts'
import { BASE_PATH, paths } from '../../app/paths.ts'
import { useErrorText } from '../../app/reasons.ts'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthPage } from '../sessions/auth-page.tsx'
import { CallbackSearch } from './search.ts'

/** Exchanges the one-time code of the store sign-in. */
export function CallbackPage() {
  const t = useWords('store')
  const errorText = useErrorText()
  const router = useRouter()
  const { code = '' } = CallbackSearch.parse(useSearch({ strict: false }))
  const exchange = useQuery({
    queryKey: ['auth', 'exchange', code],
    queryFn: () => call(issueToken, { body: { grant_type: 'authorization_code', code } }),
    retry: false,
    staleTime: Infinity,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const tokens = exchange.data
  useEffect(() => {
    if (!tokens) return
    keepTokens(tokens)
    void queryClient.invalidateQueries({ queryKey: ['settings'] })
    router.history.replace(BASE_PATH + paths.dashboard())
  }, [tokens, router])

  const failed = exchange.error && !exchange.isFetching
  // Who opened the address by hand, or from a bookmark, has nothing to try again: they are shown the way back.
  const isByAccident = exchange.error !== null && isWithoutCode(exchange.error)
  const isSignedIn = hasSession()
  return (
    <AuthPage
      title={t('loggingIn')}
      footer={!(failed && isByAccident) && <TextLink to={paths.login()}>{t('toLogin')}</TextLink>}
    >
      {failed ? (
        <Stack>
          <Notice tone="danger" title={t('callbackFailed')}>
            {isByAccident ? t('callbackWithoutCode') : errorText(exchange.error)}
          </Notice>
          {isByAccident && (
            <ButtonLink to={isSignedIn ? paths.dashboard() : paths.login()}>
              {t(isSignedIn ? 'toDashboard' : 'toLogin')}
            </ButtonLink>
          )}
          <Button {...(isByAccident && { variant: 'default' })} onClick={() => void exchange.refetch()}>
            {t('retry')}
          </Button>
        </Stack>
      ) : (
        <Center>
          <Stack align="center" gap="sm" py="md">
            <Loader aria-label={t('loggingIn')} />
            <Text size="sm">{t('loggingInText')}</Text>
          </Stack>
        </Center>
      )}
    </AuthPage>
  )
}

/** The address has no valid code, and there is no field to correct. */
const isWithoutCode = (error: Error): boolean => error instanceof ApiError && error.reason === 'validation'
