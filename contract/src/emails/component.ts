import { z } from 'zod'
import { ProgramUse } from '../program-use.ts'
import { EmailFields } from './email.ts'

/** As much as Gmail shows of a whole mail. */
export const MAX_COMPONENT_BYTES = 102 * 1024
/** Per merchant. */
export const MAX_COMPONENTS = 500
/** Different ones in one content. */
export const MAX_COMPONENTS_IN_CONTENT = 50
/** A component in a component, and so on. */
export const MAX_COMPONENT_DEPTH = 5

export const EmailComponentFields = {
  name: EmailFields.name,
  /** A part of a mail, in the same language: HTML with Liquid tags. Kept exactly as typed. */
  content: EmailFields.content.refine(
    (html) => new TextEncoder().encode(html).length <= MAX_COMPONENT_BYTES,
    'too_large',
  ),
} as const

export const EmailComponent = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** Names it in tags. Given once, at its creation. */
    key: z.string(),
    /** {@link componentTag} of its key. */
    tag: z.string(),
    content: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'EmailComponent' })
export type EmailComponent = z.output<typeof EmailComponent>

export const EmailComponentSummary = EmailComponent.omit({ content: true })
  .extend({
    /** Emails in which it stands, by itself or within another component. */
    email_count: z.int(),
  })
  .meta({ id: 'EmailComponentSummary' })
export type EmailComponentSummary = z.output<typeof EmailComponentSummary>

export const EmailComponentUses = z
  .object({
    /** Emails in which it stands, by itself or within another component, and what sends them. At most 100. */
    emails: z.array(z.object({ id: z.uuid(), name: z.string(), direct: z.boolean(), used_by: z.array(ProgramUse) })),
    /** How many emails there are. */
    email_count: z.int(),
    /** Components in which its tag is written. */
    components: z.array(z.object({ id: z.uuid(), name: z.string() })),
  })
  .meta({ id: 'EmailComponentUses' })
export type EmailComponentUses = z.output<typeof EmailComponentUses>
