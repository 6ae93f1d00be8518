import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams } from '../fields.ts'
import { Email } from './email.ts'
import { DraftQuery, DraftTab, EmailDraft, EmailDraftFields, EmailVersion, EmailVersionSummary } from './version.ts'

const area = 'emails'
const VersionParams = z.object({ id: Id, version_id: Id })
/** JSON of the largest content, escapes included. */
const DRAFT_BODY_LIMIT_BYTES = 4 * 1024 * 1024

export const listEmailVersions = endpoint('GET', '/emails/{id}/versions', {
  area,
  summary: 'What the email said after each save, newest first',
  access: 'member',
  params: IdParams,
  reply: z.object({ versions: z.array(EmailVersionSummary) }),
})

export const getEmailVersion = endpoint('GET', '/emails/{id}/versions/{version_id}', {
  area,
  summary: 'One version with its content',
  access: 'member',
  params: VersionParams,
  reply: z.object({ version: EmailVersion }),
})

export const restoreEmailVersion = endpoint('POST', '/emails/{id}/versions/{version_id}/restore', {
  area,
  summary: 'The email says again what it said then; that is a new version, so it can be undone the same way',
  access: 'marketer',
  params: VersionParams,
  reply: z.object({ email: Email }),
})

export const getEmailDraft = endpoint('GET', '/emails/{id}/draft', {
  area,
  summary: 'What the caller typed into this email and has not saved',
  access: 'member',
  params: IdParams,
  query: DraftQuery,
  reply: z.object({ draft: EmailDraft.nullable() }),
})

export const keepEmailDraft = endpoint('PUT', '/emails/{id}/draft', {
  area,
  summary: 'Keep what the caller has typed; no one else sees it and it is sent to no one',
  access: 'marketer',
  params: IdParams,
  query: DraftQuery,
  bodyLimitBytes: DRAFT_BODY_LIMIT_BYTES,
  status: 204,
  replyKind: 'empty',
  body: z.strictObject({
    fields: EmailDraftFields,
    /** When the email it is typed over was saved. */
    began_at: z.iso.datetime({ error: 'not_a_date' }),
    ...DraftTab,
  }),
})

export const deleteEmailDraft = endpoint('DELETE', '/emails/{id}/draft', {
  area,
  summary: 'Forget what the caller typed and did not save',
  access: 'marketer',
  params: IdParams,
  query: DraftQuery,
  status: 204,
  replyKind: 'empty',
})
