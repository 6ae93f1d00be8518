import { KEPT_VERSIONS } from '@okaeri/contract/emails/version'
import { isDeepStrictEqual } from 'node:util'
import { newId } from '../../kernel/ids.ts'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import type { LanguageContent, Variant } from './variant.ts'
import { deleteOldVersions, hasVersions, insertVersion } from './version-queries.ts'

/** What a version holds of an email. */
type VersionOf = LanguageContent & { id: string; variants: readonly Variant[] }

/** Keeps what an email says from now on; `before`: what it said, kept too where it is from before versions were. */
export async function keepVersion(
  scope: TransactionScope,
  email: VersionOf,
  before: (VersionOf & { updated_at: Date }) | null,
): Promise<void> {
  if (before && isDeepStrictEqual(saidBy(before), saidBy(email))) return
  if (before && !(await hasVersions(scope, email.id)))
    await insertVersion(scope, { ...saidBy(before), ...named(before.id), saved_at: before.updated_at, member_id: null })
  await insertVersion(scope, { ...saidBy(email), ...named(email.id), saved_at: scope.now, member_id: scope.memberId })
  await deleteOldVersions(scope, email.id, KEPT_VERSIONS)
}

const named = (emailId: string) => ({ id: newId(), email_id: emailId })
const saidBy = ({ variants, ...email }: VersionOf) => ({
  ...said(email),
  variants: variants.map((variant) => ({ ...said(variant), language: variant.language })),
})
const said = ({ subject, preheader, content, design, plain_text }: LanguageContent): LanguageContent => ({
  subject,
  preheader,
  content,
  design,
  plain_text,
})
