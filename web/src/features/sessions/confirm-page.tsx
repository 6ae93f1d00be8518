import { Button, Text } from '@mantine/core'
import { confirmAddress, lookAtConfirmation } from '@okaeri/contract/merchants/confirmation'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { accessToken } from '../../api/session.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { useErrorText } from '../../app/reasons.ts'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading } from '../../ui/states.tsx'
import { AuthPage } from './auth-page.tsx'
import { ConfirmSearch } from './search.ts'

/** Behind the link mailed to an address. Opening it changes nothing; the owner of the address presses the button. */
export function ConfirmPage() {
  const t = useWords('sessions')
  const errorText = useErrorText()
  const { token = '' } = ConfirmSearch.parse(useSearch({ strict: false }))
  const looked = useQuery({
    ...queryOf(lookAtConfirmation, { query: { token } }),
    enabled: token !== '',
    refetchOnWindowFocus: false,
    refetchInterval: false,
    retry: false,
  })
  const confirm = useMutation({
    mutationFn: () => call(confirmAddress, { body: { token } }),
    onSuccess: () => void refresh('settings', 'auth'),
  })
  const asked = confirm.data?.confirmation ?? looked.data?.confirmation
  const failure = confirm.error ?? looked.error
  const to = accessToken() === null ? paths.login() : paths.dashboard()
  const home = <TextLink to={to}>{t(accessToken() === null ? 'login.submit' : 'confirm.goOn')}</TextLink>
  return (
    <AuthPage title={t('confirm.title')} footer={home}>
      {(failure || token === '') && (
        <Notice tone="warning">{failure ? errorText(failure) : t('confirm.noToken')}</Notice>
      )}
      {!asked && !failure && token !== '' && <Loading lines={3} />}
      {asked?.confirmed && <Notice tone="success">{t(`confirm.done.${asked.purpose}`, { email: asked.email })}</Notice>}
      {asked && !asked.confirmed && (
        <>
          <Text>
            {t(`confirm.asks.${asked.purpose}`, {
              email: asked.email,
              site: asked.site_name,
              member: asked.asked_by ?? '',
            })}
          </Text>
          <Text size="sm" c="dimmed">
            {t('confirm.otherwise')}
          </Text>
          <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {t('confirm.submit')}
          </Button>
        </>
      )}
    </AuthPage>
  )
}
