import { z } from 'zod'
import { CanaryFrom, CanaryMinutes } from '../campaigns/canary.ts'
import { LineAccount } from '../line-accounts/account.ts'
import { EmailAddress, line, nameLine, PhoneAsWritten, TimeOfDay, TimeZone } from '../fields.ts'
import { Locale } from '../locale.ts'
import { SenderDomainStatus } from '../sender-domains/domain.ts'
import { AddressConfirmation } from './confirmation.ts'
import { SavedSender } from './senders.ts'

/** Spec §1: four paid plans, and the test plan that can never leave test mode. */
export const PlanCode = z.enum(['test', 'standard', 'pro', 'plus', 'enterprise'])
export type PlanCode = z.output<typeof PlanCode>
export const Plan = z
  .object({ code: PlanCode, status: z.enum(['trial', 'active', 'none']), trial_ends_at: z.iso.datetime().nullable() })
  .meta({ id: 'Plan' })
export type Plan = z.output<typeof Plan>
/** Spec §9. */
export const TRIAL_DAYS = 30

export const MemberRole = z.enum(['owner', 'marketer', 'viewer'])
export type MemberRole = z.output<typeof MemberRole>

/** The signed-in member (`user` on the wire). */
export const Member = z
  .object({
    id: z.uuid(),
    merchant_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: MemberRole,
    language: Locale,
    /** Who came through the store has none until they set one by a mailed link. */
    has_password: z.boolean(),
  })
  .meta({ id: 'User' })
export type Member = z.output<typeof Member>

export const StoreConnection = z
  .object({
    shop_domain: z.string(),
    status: z.enum(['connected', 'disconnected']),
    name: z.string().nullable(),
    /** What Okaeri counts in. */
    currency: z.string(),
    /** What the store sells in; null where it was connected before that was stored. */
    sells_in: z.string().nullable(),
    under_review: z.boolean(),
    storefront_url: z.string().nullable(),
    /** Why and since when it is not connected: the app was uninstalled there, our access was refused, or a member disconnected it. */
    disconnected_reason: z.enum(['uninstalled', 'refused', 'disconnected']).nullable(),
    disconnected_at: z.iso.datetime().nullable(),
    /**
     * Connected, but the platform keeps the whole store from us: not paid for, locked, forbidden, not found, or it does not take the
     * credentials of the app. Cleared automatically once a call succeeds.
     */
    trouble: z
      .object({
        reason: z.enum(['frozen', 'locked', 'forbidden', 'gone', 'app_credentials']),
        since: z.iso.datetime(),
      })
      .nullable(),
    /** Whether who comes in by the store is signed in to this account. */
    signs_in: z.boolean(),
    /** What Okaeri asks a store to allow and this one did not, for it was connected when less was asked. */
    missing_scopes: z.array(z.string()),
  })
  .meta({ id: 'StoreConnection' })
export type StoreConnection = z.output<typeof StoreConnection>

/** Allowed sending hours in the merchant's zone; `start` later than `end` spans midnight. Post-purchase scenarios may be exempt. */
export const SendingHours = z.object({
  enabled: z.boolean(),
  start: TimeOfDay,
  end: TimeOfDay,
  exclude_post_purchase: z.boolean(),
})
export type SendingHours = z.output<typeof SendingHours>

const MAX_TEST_EMAILS = 10
export const MAX_UNDO_SECONDS = 60

