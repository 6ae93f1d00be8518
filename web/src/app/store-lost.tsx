import { Box } from '@mantine/core'
import { ButtonLink } from '../ui/links.tsx'
import { Notice } from '../ui/notice.tsx'
import { useFormat } from './format.ts'
import { useWords } from './i18n.ts'
import { isStoreLost, useMerchant } from './merchant.tsx'
import { paths } from './paths.ts'

/**
 * The platform closed the store to us, which can be corrected there; or our access was revoked: mails are still sent, also to customers whose
 * later opt-out is unknown here. Not shown if the merchant disconnected the store.
 */
export function StoreLost({ pathname }: { pathname: string }) {
  const t = useWords('shell')
  const format = useFormat()
  const { store } = useMerchant()
  if (store?.status === 'connected' && store.trouble)
    return (
      <Box mb="lg">
        <Notice tone="warning" title={t(`storeTrouble.${store.trouble.reason}.title`)}>
          {t('storeTrouble.since', { time: format.dateTime(store.trouble.since) })}{' '}
          {t(`storeTrouble.${store.trouble.reason}.text`)} {t('storeTrouble.meanwhile')}
        </Notice>
      </Box>
    )
  if (!isStoreLost(store)) return null
  // That page shows it itself.
  if (pathname === paths.data()) return null
  return (
    <Box mb="lg">
      <Notice
        tone="warning"
        title={t('storeLost.title')}
        action={
          <ButtonLink variant="default" to={paths.settings()} search={{ tab: 'store' }}>
            {t('storeLost.connect')}
          </ButtonLink>
        }
      >
        {store.disconnected_at && t('storeLost.since', { time: format.dateTime(store.disconnected_at) })}{' '}
        {t('storeLost.text')}
      </Notice>
    </Box>
  )
}
