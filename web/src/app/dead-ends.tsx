import { Button, Center } from '@mantine/core'
import { IconMapQuestion, IconRefresh } from '@tabler/icons-react'
import { ButtonLink } from '../ui/links.tsx'
import { Empty } from '../ui/states.tsx'
import { useWords } from './i18n.ts'
import { paths } from './paths.ts'

/** An address that leads nowhere. */
export function NotFound() {
  const t = useWords('shell')
  return (
    <Center mih="60dvh" component="main">
      <title>{`${t('notFound.title')} | Okaeri`}</title>
      <Empty
        wholePage
        icon={IconMapQuestion}
        title={t('notFound.title')}
        text={t('notFound.text')}
        action={<ButtonLink to={paths.dashboard()}>{t('notFound.home')}</ButtonLink>}
      />
    </Center>
  )
}

/** A page that failed while it was drawn, or whose program could not be loaded (a new version was put up meanwhile). */
export function PageBroken() {
  const t = useWords('shell')
  return (
    <Center mih="60dvh" component="main">
      <title>{`${t('broken.title')} | Okaeri`}</title>
      <Empty
        wholePage
        icon={IconRefresh}
        title={t('broken.title')}
        text={t('broken.text')}
        action={<Button onClick={() => location.reload()}>{t('broken.reload')}</Button>}
      />
    </Center>
  )
}
