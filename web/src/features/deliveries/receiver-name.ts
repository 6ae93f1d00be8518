import { isReceiverKey } from '@okaeri/contract/emails/receivers'
import { useWords } from '../../app/i18n.ts'

/** What a receiving operator is called; a domain that belongs to none is called by itself. */
export function useReceiverName(): (receiver: string) => string {
  const t = useWords('deliveries')
  return (receiver) => (isReceiverKey(receiver) ? t(`receiver.${receiver}`) : receiver)
}
