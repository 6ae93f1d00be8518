import { readShopDomain } from '@okaeri/contract/store/shop-domain'
import { useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { fieldReasonText } from '../../app/reasons.ts'

/** The field for a store's domain: errors are shown here, not after a redirect to the store. */
export function useShopField(go: (domain: string) => void) {
  const t = useWords('store')
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const domain = readShopDomain(typed)
  const wrong = typed.trim() === '' ? fieldReasonText('required') : t('shopInvalid')
  return {
    submit: () => {
      setTried(true)
      if (domain !== null) go(domain)
    },
    field: {
      value: typed,
      onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
      error: tried && domain === null ? wrong : undefined,
    },
  }
}
