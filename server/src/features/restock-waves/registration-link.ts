import type { Locale } from '@okaeri/contract/locale'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { readLinkToken } from '../deliveries/index.ts'
import type { AwaitedItem } from '../restocks/index.ts'
import { type AnsweredDelivery, selectAnswered } from './registration-queries.ts'

/** What a link in a mail about a registration speaks for: one mailbox and one product. */
export interface AskedRegistration {
  addressKey: string
  awaited: AwaitedItem
  /** When it was asked for: its place in line. */
  at: Date
}

/** A question that was not answered for so long is none any more. A registration may be taken back for ever: it may wait for years. */
export const CONFIRM_WITHIN_DAYS = 7
const PURPOSE = 'restock.registration'
const Sealed = z.object({
  purpose: z.literal(PURPOSE),
  merchant: z.uuid(),
  address: z.string(),
  product: z.number(),
  variant: z.number(),
  at: z.number(),
})

/** Nothing can be read from it. */
export const sealRegistration = (scope: MerchantScope, { addressKey, awaited, at }: AskedRegistration): string => {
  const sealed: z.output<typeof Sealed> = {
    purpose: PURPOSE,
    merchant: scope.merchantId,
    address: addressKey,
    product: awaited.storeProductId,
    variant: awaited.storeVariantId,
    at: at.getTime(),
  }
  return scope.context.keyring.encrypt(JSON.stringify(sealed))
}

/** Null when it is not ours. */
export function openRegistration(
  context: Context,
  token: string,
): { scope: MerchantScope; asked: AskedRegistration } | null {
  const sealed = openSealed(context, token)
  if (!sealed) return null
  return {
    scope: merchantScope(context, sealed.merchant),
    asked: {
      addressKey: sealed.address,
      awaited: { storeProductId: sealed.product, storeVariantId: sealed.variant },
      at: new Date(sealed.at),
    },
  }
}

function openSealed({ keyring }: Context, token: string): z.output<typeof Sealed> | null {
  try {
    return Sealed.safeParse(JSON.parse(keyring.decrypt(token))).data ?? null
  } catch {
    // The token is made up or damaged.
    return null
  }
}

/** What the link of a message speaks for: its recipient, and what they had asked for. Null: it is none of ours. */
export async function openAnswer(
  context: Context,
  token: string,
): Promise<({ scope: MerchantScope } & AnsweredDelivery) | null> {
  const link = readLinkToken(context.keyring, token)
  if (!link) return null
  const scope = merchantScope(context, link.merchantId)
  const answered = await selectAnswered(scope, link.deliveryId)
  return answered && { scope, ...answered }
}

/** Where those links lead. */
export const PAGE = '/pages/restock'
export interface PageQuery {
  token: string
  lang: Locale | undefined
  /** Which button they came by. */
  done?: 'cancel' | 'all' | undefined
}
export const pageAddress = ({ token, lang, done }: PageQuery): string =>
  `${PAGE}?${new URLSearchParams({ token, ...(lang ? { lang } : {}), ...(done ? { done } : {}) })}`
