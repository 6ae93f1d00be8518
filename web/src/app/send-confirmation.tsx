import { Button } from '@mantine/core'
import { requestConfirmation } from '@okaeri/contract/merchants/confirmation'
import { useAction } from '../ui/use-action.ts'
import { useWords } from './i18n.ts'
import { useMerchant } from './merchant.tsx'

/** Mails the link with which the owner of the address confirms it; also again. */
export function SendConfirmation({ purpose, email }: { purpose: 'account' | 'test' | 'sender'; email: string }) {
  const t = useWords('shell')
  const { confirmations, mayChange } = useMerchant()
  const send = useAction(requestConfirmation, {
    areas: ['settings', 'emails', 'campaigns', 'scenarios'],
    done: { message: t('unconfirmed.sent', { email }) },
  })
  const wasAsked = confirmations.some(
    (one) => one.purpose === purpose && one.status === 'asked' && one.email.toLowerCase() === email.toLowerCase(),
  )
  if (!mayChange) return null
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={send.isPending}
      aria-label={`${t(wasAsked ? 'unconfirmed.again' : 'unconfirmed.send')} (${email})`}
      onClick={() => send.mutate({ body: purpose === 'account' ? { purpose } : { purpose, email } })}
    >
      {t(wasAsked ? 'unconfirmed.again' : 'unconfirmed.send')}
    </Button>
  )
}
