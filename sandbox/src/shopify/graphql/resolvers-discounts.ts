import { GraphQLError } from 'graphql'
import { type ConnectionArguments, pageOf, presentPage } from '../connection.ts'
import { createDiscount } from '../goods/discount-changes.ts'
import {
  addCodes,
  type BulkCreationRow,
  type DiscountRow,
  findBulkCreation,
  findCode,
  findDiscount,
  listCodes,
  type MadeCode,
} from '../goods/discounts.ts'
import { unitOf } from '../goods/money.ts'
import { gid, idIn, isoSeconds } from '../platform.ts'
import type { GraphContext, Resolvers } from './graph-context.ts'

interface BasicInput {
  code?: string | null
  title?: string | null
  startsAt?: string | null
  endsAt?: string | null
  usageLimit?: number | null
  context?: { all?: string | null } | null
  customerGets?: {
    value?: { percentage?: number | null } | null
    items?: {
      all?: boolean | null
      collections?: { add?: string[] | null } | null
      products?: { productsToAdd?: string[] | null } | null
    } | null
  } | null
  minimumRequirement?: {
    subtotal?: { greaterThanOrEqualToSubtotal?: string | null } | null
    quantity?: { greaterThanOrEqualToQuantity?: string | null } | null
  } | null
}

/** Source: the schema's description of discountRedeemCodeBulkAdd. */
const maxCodes = 250

const problem = (field: string[], code: string, message: string) => ({ field, code, message, extraInfo: null })
const seconds = (text: string): number => Math.floor(Date.parse(text) / 1000)
const idsOf = (kind: string, given: readonly string[] | null | undefined): number[] | null =>
  given == null ? null : given.flatMap((id) => idIn(kind, id) ?? [])

function problemOf(context: GraphContext, input: BasicInput) {
  const at = (...field: string[]): string[] => ['basicCodeDiscount', ...field]
  const share = input.customerGets?.value?.percentage
  if (!input.code?.trim()) return problem(at('code'), 'BLANK', "Code can't be blank")
  if (!input.title?.trim()) return problem(at('title'), 'BLANK', "Title can't be blank")
  if (findCode(context.scope, input.code))
    return problem(at('code'), 'TAKEN', 'Code must be unique. Please try a different code.')
  if (share == null || share <= 0 || share > 1)
    return problem(
      at('customerGets', 'value', 'percentage'),
      'VALUE_OUTSIDE_RANGE',
      'Value must be between 0.0 and 1.0',
    )
  if (input.startsAt == null) return problem(at('startsAt'), 'BLANK', "Starts at can't be blank")
  if (input.endsAt != null && seconds(input.endsAt) <= seconds(input.startsAt))
    return problem(at('endsAt'), 'END_DATE_BEFORE_START_DATE', 'Ends at needs to be after starts_at')
  if (input.context?.all == null) return problem(at('context'), 'BLANK', "Context can't be blank")
  if (input.minimumRequirement?.subtotal && input.minimumRequirement.quantity)
    return problem(
      at('minimumRequirement'),
      'MINIMUM_SUBTOTAL_AND_QUANTITY_RANGE_BOTH_PRESENT',
      'Specify a minimum subtotal or a quantity, but not both',
    )
  const { items } = input.customerGets ?? {}
  if (!items?.all && !items?.collections?.add?.length && !items?.products?.productsToAdd?.length)
    return problem(at('customerGets', 'items'), 'BLANK', "Items in 'customer gets' must be specified")
  return null
}

export const discountMutations: Resolvers[string] = {
  discountCodeBasicCreate: (_, { basicCodeDiscount: input }: { basicCodeDiscount: BasicInput }, context) => {
    const wrong = problemOf(context, input)
    if (wrong) return { codeDiscountNode: null, userErrors: [wrong] }
    const { customerGets, minimumRequirement } = input
    const subtotal = minimumRequirement?.subtotal?.greaterThanOrEqualToSubtotal
    const quantity = minimumRequirement?.quantity?.greaterThanOrEqualToQuantity
    const row = createDiscount(context.scope, {
      title: input.title ?? '',
      code: input.code ?? '',
      share: customerGets?.value?.percentage ?? 0,
      minimum: {
        subtotal: subtotal == null ? null : Math.round(Number(subtotal) * unitOf(context.scope)),
        quantity: quantity == null ? null : Number(quantity),
      },
      items: {
        collections: idsOf('Collection', customerGets?.items?.collections?.add),
        products: idsOf('Product', customerGets?.items?.products?.productsToAdd),
      },
      usage_limit: input.usageLimit ?? null,
      starts_at: seconds(input.startsAt ?? ''),
      ends_at: input.endsAt == null ? null : seconds(input.endsAt),
    })
    return { codeDiscountNode: row, userErrors: [] }
  },
  discountRedeemCodeBulkAdd: (
    _,
    { discountId, codes }: { discountId: string; codes: { code: string }[] },
    { scope }: GraphContext,
  ) => {
    const discount = findDiscount(scope, idIn('DiscountCodeNode', discountId) ?? -1)
    if (!discount)
      return {
        bulkCreation: null,
        userErrors: [problem(['discountId'], 'INVALID', 'Code discount does not exist.')],
      }
    if (codes.length === 0 || codes.length > maxCodes)
      throw new GraphQLError(
        `The input array size of ${codes.length} is greater than the maximum allowed of ${maxCodes}.`,
        {
          extensions: { code: 'MAX_INPUT_SIZE_EXCEEDED' },
        },
      )
    return {
      bulkCreation: addCodes(
        scope,
        discount.id,
        codes.map(({ code }) => code),
      ),
      userErrors: [],
    }
  },
}

