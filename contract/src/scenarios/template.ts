import { z } from 'zod'
import { CategoryOfConditions } from '../segments/condition-routes.ts'

/** Spec §3, with its field names. */
export const SchemaField = z
  .object({
    slug: z.string(),
    nameJa: z.string(),
    nameEn: z.string(),
    suffixJa: z.string(),
    suffixEn: z.string(),
    descriptionJa: z.string(),
    descriptionEn: z.string(),
    /** Spec §3. `segment` and `linemessage` are our additions; a rank is a segment. */
    type: z.enum(['number', 'checkbox', 'text', 'emailtemplate', 'linemessage', 'segment', 'separator']),
    /** The slug of a checkbox; this field only matters if that is checked. */
    depends: z.string().nullable(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    required: z.boolean(),
    default: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  })
  .meta({ id: 'SchemaField' })
export type SchemaField = z.output<typeof SchemaField>

/** The data a template depends on, and for how many customers or products it is known. */
export const TemplateNeed = z
  .object({
    need: z.enum(['birthdays', 'product_intervals', 'product_views']),
    /** Counted up to {@link NEED_COUNTED_TO}. */
    known_count: z.int(),
  })
  .meta({ id: 'TemplateNeed' })
export type TemplateNeed = z.output<typeof TemplateNeed>
/** Counted up to this; the page then says "at least". */
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
