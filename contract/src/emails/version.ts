import { z } from 'zod'
import { Design } from './design.ts'
import { Locale } from '../locale.ts'
import { EmailFields, EmailVariantFields } from './email.ts'

/** How many versions of each email are kept. */
export const KEPT_VERSIONS = 50
/** What was typed and not saved is forgotten after so many days. */
export const DRAFT_DAYS = 30

export const EmailVersionSummary = z
  .object({
    id: z.uuid(),
    saved_at: z.iso.datetime(),
    /** The member's name, or the address of one without a name; null where it is not known. */
    saved_by: z.string().nullable(),
    subject: z.string(),
    type: z.enum(['HTML', 'VISUAL']),
    /** What the email says now. */
    is_current: z.boolean(),
  })
  .meta({ id: 'EmailVersionSummary' })
export type EmailVersionSummary = z.output<typeof EmailVersionSummary>

export const EmailVersion = EmailVersionSummary.extend({
  preheader: z.string(),
  content: z.string(),
  design: Design.nullable(),
  plain_text: z.string().nullable(),
  /** Null: from before there were any. Restoring it leaves them as they are. */
  variants: z.array(EmailVariantFields).nullable(),
}).meta({ id: 'EmailVersion' })
export type EmailVersion = z.output<typeof EmailVersion>

const { content } = EmailFields
/** What an editor has fields for. It need not be what could be saved: a subject may be empty while it is typed. */
export const EmailDraftFields = z
  .strictObject({
    subject: z
      .string('not_a_text')
      .max(1_000, 'too_long')
      .refine((text) => !text.includes('\0'), 'control_characters'),
    preheader: z
      .string('not_a_text')
      .max(1_000, 'too_long')
      .refine((text) => !text.includes('\0'), 'control_characters'),
    content,
    /** Empty: it is made from the content. */
    plain_text: z
      .string('not_a_text')
      .max(200 * 1024, 'too_long')
      .refine((text) => !text.includes('\0'), 'control_characters'),
    /** As text, since it need not be whole. */
    design: z
      .string('not_a_text')
      .max(512 * 1024, 'too_long')
      .refine((text) => !text.includes('\0'), 'control_characters'),
  })
  .partial()
  .meta({ id: 'EmailDraftFields' })
export type EmailDraftFields = z.output<typeof EmailDraftFields>

/** For a component, the same as for an email. */
export const EmailComponentDraftFields = z
  .strictObject({
    name: z
      .string('not_a_text')
      .max(1_000, 'too_long')
      .refine((text) => !text.includes('\0'), 'control_characters'),
    content,
  })
  .partial()
  .meta({ id: 'EmailComponentDraftFields' })

/** The tab that keeps a draft. Without `writer` nothing is compared. */
export const DraftTab = {
  /** Chosen by the tab, once. */
  writer: z
    .string('not_a_text')
    .regex(/^[\w-]{8,40}$/, 'invalid')
    .nullable()
    .default(null),
  /** `saved_at` of the draft that the tab found when it was opened. */
  seen_at: z.iso.datetime({ error: 'not_a_date' }).nullable().default(null),
  /** The person said that what this tab has is kept. */
  takes_over: z.boolean('not_a_boolean').default(false),
}
/** Without `writer` whatever was kept is forgotten, else what that tab kept, or found when it was opened. */
export const DraftQuery = z.object({
  /** For a variant its language; absent for the email itself. */
  language: Locale.optional(),
  seen_at: z.iso.datetime({ error: 'not_a_date' }).optional(),
  writer: z
    .string()
    .regex(/^[\w-]{8,40}$/, 'invalid')
    .optional(),
})

/** What a member typed and did not save, of an email or of a component in it. */
export const UnsavedText = z
  .object({ kind: z.enum(['email', 'component']), id: z.uuid(), name: z.string(), saved_at: z.iso.datetime() })
  .meta({ id: 'UnsavedText' })
export type UnsavedText = z.output<typeof UnsavedText>

export const EmailDraft = z
  .object({
    fields: EmailDraftFields,
    saved_at: z.iso.datetime(),
    /** The email was saved since: the draft was typed over an older text. */
    is_behind: z.boolean(),
  })
  .meta({ id: 'EmailDraft' })
export type EmailDraft = z.output<typeof EmailDraft>

export const EmailComponentDraft = EmailDraft.omit({ fields: true })
  .extend({ fields: EmailComponentDraftFields })
  .meta({ id: 'EmailComponentDraft' })
