import type { LineAccount } from '@okaeri/contract/line-accounts/account'
import {
  type SendingHold,
  type SettingsReply,
  type StoreConnection,
  type UserSetting,
  type UserSettingChange,
  whyTestModeStays,
} from '@okaeri/contract/merchants/merchant'
import type { SenderDomainStatus } from '@okaeri/contract/sender-domains/domain'
import { planIncludes } from '@okaeri/contract/merchants/plan-features'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { presentConfirmations } from './confirmation.ts'
import { presentPlan } from './merchant.ts'
import { getMember, presentMember } from './member.ts'
import { senderDomainIsPublic } from './public-mail-domains.ts'
import { findMerchantRow, type MerchantChange, type MerchantRow, updateMerchantRow } from './queries.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** The store the merchant is, or was, connected to. */
    storeOfMerchant(scope: MerchantScope): Promise<StoreConnection | null>
    /** LINE channels, without their secrets. */
    lineOfMerchant(scope: MerchantScope): Promise<LineAccount>
    /** How it stands with the domain of an address; null where it was not added. */
    senderDomainStatus(scope: MerchantScope, email: string): Promise<SenderDomainStatus | null>
    /** Whether the ledger lets nothing leave, and why. */
    sendingHold(scope: MerchantScope): Promise<SendingHold | null>
  }
}

/** What the settings page needs in one answer. */
export async function presentSettings(scope: MerchantScope, memberId: string): Promise<SettingsReply> {
  const merchant = await findMerchantRow(scope)
  if (!merchant) throw notFound('no such merchant')
  const member = await getMember(scope, memberId)
  return {
    userSetting: { ...presentUserSetting(merchant), line: await scope.context.ports.lineOfMerchant(scope) },
    user: presentMember(member),
    plan: presentPlan(merchant, scope.now),
    store: await scope.context.ports.storeOfMerchant(scope),
    currency: merchant.currency,
    confirmations: await presentConfirmations(scope, merchant, member),
    senders: merchant.senders,
    sender_domain_custom: merchant.sender_email !== '' && !senderDomainIsPublic(merchant.sender_email),
    sender_domain_status: await scope.context.ports.senderDomainStatus(scope, merchant.sender_email),
    sending_hold: await scope.context.ports.sendingHold(scope),
  }
}

const presentUserSetting = (merchant: MerchantRow): Omit<UserSetting, 'line'> => ({
  site_name: merchant.site_name,
  sender_name: merchant.sender_name,
  sender_email: merchant.sender_email,
  reply_to: merchant.reply_to,
  email_provider: merchant.email_provider,
  test_mode: merchant.test_mode,
  test_emails: merchant.test_emails,
  timezone: merchant.timezone,
  sending_hours: merchant.sending_hours,
  staff_email: merchant.staff_email,
  staff_phone: merchant.staff_phone,
  postal_address: merchant.postal_address,
  attribution_days: merchant.attribution_days,
  attribution_counts_opens: merchant.attribution_counts_opens,
  frequency_cap_count: merchant.frequency_cap_count,
  frequency_cap_days: merchant.frequency_cap_days,
  canary_from: merchant.canary_from,
  canary_minutes: merchant.canary_minutes,
  undo_seconds: merchant.undo_seconds,
  language: merchant.language,
})

/** Changes the named settings, all or none. */
export function changeSettings(
  scope: MerchantScope,
  memberId: string,
  change: UserSettingChange,
): Promise<SettingsReply> {
  return scope.transaction(async (scope) => {
    const merchant = await findMerchantRow(scope, { lock: true })
    if (!merchant) throw notFound('no such merchant')
    refuseBadFields(change)
    if (change.email_provider === 'domestic' && !planIncludes(presentPlan(merchant, scope.now), 'mailer_choice'))
      throw conflict('plan_forbids_provider', 'the mailer can be chosen on the enterprise plan only')
    const provider = change.email_provider ?? merchant.email_provider
    if (!merchant.test_mode && scope.context.settings.production && provider !== merchant.email_provider)
      throw conflict('provider_fixed', 'the mailer stays once test mode is off')
    if (merchant.test_mode && change.test_mode === false) await refuseLeavingTestMode(scope, merchant)
    const named = Object.fromEntries(
      Object.entries(change).filter(([, value]) => value !== undefined),
    ) as MerchantChange
    if (named.test_emails) named.test_emails = withoutRepeats(named.test_emails)
    const fields = Object.keys(named)
    if (fields.length > 0) {
      await updateMerchantRow(scope, named)
      await scope.context.publish(scope, 'settings.changed', { fields })
    }
    return presentSettings(scope, memberId)
  })
}

function refuseBadFields({ sender_email, sending_hours }: UserSettingChange): void {
  // Spec §5: public mail services are not permitted as the sender domain.
  if (sender_email !== undefined && senderDomainIsPublic(sender_email))
    throw invalid({ 'userSetting.sender_email': 'public_mail_domain' }, 'sender_domain_public')
  // Equal hours would mean either always or never.
  if (sending_hours && sending_hours.start === sending_hours.end)
    throw invalid({ 'userSetting.sending_hours.end': 'not_allowed' })
}

async function refuseLeavingTestMode(scope: MerchantScope, { plan }: MerchantRow): Promise<void> {
  const store = await scope.context.ports.storeOfMerchant(scope)
  const why = whyTestModeStays(plan, store?.under_review ?? false)
  if (why) throw conflict(why)
}

function withoutRepeats(addresses: readonly string[]): string[] {
  const seen = new Set<string>()
  return addresses.filter((address) => {
    const key = address.toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
}
