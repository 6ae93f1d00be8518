import { z } from 'zod'
import { Customer } from '../customers/customer.ts'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams } from '../fields.ts'
import { Condition } from './condition.ts'
import { conditionTypes, type FieldType } from './condition-types/index.ts'

const area = 'segments'

const Choice = z.object({ value: z.string(), name_ja: z.string(), name_en: z.string() })
const Field = z
  .object({
    /** For a metafield: the id of its setting. */
    name: z.string(),
    type: z.enum(Object.keys(conditionTypes) as [FieldType, ...FieldType[]]),
    name_ja: z.string(),
    name_en: z.string(),
    choices: z.array(Choice).readonly().optional(),
    unit_ja: z.string().optional(),
    unit_en: z.string().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    money: z.boolean().optional(),
    optional: z.boolean().optional(),
    says: z.enum(['given', 'state']).optional(),
    whole_days: z.boolean().optional(),
    has_amount: z.boolean().optional(),
  })
  .meta({ id: 'ConditionField' })

export const CategoryOfConditions = z
  .object({ slug: z.string(), name_ja: z.string(), name_en: z.string(), fields: z.array(Field).readonly() })
  .meta({ id: 'ConditionCategory' })

/** Spec §3: condition_params.categories. */
export const getConditionParams = endpoint('GET', '/customer_segments/condition_params', {
  area,
  summary: 'What conditions can ask about, the merchant’s own metafields included',
  access: 'member',
  reply: z.object({
    categories: z.array(CategoryOfConditions).readonly(),
  }),
})

/** The customer's value that a comparison looked at. */
export const ReadValue = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('text'), text: z.string() }),
    z.object({ kind: z.literal('number'), number: z.number() }),
    /** Minor units. */
    z.object({ kind: z.literal('money'), amount: z.number(), currency: z.string() }),
    z.object({ kind: z.literal('boolean'), boolean: z.boolean() }),
    /** `YYYY-MM-DD`, without a zone. */
    z.object({ kind: z.literal('day'), day: z.string() }),
    z.object({ kind: z.literal('instant'), at: z.iso.datetime() }),
    /** The first texts, and their total number. */
    z.object({ kind: z.literal('texts'), texts: z.array(z.string()), count: z.int() }),
    /** One of the field's choices. */
    z.object({ kind: z.literal('choice'), choice: z.string() }),
    /** Orders, mails, checkouts, favorites or executions: their number, and the time of the newest. */
    z.object({ kind: z.literal('found'), number: z.number(), last_at: z.iso.datetime().nullable() }),
  ])
  .meta({ id: 'ReadValue' })
export type ReadValue = z.output<typeof ReadValue>

/** Why a customer is in the segment or not: every part of the condition, in the order of the tree. */
export const Explanation = z
  .object({
    included: z.boolean(),
    parts: z.array(
      z.object({
        /** As in errors: `conditions.children.0`. */
        path: z.string(),
        holds: z.boolean(),
        /** Null for groups. */
        value: ReadValue.nullable(),
      }),
    ),
  })
  .meta({ id: 'Explanation' })
export type Explanation = z.output<typeof Explanation>

const explained = z.object({ customer: Customer, explanation: Explanation })

export const explainSegment = endpoint('GET', '/customer_segments/{id}/explain', {
  area,
  summary: 'Why a customer is in the segment or not, comparison by comparison (no parts for remote segments)',
  access: 'member',
  params: IdParams,
  query: z.object({ customer_id: Id }),
  reply: explained,
})

export const explainConditions = endpoint('POST', '/customer_segments/explain', {
  area,
  summary: 'Why a customer would be chosen by unsaved conditions or not',
  access: 'member',
  body: z.strictObject({ conditions: Condition, customer_id: Id }),
  reply: explained,
})
