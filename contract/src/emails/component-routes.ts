import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams } from '../fields.ts'
import { NamedIn } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { EmailComponent, EmailComponentFields, EmailComponentSummary, EmailComponentUses } from './component.ts'
import { ComponentKey } from './component-key.ts'
import { RenderedEmail } from './email.ts'
import { DraftQuery, DraftTab, EmailComponentDraft, EmailComponentDraftFields } from './version.ts'

const area = 'emails'
/** JSON of the largest content, escapes included. */
const BODY_LIMIT_BYTES = 1024 * 1024

export const listEmailComponents = endpoint('GET', '/email_components', {
  area,
  summary: 'Parts that emails share, newest first',
  access: 'member',
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    sort: z.enum(['created_at', 'updated_at', 'name']).default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(EmailComponentSummary),
})

export const createEmailComponent = endpoint('POST', '/email_components', {
  area,
  summary: 'Write a new component; without a key it gets one from its name',
  access: 'marketer',
  status: 201,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  body: z.strictObject({
    name: EmailComponentFields.name,
    key: ComponentKey.optional(),
    content: EmailComponentFields.content.default(''),
  }),
  reply: z.object({ email_component: EmailComponent }),
})

export const getEmailComponent = endpoint('GET', '/email_components/{id}', {
  area,
  summary: 'One component with its content, and what uses it',
  access: 'member',
  params: IdParams,
  reply: z.object({ email_component: EmailComponent, used_by: EmailComponentUses }),
})

export const changeEmailComponent = endpoint('PUT', '/email_components/{id}', {
  area,
  summary: 'Change a component, wherever it is used in what is not yet reserved or sent',
  access: 'marketer',
  params: IdParams,
  bodyLimitBytes: 2 * BODY_LIMIT_BYTES,
  body: z
    .strictObject({
      ...EmailComponentFields,
      /** The values the person began from: a field that another member has changed since is refused. Missing fields are not compared. */
      began: z.strictObject(EmailComponentFields).partial(),
    })
    .partial(),
  reply: z.object({ email_component: EmailComponent }),
})

export const deleteEmailComponent = endpoint('DELETE', '/email_components/{id}', {
  area,
  summary: 'Delete a component that no email and no other component uses',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})

export const duplicateEmailComponent = endpoint('POST', '/email_components/{id}/duplicate', {
  area,
  summary: 'A copy under a new name and key',
  access: 'marketer',
  params: IdParams,
  status: 201,
  body: NamedIn,
  reply: z.object({ email_component: EmailComponent }),
})

export const getEmailComponentDraft = endpoint('GET', '/email_components/{id}/draft', {
  area,
  summary: 'What the caller typed into this component and has not saved',
  access: 'member',
  params: IdParams,
  reply: z.object({ draft: EmailComponentDraft.nullable() }),
})

export const keepEmailComponentDraft = endpoint('PUT', '/email_components/{id}/draft', {
  area,
  summary: 'Keep what the caller has typed; no one else sees it and it is sent to no one',
  access: 'marketer',
  params: IdParams,
  bodyLimitBytes: BODY_LIMIT_BYTES,
  status: 204,
  replyKind: 'empty',
  body: z.strictObject({
    fields: EmailComponentDraftFields,
    /** When the component it is typed over was saved. */
    began_at: z.iso.datetime({ error: 'not_a_date' }),
    ...DraftTab,
  }),
})

export const deleteEmailComponentDraft = endpoint('DELETE', '/email_components/{id}/draft', {
  area,
  summary: 'Forget what the caller typed and did not save',
  access: 'marketer',
  params: IdParams,
  query: DraftQuery,
  status: 204,
  replyKind: 'empty',
})

export const previewEmailComponent = endpoint('POST', '/email_components/preview', {
  area,
  summary: 'Render unsaved content as it will stand in one customer’s mail, with what is found in it',
  access: 'member',
  bodyLimitBytes: BODY_LIMIT_BYTES,
  body: z.strictObject({
    content: EmailComponentFields.content,
    customer_id: Id.nullable().default(null),
  }),
  reply: z.object({ rendered: RenderedEmail }),
})
