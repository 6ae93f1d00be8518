import { type AddressConfirmation, isAddressConfirmed } from '@okaeri/contract/merchants/confirmation'
import type {
  Member,
  Plan,
  SendingHold,
  SettingsReply,
  StoreConnection,
  UserSetting,
} from '@okaeri/contract/merchants/merchant'
import type { SavedSender } from '@okaeri/contract/merchants/senders'
import { getSettings } from '@okaeri/contract/merchants/routes'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { noteCurrency } from '../api/call.ts'
import { queryOf } from '../api/queries.ts'

/** The merchant of these pages, and the signed-in member. */
export interface CurrentMerchant {
  setting: UserSetting
  member: Member
  plan: Plan
  store: StoreConnection | null
  /** What amounts are typed and counted in; JPY before a store is connected. */
  currency: string
  /** What they were in when these pages were loaded. Amounts typed on them are refused once it is another. */
  pageCurrency: string
  senderDomainCustom: boolean
  /** Beside the default one of the setting. */
  senders: readonly SavedSender[]
  /** Confirmed test addresses: only these get mails. */
  testEmails: readonly string[]
  /** The confirmation states of the member's address, test addresses and senders. */
  confirmations: readonly AddressConfirmation[]
  /** While sending is on hold in this installation. */
  sendingHold: SendingHold | null
  /** False for viewers. */
  mayChange: boolean
}

const Context = createContext<CurrentMerchant | null>(null)

const currentOf = (reply: SettingsReply): CurrentMerchant => ({
  setting: reply.userSetting,
  member: reply.user,
  plan: reply.plan,
  store: reply.store,
  currency: reply.currency,
  pageCurrency: noteCurrency({ merchantId: reply.user.merchant_id, currency: reply.currency }) ?? reply.currency,
  senderDomainCustom: reply.sender_domain_custom,
  senders: reply.senders,
  testEmails: reply.userSetting.test_emails.filter((email) => isAddressConfirmed(reply.confirmations, 'test', email)),
  confirmations: reply.confirmations,
  sendingHold: reply.sending_hold,
  mayChange: reply.user.role !== 'viewer',
})

export const settingsQuery = () => queryOf(getSettings, {})

/** Shows its children once the merchant is known. */
export function MerchantProvider(props: {
  children: ReactNode
  loading: ReactNode
  failed: (error: Error, retry: () => void) => ReactNode
}) {
  const { data, error, refetch } = useQuery(settingsQuery())
  const current = useMemo(() => (data ? currentOf(data) : null), [data])
  if (current) return <Context value={current}>{props.children}</Context>
  return error ? props.failed(error, () => void refetch()) : props.loading
}

/** Not if the merchant disconnected it. Every page says so at its top. */
export const isStoreLost = (store: StoreConnection | null): store is StoreConnection =>
  store?.status === 'disconnected' && store.disconnected_reason !== 'disconnected'

/** The signed-in merchant; only inside the shell. */
export function useMerchant(): CurrentMerchant {
  const merchant = useContext(Context)
  if (!merchant) throw new Error('useMerchant is for pages inside the shell')
  return merchant
}

/** The merchant, or null on the pages before sign-in. */
export const useMerchantIfKnown = (): CurrentMerchant | null => useContext(Context)
