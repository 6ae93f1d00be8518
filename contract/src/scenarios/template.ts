import { z } from 'zod'
import { CategoryOfConditions } from '../segments/condition-routes.ts'

/** Spec §3, field names as there. */
export const SchemaField = z
  .object({
    slug: z.string(),
    nameJa: z.string(),
    nameEn: z.string(),
    suffixJa: z.string(),
    suffixEn: z.string(),
    descriptionJa: z.string(),
    descriptionEn: z.string(),
    /** Spec §3; `segment` (a rank is one) is ours. */
    type: z.enum(['number', 'checkbox', 'text', 'emailtemplate', 'segment', 'separator']),
    /** The slug of a checkbox without which this field does not matter. */
    depends: z.string().nullable(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    required: z.boolean(),
    default: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  })
  .meta({ id: 'SchemaField' })
export type SchemaField = z.output<typeof SchemaField>

/** What a template goes by, and of how many customers or products it is known. */
export const TemplateNeed = z
  .object({
    need: z.enum(['birthdays', 'product_intervals']),
    /** Counted up to {@link NEED_COUNTED_TO}. */
    known_count: z.int(),
  })
  .meta({ id: 'TemplateNeed' })
export type TemplateNeed = z.output<typeof TemplateNeed>
/** More are not counted one by one: a page then says "at least". */
export const NEED_COUNTED_TO = 10_000

export const ActionTemplate = z
  .object({
    classname: z.string(),
    name_ja: z.string(),
    name_en: z.string(),
    category_ja: z.string(),
    category_en: z.string(),
    description_ja: z.string(),
    description_en: z.string(),
    schema: z.array(SchemaField),
    condition_params: z.object({ categories: z.array(CategoryOfConditions).readonly() }),
  })
  .meta({ id: 'ActionTemplate' })
export type ActionTemplate = z.output<typeof ActionTemplate>
