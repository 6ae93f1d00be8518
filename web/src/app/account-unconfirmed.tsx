import { Box } from '@mantine/core'
import { isAddressConfirmed } from '@okaeri/contract/merchants/confirmation'
import { useWords } from './i18n.ts'
import { useMerchant } from './merchant.tsx'
import { Notice } from '../ui/notice.tsx'
import { SendConfirmation } from './send-confirmation.tsx'

/** Until then nothing is sent; everything can be prepared. */
export function AccountUnconfirmed() {
  const t = useWords('shell')
  const { member, confirmations } = useMerchant()
  if (isAddressConfirmed(confirmations, 'account', member.email)) return null
  const mail = confirmations.find(({ purpose }) => purpose === 'account')?.mail ?? 'sent'
  return (
    <Box mb="lg">
      <Notice
        tone="warning"
        title={t('unconfirmed.title')}
        action={<SendConfirmation purpose="account" email={member.email} />}
      >
        {t(`unconfirmed.text.${mail}`, { email: member.email })}
      </Notice>
    </Box>
  )
}
