import { normalizeEmail } from '@okaeri/contract/fields'
import type { Locale } from '@okaeri/contract/locale'
import { type Plan, type PlanCode, TRIAL_DAYS } from '@okaeri/contract/merchants/merchant'
import { planFeatures, planIncludes } from '@okaeri/contract/merchants/plan-features'
import { forbidden, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { addMember } from './member.ts'
import { findMerchantRow, insertMerchantRow, type MerchantRow, updateMerchantRow } from './queries.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    'settings.changed': { fields: string[] }
  }
}

const DAY_MS = 86_400_000

/** The merchant's own row: settings and plan. */
export async function getMerchant(scope: MerchantScope): Promise<MerchantRow> {
  const merchant = await findMerchantRow(scope)
  if (!merchant) throw notFound('no such merchant')
  return merchant
}

export interface NewMerchant {
  siteName: string
  language: Locale
  timezone?: string
  currency?: string
  owner: { email: string; name: string; passwordHash: string | null }
  /** `required` refuses a taken address; `if_free` makes a member who signs in through the store only. */
  signIn: 'required' | 'if_free'
}

/**
 * A merchant and its owner, in test mode on the test plan: part of the scope's transaction, under the scope's (new) merchant id.
 * Returns the owner's id. Throws `email_taken`.
 */
export async function createMerchant(scope: MerchantScope, init: NewMerchant): Promise<string> {
  const { owner } = init
  await insertMerchantRow(scope, {
    site_name: init.siteName,
    language: init.language,
    ...(init.timezone ? { timezone: init.timezone } : {}),
    ...(init.currency ? { currency: init.currency } : {}),
    sender_name: init.siteName,
    staff_email: owner.email,
    test_emails: [owner.email],
  })
  const memberId = newId()
  await addMember(scope, {
    id: memberId,
    email: owner.email,
    email_key: normalizeEmail(owner.email),
    name: owner.name,
    role: 'owner',
    language: init.language,
    password_hash: owner.passwordHash,
    signIn: init.signIn,
  })
  return memberId
}

/** Sets the plan, with or without its trial. The test plan brings test mode back. */
export function setPlan(scope: MerchantScope, plan: PlanCode, { trial }: { trial: boolean }): Promise<void> {
  return scope.transaction(async (scope) => {
    await updateMerchantRow(scope, {
      plan,
      trial_ends_at: trial && plan !== 'test' ? new Date(scope.now.getTime() + TRIAL_DAYS * DAY_MS) : null,
      ...(plan === 'test' ? { test_mode: true } : {}),
      ...(planIncludes({ code: plan, status: 'active' }, 'mailer_choice')
        ? {}
        : { email_provider: 'global' as const, own_mailer_id: null, own_mailer_connections: null }),
    })
    await scope.context.publish(scope, 'settings.changed', { fields: ['plan'] })
  })
}

/** What prices, orders and sums of this merchant are read in. */
export const setCurrency = (scope: MerchantScope, currency: string): Promise<void> =>
  updateMerchantRow(scope, { currency, agreed_currency: null, agreed_amounts: null })

/** What an owner agreed to: this currency, for just these typed amounts. */
export const storeCurrencyAgreement = (
  scope: MerchantScope,
  { currency, amounts }: { currency: string; amounts: string },
): Promise<void> => updateMerchantRow(scope, { agreed_currency: currency, agreed_amounts: amounts })

/** By which own account all mail goes from now on; null: by a mailer of the installation. */
export async function setOwnMailer(
  scope: TransactionScope,
  account: { id: string; connections: number } | null,
): Promise<void> {
  await updateMerchantRow(scope, {
    own_mailer_id: account?.id ?? null,
    own_mailer_connections: account?.connections ?? null,
  })
  await scope.context.publish(scope, 'settings.changed', { fields: ['own_mailer'] })
}

/** 403 where the merchant's plan does not include it. */
export async function refuseUnlessIncluded(scope: MerchantScope, feature: keyof typeof planFeatures): Promise<void> {
  if (!planIncludes(presentPlan(await getMerchant(scope), scope.now), feature))
    throw forbidden(planFeatures[feature].reason)
}

export function presentPlan({ plan, trial_ends_at }: MerchantRow, now: Date): Plan {
  if (plan === 'test') return { code: plan, status: 'none', trial_ends_at: null }
  return {
    code: plan,
    status: trial_ends_at && trial_ends_at > now ? 'trial' : 'active',
    trial_ends_at: trial_ends_at?.toISOString() ?? null,
  }
}
