import { Button, Center } from '@mantine/core'
import { IconMapQuestion, IconRefresh } from '@tabler/icons-react'
import { createContext, useContext, useState } from 'react'
import { ButtonLink } from '../ui/links.tsx'
import { Empty } from '../ui/states.tsx'
import { useWords } from './i18n.ts'
import { isServerThere } from './lazy-page.ts'
import { paths } from './paths.ts'

/** An unknown address, inside the frame: the menu stays. */
export function NotFound() {
  const t = useWords('shell')
  return (
    <Center mih="60dvh">
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

/** Whether the frame exists: a document has one `main`, which is the frame's or, without it, the page's own. */
export const WithinFrame = createContext(false)

/**
 * A page that failed during rendering, or whose code could not be loaded (a new version was deployed meanwhile, or nothing answers).
 */
export function PageBroken() {
  const t = useWords('shell')
  const isWithinFrame = useContext(WithinFrame)
  const [isAway, setAway] = useState(false)
  const [isAsking, setAsking] = useState(false)
  // A reload while nothing answers would end on the browser's own error page.
  const reload = async () => {
    setAsking(true)
    const isThere = await isServerThere()
    setAsking(false)
    setAway(!isThere)
    if (isThere) location.reload()
  }
  return (
    <Center mih="60dvh" component={isWithinFrame ? 'div' : 'main'}>
      <title>{`${t('broken.title')} | Okaeri`}</title>
      <Empty
        wholePage
        icon={IconRefresh}
        title={t('broken.title')}
        text={t(isAway ? 'broken.away' : 'broken.text')}
        action={
          <Button loading={isAsking} onClick={() => void reload()}>
            {t('broken.reload')}
          </Button>
        }
      />
    </Center>
  )
}