export const discountQueries: Resolvers[string] = {
  codeDiscountNodeByCode: (_, { code }: { code: string }, { scope }: GraphContext) => {
    const row = findCode(scope, code)
    return row ? findDiscount(scope, row.discount_id) : null
  },
  discountRedeemCodeBulkCreation: (_, { id }: { id: string }, { scope }: GraphContext) =>
    scope.store.lose_code_jobs === 1 ? null : findBulkCreation(scope, idIn('DiscountRedeemCodeBulkCreation', id) ?? -1),
}

/** More codes than any test makes. */
const MANY = 1_000_000
const made = (row: BulkCreationRow): MadeCode[] => JSON.parse(row.codes) as MadeCode[]
/** A store that is set to take no time has finished what it began before, too. */
const isDone = (row: BulkCreationRow, { scope }: GraphContext): boolean =>
  row.ready_ms <= Date.now() || scope.store.bulk_duration_ms === 0

export const discountResolvers: Resolvers = {
  DiscountCodeNode: {
    id: (row: DiscountRow) => gid('DiscountCodeNode', row.id),
    // Others cannot be made here.
    codeDiscount: (row: DiscountRow) => ({ ...row, __typename: 'DiscountCodeBasic' }),
  },
  DiscountCodeBasic: {
    title: (row: DiscountRow) => row.title,
    startsAt: (row: DiscountRow) => isoSeconds(row.starts_at),
    endsAt: (row: DiscountRow) => (row.ends_at === null ? null : isoSeconds(row.ends_at)),
    usageLimit: (row: DiscountRow) => row.usage_limit,
    customerGets: (row: DiscountRow) => ({ value: { __typename: 'DiscountPercentage', percentage: row.share } }),
    asyncUsageCount: (row: DiscountRow, _: unknown, { scope }: GraphContext) =>
      listCodes(scope, row.id, MANY).reduce((sum, { used }) => sum + used, 0),
    codesCount: (row: DiscountRow, _: unknown, { scope }: GraphContext) => ({
      count: listCodes(scope, row.id, MANY).length,
      precision: 'EXACT',
    }),
  },
  DiscountRedeemCodeBulkCreation: {
    id: (row: BulkCreationRow) => gid('DiscountRedeemCodeBulkCreation', row.id),
    done: (row: BulkCreationRow, _: unknown, context: GraphContext) => isDone(row, context),
    codesCount: (row: BulkCreationRow) => made(row).length,
    importedCount: (row: BulkCreationRow, _: unknown, context: GraphContext) =>
      isDone(row, context) ? made(row).filter(({ error }) => error === null).length : 0,
    failedCount: (row: BulkCreationRow, _: unknown, context: GraphContext) =>
      isDone(row, context) ? made(row).filter(({ error }) => error !== null).length : 0,
    createdAt: (row: BulkCreationRow) => isoSeconds(row.created_at),
    discountCode: (row: BulkCreationRow, _: unknown, { scope }: GraphContext) => findDiscount(scope, row.discount_id),
    codes: (row: BulkCreationRow, given: ConnectionArguments, context: GraphContext) => {
      const codes = made(row).map((one, at) => ({ id: at + 1, ...one, done: isDone(row, context) }))
      return presentPage(pageOf(codes, given, { bulk: context.bulk }), (one) => one)
    },
  },
  DiscountRedeemCodeBulkCreationCode: {
    discountRedeemCode: (row: MadeCode & { id: number; done: boolean }) =>
      row.done && row.error === null ? { id: gid('DiscountRedeemCode', row.id), code: row.code } : null,
    errors: (row: MadeCode & { done: boolean }) =>
      row.done && row.error !== null ? [problem(['code'], 'TAKEN', row.error)] : [],
  },
}
