import { Box, Button } from '@mantine/core'
import { ButtonLink } from '../ui/links.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWords } from './i18n.ts'
import { useMerchant } from './merchant.tsx'
import { paths } from './paths.ts'

/** The connected store sells in another currency than amounts are typed and counted in: they do not mean there what was typed. */
export function CurrenciesDiffer() {
  const t = useWords('shell')
  const { store, currency } = useMerchant()
  if (store?.status !== 'connected' || store.sells_in === null || store.sells_in === currency) return null
  const currencies = { own: currency, store: store.sells_in }
  return (
    <Box mb="lg">
      <Notice
        tone="warning"
        title={t('currenciesDiffer.title', currencies)}
        action={
          <ButtonLink
            variant="default"
            to={paths.settings()}
            search={{ tab: 'store', currency: store.sells_in, shop: store.shop_domain }}
          >
            {t('currenciesDiffer.review')}
          </ButtonLink>
        }
      >
        {t('currenciesDiffer.text', currencies)}
      </Notice>
    </Box>
  )
}

/** The account counts in another currency than when these pages were loaded: what was typed on them is not saved as something else. */
export function CurrencyChanged() {
  const t = useWords('shell')
  const { currency, pageCurrency } = useMerchant()
  if (currency === pageCurrency) return null
  return (
    <Box mb="lg">
      <Notice
        tone="warning"
        title={t('currencyChanged.title', { before: pageCurrency, now: currency })}
        action={
          <Button variant="default" onClick={() => location.reload()}>
            {t('currencyChanged.reload')}
          </Button>
        }
      >
        {t('currencyChanged.text')}
      </Notice>
    </Box>
  )
}
