import { z } from 'zod'
import { DeliveryView } from '../deliveries/delivery.ts'
import { endpoint } from '../endpoint.ts'
import { EmailAddress, Id, IdParams } from '../fields.ts'
import { Locale, locales, NamedIn } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { ProgramUse } from '../program-use.ts'
import { Design } from './design.ts'
import { ContentTag, Email, EmailFields, EmailSummary, EmailVariants, PlainText, RenderedEmail } from './email.ts'
import { starterKeys } from './starters.ts'

const area = 'emails'
/** JSON of the largest content, escapes included; and of a variant beside it. */
const CONTENT_BODY_LIMIT_BYTES = 4 * 1024 * 1024
const EMAIL_BODY_LIMIT_BYTES = 2 * CONTENT_BODY_LIMIT_BYTES

export const listEmails = endpoint('GET', '/emails', {
  area,
  summary: 'Emails, newest first, with their sent count, rates and revenue',
  access: 'member',
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    sort: z
      .enum(['created_at', 'updated_at', 'name', 'sent_count', 'open_rate', 'click_rate', 'revenue'])
      .default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(EmailSummary),
})

export const createEmail = endpoint('POST', '/emails', {
  area,
  summary: 'Write a new email; without content it starts from a plain template with the footer the law asks for',
  access: 'marketer',
  status: 201,
  bodyLimitBytes: EMAIL_BODY_LIMIT_BYTES,
  body: z.strictObject({
    name: EmailFields.name,
    subject: EmailFields.subject,
    preheader: EmailFields.preheader.default(''),
    from_email: EmailFields.from_email.default(null),
    from_name: EmailFields.from_name.default(null),
    content: EmailFields.content.optional(),
    /** Of blocks: then the content is made from it. */
    design: Design.optional(),
    plain_text: PlainText.default(null),
    variants: EmailVariants.default([]),
    /** What it starts as, where neither content nor design is given. */
    type: z.enum(['HTML', 'VISUAL']).default('HTML'),
    language: Locale.optional(),
    /** Which text it starts from, where no content is given. */
    starter: z.enum(starterKeys).optional(),
  }),
  reply: z.object({ email: Email }),
})

export const EmailDetail = z.object({
  email: Email,
  used_by: z.array(ProgramUse),
})
export type EmailDetail = z.output<typeof EmailDetail>

export const getEmail = endpoint('GET', '/emails/{id}', {
  area,
  summary: 'One email with its content, and what uses it',
  access: 'member',
  params: IdParams,
  reply: EmailDetail,
})

export const changeEmail = endpoint('PUT', '/emails/{id}', {
  area,
  summary: 'Change an email; campaigns already reserved keep the version they were reserved with',
  access: 'marketer',
  params: IdParams,
  bodyLimitBytes: 2 * EMAIL_BODY_LIMIT_BYTES,
  body: z
    .strictObject({
      ...EmailFields,
      /** The content is made from it. Null: from now on the content is written as code, and begins as it is. */
      design: Design.nullable(),
      plain_text: PlainText,
      /** The plain text was looked at and fits what the email says now. */
      plain_text_fits: z.boolean('not_a_boolean'),
      /** All of them: one that is missing is deleted. */
      variants: EmailVariants,
      /** The values the person began from: a field that another member has changed since is refused. Missing fields are not compared. */
      began: z
        .strictObject({ ...EmailFields, design: Design.nullable(), plain_text: PlainText, variants: EmailVariants })
        .partial(),
    })
    .partial(),
  reply: z.object({ email: Email }),
})

export const deleteEmail = endpoint('DELETE', '/emails/{id}', {
  area,
  summary: 'Delete an email that no draft or reserved campaign uses',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})

export const duplicateEmail = endpoint('POST', '/emails/{id}/duplicate', {
  area,
  summary: 'A copy under a new name',
  access: 'marketer',
  params: IdParams,
  status: 201,
  body: NamedIn,
  reply: z.object({ email: Email }),
})

export const testSendEmail = endpoint('POST', '/emails/{id}/testsend', {
  area,
  summary: 'Send the email to given addresses as a test (spec §5: an address and a captcha are required)',
  access: 'marketer',
  params: IdParams,
  status: 202,
  body: z.strictObject({
    emails: z.array(EmailAddress).min(1, 'required').max(10, 'too_long'),
    customer_id: Id.nullable().default(null),
    /** Instead of its own, as group B of an A/B test gets it. */
    subject: EmailFields.subject.nullable().default(null),
    /** For an email with variants: which one. If left out, the customer's, or each where there is no customer. */
    language: z.union([Locale, z.literal('base')], 'invalid').optional(),
    captcha: z.string('required').min(1, 'required').max(4000, 'too_long'),
  }),
  reply: z.object({ deliveries: z.array(DeliveryView) }),
})

export const previewEmail = endpoint('POST', '/emails/preview', {
  area,
  summary: 'Render unsaved content as one customer will get it, with the findings and the final size',
  access: 'member',
  bodyLimitBytes: CONTENT_BODY_LIMIT_BYTES,
  body: z.strictObject({
    subject: z.string().max(1000, 'too_long'),
    preheader: z.string().max(1000, 'too_long').default(''),
    content: EmailFields.content.default(''),
    /** Shown in place of the content. */
    design: Design.nullable().default(null),
    from_email: EmailFields.from_email.default(null),
    from_name: EmailFields.from_name.default(null),
    customer_id: Id.nullable().default(null),
    plain_text: PlainText.default(null),
    /** In which language it is; null: the merchant's. */
    language: Locale.nullable().default(null),
    /** The languages of the other variants: `customer_variant` says which one the customer gets. */
    variant_languages: z.array(Locale).max(locales.length, 'too_many').default([]),
  }),
  reply: z.object({ rendered: RenderedEmail }),
})

export const makePlainText = endpoint('POST', '/emails/plain_text', {
  area,
  summary: 'The plain-text part that would be made from unsaved content, tags included: to begin a written one from',
  access: 'member',
  bodyLimitBytes: CONTENT_BODY_LIMIT_BYTES,
  body: z.strictObject({ content: EmailFields.content.default(''), design: Design.nullable().default(null) }),
  reply: z.object({ plain_text: z.string() }),
})

export const listContentTags = endpoint('GET', '/content_tags', {
  area,
  summary: 'The tags that can be written into a mail',
  access: 'member',
  reply: z.object({ content_tags: z.array(ContentTag) }),
})

export const listEmailHistories = endpoint('GET', '/emailhistories', {
  area,
  summary: 'Messages, newest first: of one email, one customer, or all',
  access: 'member',
  query: PageQuery.extend({
    email_id: Id.optional(),
    customer_id: Id.optional(),
    kind: z.enum(['campaign', 'scenario', 'test']).optional(),
  }),
  reply: pageOf(DeliveryView),
})
