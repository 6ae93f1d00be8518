import { type Locale, toLocale } from '@okaeri/contract/locale'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { readLinkToken } from '../deliveries/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { findRecipient, type Permission, readPermission } from './queries.ts'

/** The person a link speaks for. */
export interface Addressee {
  scope: MerchantScope
  /** Lower case. */
  addressKey: string
  /** The customer the mail was sent to, even if their address changed since. */
  customerId: string | null
  /** The mail the link stood in; null when it was asked for on the storefront. */
  deliveryId: string | null
  /** A test mail, read by the merchant's staff: the link changes nothing. */
  isTest: boolean
  permission: Permission
  language: Locale
  merchantName: string
}

const GOOD_FOR_DAYS = 7
const PURPOSE = 'subscriptions.address'
const Sealed = z.object({ purpose: z.literal(PURPOSE), merchant: z.uuid(), address: z.string(), until: z.number() })

/** What stands in a link that is mailed to an address typed in on the storefront. The address cannot be read from it. */
export function sealAddress(scope: MerchantScope, addressKey: string): string {
  const sealed: z.output<typeof Sealed> = {
    purpose: PURPOSE,
    merchant: scope.merchantId,
    address: addressKey,
    until: scope.now.getTime() + GOOD_FOR_DAYS * 86_400_000,
  }
  return scope.context.keyring.encrypt(JSON.stringify(sealed))
}

/** Null when the token is invalid, too old, or its mail is gone. */
export async function findAddressee(context: Context, token: string): Promise<Addressee | null> {
  const link = readLinkToken(context.keyring, token)
  if (link) {
    const scope = merchantScope(context, link.merchantId)
    const recipient = await findRecipient(scope, link.deliveryId)
    if (!recipient?.addressKey) return null
    return describe(scope, { ...recipient, addressKey: recipient.addressKey, deliveryId: link.deliveryId })
  }
  const sealed = openSealed(context, token)
  if (!sealed || sealed.until < context.clock.now().getTime()) return null
  const scope = merchantScope(context, sealed.merchant)
  return describe(scope, {
    addressKey: sealed.address,
    customerId: null,
    deliveryId: null,
    isTest: false,
    language: null,
  })
}

async function describe(
  scope: MerchantScope,
  of: {
    addressKey: string
    customerId: string | null
    deliveryId: string | null
    isTest: boolean
    language: string | null
  },
): Promise<Addressee> {
  const merchant = await getMerchant(scope)
  return {
    ...of,
    scope,
    language: of.language ? toLocale(of.language) : merchant.language,
    merchantName: merchant.sender_name || merchant.site_name,
    permission: await readPermission(scope, of),
  }
}

function openSealed(context: Context, token: string): z.output<typeof Sealed> | null {
  // What is sealed has five parts; anything else is not worth deciphering.
  if (!/^v1(\.[\w-]+){4}$/.test(token)) return null
  try {
    return Sealed.safeParse(JSON.parse(context.keyring.decrypt(token))).data ?? null
  } catch {
    return null
  }
}
