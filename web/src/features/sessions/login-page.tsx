import { Button, Checkbox, Divider, Group, Stack, TextInput } from '@mantine/core'
import { signIn } from '@okaeri/contract/sessions/routes'
import { IconBuildingStore } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { queryClient } from '../../api/queries.ts'
import { keepTokens } from '../../api/session.ts'
import { useWords } from '../../app/i18n.ts'
import { BASE_PATH, paths, safeNext } from '../../app/paths.ts'
import { fieldReasonText, useErrorText } from '../../app/reasons.ts'
import { Form } from '../../ui/form.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import { useShopField } from '../store/shop-field.ts'
import { AuthPage } from './auth-page.tsx'
import { useDoor } from './policies.tsx'
import { LoginSearch } from './search.ts'

export function LoginPage() {
  const t = useWords('sessions')
  const errorText = useErrorText()
  const router = useRouter()
  const { next, notice } = LoginSearch.parse(useSearch({ strict: false }))
  const { door, isNew } = useDoor()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(false)
  const [tried, setTried] = useState(false)
  const login = useMutation({
    mutationFn: () => call(signIn, { body: { email, password, remember } }),
    onSuccess: (tokens) => {
      queryClient.clear()
      keepTokens(tokens)
      router.history.push(BASE_PATH + safeNext(next))
    },
  })
  const missing = (value: string) => (tried && value === '' ? fieldReasonText('required') : undefined)
  return (
    <AuthPage
      title={t('login.title')}
      footer={
        <>
          {t('login.noAccount')} <TextLink to={paths.signup()}>{t('login.signup')}</TextLink>
        </>
      }
    >
      {isNew && door !== 'closed' && (
        <Notice title={t('login.newTitle')} action={<TextLink to={paths.signup()}>{t('login.signup')}</TextLink>}>
          {t('login.newText')}
        </Notice>
      )}
      {notice && !login.error && (
        <Notice tone={notice === 'expired' ? 'warning' : 'success'}>
          {t(notice === 'expired' ? 'login.expired' : 'login.passwordChanged')}
        </Notice>
      )}
      {login.error && <Notice tone="danger">{errorText(login.error)}</Notice>}
      <Form
        onSubmit={() => {
          setTried(true)
          if (email && password) login.mutate()
        }}
      >
        <Stack>
          <TextInput
            label={t('login.email')}
            type="email"
            name="email"
            autoComplete="username"
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={missing(email)}
          />
          <SecretField
            label={t('login.password')}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={missing(password)}
          />
          <Group justify="space-between">
            <Checkbox
              label={t('login.remember')}
              checked={remember}
              onChange={(event) => setRemember(event.currentTarget.checked)}
            />
            <TextLink to={paths.forgot()} fz="sm">
              {t('login.forgot')}
            </TextLink>
          </Group>
          <Button type="submit" loading={login.isPending}>
            {t('login.submit')}
          </Button>
        </Stack>
      </Form>
      <Divider label={t('login.or')} />
      <StoreSignIn />
    </AuthPage>
  )
}

function StoreSignIn() {
  const t = useWords('sessions')
  const navigate = useNavigate()
  const shop = useShopField((domain) => void navigate({ to: paths.storeAuthorize(), search: { shop: domain } }))
  return (
    <Form onSubmit={() => shop.submit()}>
      <Stack gap="sm">
        <TextInput
          label={t('login.shop')}
          description={t('login.shopHelp')}
          name="shop"
          inputMode="url"
          autoCapitalize="none"
          {...shop.field}
        />
        <Button type="submit" variant="default" leftSection={<IconBuildingStore size={18} aria-hidden />}>
          {t('login.byStore')}
        </Button>
      </Stack>
    </Form>
  )
}
