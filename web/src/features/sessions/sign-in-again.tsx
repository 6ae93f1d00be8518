import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { getSettings } from '@okaeri/contract/merchants/routes'
import { signIn } from '@okaeri/contract/sessions/routes'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, whenSessionIsOver } from '../../api/call.ts'
import { queryClient, queryOf } from '../../api/queries.ts'
import { hasSession, keepTokens } from '../../api/session.ts'
import { useWords } from '../../app/i18n.ts'
import { BASE_PATH, paths } from '../../app/paths.ts'
import { useErrorText } from '../../app/reasons.ts'
import { router } from '../../app/router.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import { hasUnsavedWork } from '../../ui/edit/unsaved.ts'

type Answer = (signedIn: boolean) => void

/**
 * What happens when the session is over. Where something was being saved, or a form holds unsaved changes, the person signs in
 * over the page and the call is repeated; everywhere else the sign-in page comes up and leads back here.
 */
export function SignInAgain() {
  const t = useWords('sessions')
  const errorText = useErrorText()
  const [waiting, setWaiting] = useState<Answer[]>([])
  const [email, setEmail] = useState('')
  /** The owner of the page: what is on it must not be saved by another member. */
  const [owner, setOwner] = useState<string | null>(null)
  const [password, setPassword] = useState('')

  useEffect(() => {
    whenSessionIsOver(({ saving }) => {
      if (!saving && !hasUnsavedWork()) {
        const { pathname, href } = router.state.location
        if (pathname !== `${BASE_PATH}${paths.login()}` && pathname !== paths.login())
          void router.navigate({ to: paths.login(), search: { next: href.replace(BASE_PATH, ''), notice: 'expired' } })
        return Promise.resolve(false)
      }
      const known = queryClient.getQueryData(queryOf(getSettings, {}).queryKey)?.user.email
      if (known) {
        setOwner(known)
        setEmail(known)
      }
      return new Promise((resolve) => setWaiting((others) => [...others, resolve]))
    })
  }, [])

  const answer = (signedIn: boolean) => {
    for (const resolve of waiting) resolve(signedIn)
    setWaiting([])
    setPassword('')
  }
  // Signed in meanwhile in another tab.
  useWindowEvent('focus', () => {
    if (waiting.length > 0 && hasSession()) answer(true)
  })
  const again = useMutation({
    mutationFn: () => call(signIn, { body: { email, password } }),
    onSuccess: (tokens) => {
      keepTokens(tokens)
      answer(true)
    },
  })

  return (
    <Modal
      opened={waiting.length > 0}
      onClose={() => answer(false)}
      title={t('again.title')}
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // React events bubble through portals: not into a form this dialog was opened from.
          event.stopPropagation()
          again.mutate()
        }}
      >
        <Stack>
          <Text size="sm">{t('again.text')}</Text>
          {again.error && <Notice tone="danger">{errorText(again.error)}</Notice>}
          <TextInput
            label={t('login.email')}
            type="email"
            autoComplete="username"
            readOnly={owner !== null}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <SecretField
            data-autofocus
            label={t('login.password')}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={again.isPending}>
              {t('again.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
