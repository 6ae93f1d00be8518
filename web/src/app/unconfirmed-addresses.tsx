import { Stack } from '@mantine/core'
import { isAddressConfirmed } from '@okaeri/contract/merchants/confirmation'
import { isEmailAddress } from '@okaeri/contract/fields'
import { Notice } from '../ui/notice.tsx'
import { useWords } from './i18n.ts'
import { useMerchant } from './merchant.tsx'
import { SendConfirmation } from './send-confirmation.tsx'
import classes from './unconfirmed-addresses.module.css'

/** The unconfirmed ones of these addresses, each with its state and a button to send the link. */
export function UnconfirmedAddresses({ purpose, emails }: { purpose: 'test' | 'sender'; emails: readonly string[] }) {
  const t = useWords('shell')
  const { confirmations, member } = useMerchant()
  // The member's own address has to be confirmed before they can request confirmation of others.
  const mayAsk = isAddressConfirmed(confirmations, 'account', member.email)
  const waiting = emails.filter((email) => isEmailAddress(email) && !isAddressConfirmed(confirmations, purpose, email))
  if (waiting.length === 0) return null
  const stateOf = (email: string) => {
    const found = confirmations.find(
      (one) => one.purpose === purpose && one.status === 'asked' && one.email.toLowerCase() === email.toLowerCase(),
    )
    return found ? t(`unconfirmed.asked.${found.mail ?? 'sent'}`) : t('unconfirmed.unasked')
  }
  return (
    <Notice tone="warning" title={t(`unconfirmed.${purpose}`)}>
      <Stack gap={6} mt={4}>
        {!mayAsk && <div>{t('unconfirmed.accountFirst')}</div>}
        {waiting.map((email) => (
          <div key={email} className={classes.row}>
            <span>
              {email} {stateOf(email)}
            </span>
            {mayAsk && <SendConfirmation purpose={purpose} email={email} />}
          </div>
        ))}
      </Stack>
    </Notice>
  )
}
