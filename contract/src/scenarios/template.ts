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
