import type { UserError } from './operations.ts'

/** Discounts with codes; needs the scope `write_discounts`. */

/** Codes one call may add. Source: the platform's schema, discountRedeemCodeBulkAdd. */
export const MAX_CODES_AT_ONCE = 250

export const DISCOUNT_CREATE = /* GraphQL */ `mutation DiscountCreate($discount: DiscountCodeBasicInput!) {
  discountCodeBasicCreate(basicCodeDiscount: $discount) {
    codeDiscountNode { id } userErrors { field message code }
  }
}`
export interface DiscountCreateResult {
  discountCodeBasicCreate: { codeDiscountNode: { id: string } | null; userErrors: UserError[] } | null
}

/** The search ignores case. */
export const DISCOUNT_BY_CODE = /* GraphQL */ `query DiscountByCode($code: String!) {
  codeDiscountNodeByCode(code: $code) { id }
}`
export interface DiscountByCodeResult {
  codeDiscountNodeByCode: { id: string } | null
}

const stateOf = (type: string): string =>
  `... on ${type} { startsAt endsAt usageLimit asyncUsageCount codesCount { count } }`
/** Until when a code holds, and how often it can still be used. */
export const DISCOUNT_STATE = /* GraphQL */ `query DiscountState($code: String!) {
  codeDiscountNodeByCode(code: $code) {
    codeDiscount { ${['DiscountCodeBasic', 'DiscountCodeBxgy', 'DiscountCodeFreeShipping', 'DiscountCodeApp'].map(stateOf).join(' ')} }
  }
}`
export interface CodeDiscountResult {
  codeDiscountNodeByCode: {
    codeDiscount: {
      startsAt?: string
      endsAt?: string | null
      usageLimit?: number | null
      asyncUsageCount?: number
      codesCount?: { count: number } | null
    }
  } | null
}

/** What a code of ours is worth in the store, and from when until when. */
export const DISCOUNT_WORTH = /* GraphQL */ `query DiscountWorth($code: String!) {
  codeDiscountNodeByCode(code: $code) {
    id
    codeDiscount {
      ... on DiscountCodeBasic { startsAt endsAt customerGets { value { ... on DiscountPercentage { percentage } } } }
    }
  }
}`
export interface DiscountWorthResult {
  codeDiscountNodeByCode: {
    id: string
    /** Of another kind it has nothing of this. */
    codeDiscount: { startsAt?: string; endsAt?: string | null; customerGets?: { value: { percentage?: number } } }
  } | null
}

/** At most {@link MAX_CODES_AT_ONCE} codes; they are made afterwards, {@link CODES_MADE} tells how far that is. */
export const CODES_ADD = /* GraphQL */ `mutation CodesAdd($discountId: ID!, $codes: [DiscountRedeemCodeInput!]!) {
  discountRedeemCodeBulkAdd(discountId: $discountId, codes: $codes) {
    bulkCreation { id } userErrors { field message code }
  }
}`
export interface CodesAddResult {
  discountRedeemCodeBulkAdd: { bulkCreation: { id: string } | null; userErrors: UserError[] } | null
}

export const CODES_MADE = /* GraphQL */ `query CodesMade($id: ID!) {
  discountRedeemCodeBulkCreation(id: $id) {
    id done codesCount importedCount failedCount
    codes(first: 250) { nodes { code discountRedeemCode { id } errors { field message code } } }
  }
}`
export interface CodesMadeResult {
  discountRedeemCodeBulkCreation: {
    id: string
    done: boolean
    codesCount: number
    importedCount: number
    failedCount: number
    codes: { nodes: { code: string; discountRedeemCode: { id: string } | null; errors: UserError[] }[] }
  } | null
}
