import { createHash } from 'node:crypto'
import { amountsOfCoupon } from '@okaeri/contract/coupons/coupon'
import { currencyDigits } from '@okaeri/contract/money'
import { amountsOfFlow } from '@okaeri/contract/scenarios/flow/flow-amounts'
import { amountsIn } from '@okaeri/contract/segments/condition'
import type { CurrencyChange, TypedAmounts } from '@okaeri/contract/store/currency'
import { conflict } from '../../kernel/errors.ts'
import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { forgetPrices } from '../catalog/index.ts'
import { getMerchant, lockCurrency, setCurrency, storeCurrencyAgreement } from '../merchants/index.ts'
import { calculateAllLater } from '../segments/index.ts'
import { hasConversions } from '../tracking/index.ts'
import { selectRunning, selectWithAmounts } from './store-currency-queries.ts'

/**
 * Reaction to `store.connected`: what was typed before in amounts of money keeps its number, and would mean another amount. So a store that
 * sells in another currency is refused until an owner agreed to what each amount then means. A store that was connected before is not refused,
 * because who comes in by it would be locked out; every page then says that the currencies differ.
 */
export async function takeStoreCurrency(
  scope: MerchantScope,
  { currency, isKnown }: Facts['store.connected'],
): Promise<void> {
  if ((await getMerchant(scope)).currency === currency) return
  return scope.transaction((scope) => takeOther(scope, { currency, isKnown }))
}

async function takeOther(
  scope: TransactionScope,
  { currency, isKnown }: Pick<Facts['store.connected'], 'currency' | 'isKnown'>,
): Promise<void> {
  // No amount is saved until this is committed.
  await lockCurrency(scope, 'alone')
  const change = await readCurrencyChange(scope, currency)
  const isTaken = !change.obstacle && (change.typed.length === 0 || change.is_agreed)
  if (isTaken) {
    await setCurrency(scope, currency)
    await forgetPrices(scope)
    return calculateAllLater(scope, { learned: true })
  }
  if (!isKnown)
    throw conflict(
      change.obstacle === 'sales' ? 'currency_has_sales' : 'store_sells_in_another_currency',
      `the store sells in ${currency}, and amounts were typed in ${change.now}`,
    )
  scope.context.log.warn(
    { merchantId: scope.merchantId, present: change.now, currency },
    'the store sells in another currency than amounts are counted in',
  )
}

/** What every typed amount would mean in another currency, and what keeps the account from taking it. Sums of revenue are in one currency. */
export async function readCurrencyChange(scope: MerchantScope, currency: string): Promise<CurrencyChange> {
  const { currency: now, agreed_currency, agreed_amounts } = await getMerchant(scope)
  const typed = now === currency ? [] : await listTyped(scope, { now, next: currency })
  const running = typed.length === 0 ? [] : await selectRunning(scope)
  const seen = createHash('sha256')
    .update(JSON.stringify([now, currency, typed]))
    .digest('base64url')
  return {
    now,
    next: currency,
    obstacle: now !== currency && (await hasConversions(scope)) ? 'sales' : running.length > 0 ? 'running' : null,
    running,
    typed,
    seen,
    is_agreed: agreed_currency === currency && agreed_amounts === seen,
  }
}

/** Only for amounts that were seen. Throws `currency_has_sales`, `currency_in_use`, `currency_amounts_changed`. */
export const agreeToCurrency = (
  scope: MerchantScope,
  { currency, seen }: { currency: string; seen: string },
): Promise<CurrencyChange> =>
  scope.transaction(async (scope) => {
    const change = await readCurrencyChange(scope, currency)
    if (change.obstacle === 'sales')
      throw conflict('currency_has_sales', `orders were already counted in ${change.now}`)
    if (change.obstacle === 'running')
      throw conflict('currency_in_use', `still running: ${change.running.map(({ name }) => name).join(', ')}`)
    if (change.seen !== seen)
      throw conflict('currency_amounts_changed', 'these are not the amounts as they are now; read them again')
    await storeCurrencyAgreement(scope, { currency, amounts: seen })
    return { ...change, is_agreed: true }
  })

async function listTyped(scope: MerchantScope, { now, next }: { now: string; next: string }): Promise<TypedAmounts[]> {
  const ofMinor = (amount: number) => ({
    now: amount / 10 ** currencyDigits(now),
    next: amount / 10 ** currencyDigits(next),
  })
  const ofMajor = (amount: number) => ({ now: amount, next: amount })
  const { segments, campaigns, scenarios, views } = await selectWithAmounts(scope)
  const typed = [
    ...segments.map(({ id, name, conditions }) => ({
      kind: 'segment' as const,
      id,
      name,
      amounts: amountsIn(conditions).map(ofMajor),
    })),
    ...campaigns.map(({ id, name, coupon }) => ({
      kind: 'campaign' as const,
      id,
      name,
      amounts: amountsOfCoupon(coupon).map(ofMinor),
    })),
    ...scenarios.map(({ id, name, conditions, flows }) => {
      const inFlows = flows.map(amountsOfFlow)
      const form = conditions?.condition ? amountsIn(conditions.condition) : []
      const major = [...form, ...inFlows.flatMap((flow) => flow.major)]
      const minor = [
        ...(conditions ? amountsOfCoupon(conditions.coupon) : []),
        ...inFlows.flatMap((flow) => flow.minor),
      ]
      return {
        kind: 'scenario' as const,
        id,
        name,
        // Each version of a flow repeats them.
        amounts: [...[...new Set(minor)].map(ofMinor), ...[...new Set(major)].map(ofMajor)],
      }
    }),
    ...views.map(({ id, name, least, most }) => ({
      kind: 'view' as const,
      id,
      name,
      amounts: [least, most].filter((amount) => amount !== null).map((amount) => ofMajor(Number(amount))),
    })),
  ]
  return typed.filter(({ amounts }) => amounts.length > 0)
}
