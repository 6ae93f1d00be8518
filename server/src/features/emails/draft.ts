import { DRAFT_DAYS, type EmailDraft, type EmailDraftFields } from '@okaeri/contract/emails/version'
import type { Locale } from '@okaeri/contract/locale'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getEmail } from './email.ts'
import { deleteDraft, deleteOldDrafts, findDraft, upsertDraft } from './version-queries.ts'

const keptSince = (now: Date): Date => new Date(now.getTime() - DRAFT_DAYS * 86_400_000)

function writerOf({ memberId }: MerchantScope): string {
  if (memberId === null) throw new Error('only a member types')
  return memberId
}

export async function getDraft(
  scope: MerchantScope,
  emailId: string,
  language: Locale | null,
): Promise<EmailDraft | null> {
  const { updated_at } = await getEmail(scope, emailId)
  if (scope.memberId === null) return null
  const draft = await findDraft(scope, { emailId, memberId: scope.memberId, language, since: keptSince(scope.now) })
  if (!draft) return null
  return {
    fields: draft.fields,
    saved_at: draft.saved_at.toISOString(),
    is_behind: draft.began_at.getTime() < new Date(updated_at).getTime(),
  }
}

export async function keepDraft(
  scope: MerchantScope,
  { emailId, language }: { emailId: string; language: Locale | null },
  { fields, began_at }: { fields: EmailDraftFields; began_at: string },
): Promise<void> {
  const memberId = writerOf(scope)
  await getEmail(scope, emailId)
  await upsertDraft(scope, { emailId, memberId, language, fields, beganAt: new Date(began_at) })
  await deleteOldDrafts(scope, memberId, keptSince(scope.now))
}

export async function forgetDraft(scope: MerchantScope, emailId: string, language: Locale | null): Promise<void> {
  await getEmail(scope, emailId)
  await deleteDraft(scope, { emailId, memberId: writerOf(scope), language })
}