const settingFields = {
  site_name: nameLine(100),
  sender_name: nameLine(100),
  sender_email: EmailAddress,
  reply_to: EmailAddress.nullable(),
  /** Which mailer carries the mail; a choice only on the enterprise plan (spec §6). */
  email_provider: z.enum(['global', 'domestic']),
  test_mode: z.boolean(),
  test_emails: z.array(EmailAddress).max(MAX_TEST_EMAILS, 'too_long'),
  timezone: TimeZone,
  sending_hours: SendingHours,
  staff_email: EmailAddress.nullable(),
  staff_phone: PhoneAsWritten.nullable(),
  /** Shown in each advertising mail, as Japanese law asks (domain.md §4). */
  postal_address: line(0, 200),
  /** An order counts for a delivery clicked within this many days before it (domain.md §6). */
  attribution_days: z.int('not_a_number').min(1, 'too_small').max(30, 'too_big'),
  attribution_counts_opens: z.boolean(),
  /** At most so many mails to one person within `frequency_cap_days`, campaigns and scenarios together; null: no cap. */
  frequency_cap_count: z.int('not_a_number').min(1, 'too_small').max(100, 'too_big').nullable(),
  frequency_cap_days: z.int('not_a_number').min(1, 'too_small').max(90, 'too_big'),
  /** Campaigns by mail to so many people go to a few first; null: never. */
  canary_from: CanaryFrom,
  /** For so long what came of that is waited for. */
  canary_minutes: CanaryMinutes,
  /** How long a campaign that was just confirmed on its page can be taken back; 0: not at all. */
  undo_seconds: z.int('not_a_number').min(0, 'too_small').max(MAX_UNDO_SECONDS, 'too_big'),
  language: Locale,
} as const

/** As answered: what is stored is not checked again (a new merchant has no sender yet). */
export const UserSetting = z
  .object({
    ...settingFields,
    site_name: z.string(),
    sender_name: z.string(),
    sender_email: z.string(),
    reply_to: z.string().nullable(),
    test_emails: z.array(z.string()),
    staff_email: z.string().nullable(),
    staff_phone: z.string().nullable(),
    /** Changed by itself: `PUT /line/account`. */
    line: LineAccount,
  })
  .meta({ id: 'UserSetting' })
export type UserSetting = z.output<typeof UserSetting>
/** A change names only what it changes. */
export const UserSettingChange = z.strictObject(settingFields).partial()
export type UserSettingChange = z.output<typeof UserSettingChange>

/**
 * No messages are sent at all: the data are a backup's (`restored`) or a copy (`copied`), and the operator has to look first. `outage`: Okaeri
 * was away, and messages to customers wait some minutes until the store has said who opted out meanwhile. `another_store`: they wait until the
 * customers of the store before are removed.
 */
export const SendingHold = z
  .object({ since: z.iso.datetime(), because: z.enum(['restored', 'copied', 'outage', 'another_store']) })
  .meta({ id: 'SendingHold' })
export type SendingHold = z.output<typeof SendingHold>

/** What the settings fetch answers (spec §3): setting, member, plan; and the store the merchant is connected to. */
export const SettingsReply = z.object({
  userSetting: UserSetting,
  user: Member,
  plan: Plan,
  store: StoreConnection.nullable(),
  /** What amounts of money are typed and counted in, also before a store is connected. */
  currency: z.string(),
  /** How it stands with the addresses mail is sent to or from before there are customers: one’s own, test addresses, senders. */
  confirmations: z.array(AddressConfirmation),
  /** Beside the default one of the setting. */
  senders: z.array(SavedSender),
  /** Whether the address is of a domain anyone can sign up for, or not the merchant's own: shown as an alert. */
  sender_domain_custom: z.boolean(),
  /** How the domain of the sender address stands in DNS; null where it was not added. */
  sender_domain_status: SenderDomainStatus.nullable(),
  /** Holds the whole installation; null while sending goes on. */
  sending_hold: SendingHold.nullable(),
})
export type SettingsReply = z.output<typeof SettingsReply>

/** Spec §6: the test plan cannot leave test mode; nor can a store under review. Null when leaving is allowed. */
export function whyTestModeStays(
  plan: PlanCode,
  storeUnderReview: boolean,
): 'plan_forbids_leaving_test_mode' | 'store_under_review' | null {
  if (plan === 'test') return 'plan_forbids_leaving_test_mode'
  if (storeUnderReview) return 'store_under_review'
  return null
}
