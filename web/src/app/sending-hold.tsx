import { Box, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ButtonLink } from '../ui/links.tsx'
import { Notice } from '../ui/notice.tsx'
import { useFormat } from './format.ts'
import { useWords } from './i18n.ts'
import { useMerchant } from './merchant.tsx'
import { paths } from './paths.ts'

/** Nothing is sent until the operator has checked: details at the top of the dashboard, a short form on every other page. */
export function SendingHold({ pathname }: { pathname: string }) {
  const { sendingHold } = useMerchant()
  if (!sendingHold) return null
  if (isOfStore(sendingHold.because))
    return (
      <Box mb="lg">
        <WaitingForStore because={sendingHold.because} />
      </Box>
    )
  return <Box mb="lg">{pathname === paths.dashboard() ? <WholeStory /> : <SendingHoldShort action={<More />} />}</Box>
}

type Because = NonNullable<ReturnType<typeof useMerchant>['sendingHold']>['because']
type StoreReason = Extract<Because, 'outage' | 'another_store'>
const isOfStore = (because: Because): because is StoreReason => because === 'outage' || because === 'another_store'

/** Some minutes in which messages to customers wait for the store. */
function WaitingForStore({ because }: { because: StoreReason }) {
  const t = useWords('shell')
  return (
    <Notice tone="warning" title={t(`waitingForStore.${because}.title`)}>
      {t(`waitingForStore.${because}.what`)}
    </Notice>
  )
}

function WholeStory() {
  const t = useWords('shell')
  const format = useFormat()
  const { sendingHold } = useMerchant()
  if (!sendingHold || isOfStore(sendingHold.because)) return null
  return (
    <Notice tone="danger" title={t('sendingHeld.title')}>
      <Stack gap={6} mt={4}>
        <Text size="sm">{t('sendingHeld.what', { time: format.dateTime(sendingHold.since) })}</Text>
        <Text size="sm">{t(`sendingHeld.because.${sendingHold.because}`)}</Text>
        <Text size="sm">{t('sendingHeld.who')}</Text>
        <Text size="sm">{t('sendingHeld.safe')}</Text>
      </Stack>
    </Notice>
  )
}

function More() {
  const t = useWords('shell')
  return (
    <ButtonLink variant="default" size="compact-sm" to={paths.dashboard()}>
      {t('sendingHeld.more')}
    </ButtonLink>
  )
}

/** Also in dialogs of test sends, which cover the page's notice; without links, because dialogs have none. Tests do not wait for the store. */
export function SendingHoldShort({ action }: { action?: ReactNode }) {
  const t = useWords('shell')
  const { sendingHold } = useMerchant()
  if (!sendingHold || isOfStore(sendingHold.because)) return null
  return (
    <Notice tone="danger" title={t('sendingHeld.title')} action={action}>
      {t('sendingHeld.short')}
    </Notice>
  )
}
