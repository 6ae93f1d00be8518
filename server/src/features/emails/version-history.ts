import type { Email } from '@okaeri/contract/emails/email'
import type { EmailVersion, EmailVersionSummary } from '@okaeri/contract/emails/version'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { changeEmail, getEmail } from './email.ts'
import { typedOf } from './variant.ts'
import { findVersion, selectVersions, type VersionSummaryRow } from './version-queries.ts'

export async function listVersions(scope: MerchantScope, emailId: string): Promise<EmailVersionSummary[]> {
  await getEmail(scope, emailId)
  return (await selectVersions(scope, emailId)).map((row, at) => present(row, at === 0))
}

const present = (row: VersionSummaryRow, isCurrent: boolean): EmailVersionSummary => ({
  id: row.id,
  saved_at: row.saved_at.toISOString(),
  saved_by: row.saved_by,
  subject: row.subject,
  type: row.is_visual ? 'VISUAL' : 'HTML',
  is_current: isCurrent,
})

export async function getVersion(scope: MerchantScope, emailId: string, id: string): Promise<EmailVersion> {
  await getEmail(scope, emailId)
  const row = await findVersion(scope, emailId, id)
  if (!row) throw notFound('there is no such version')
  const { preheader, content, design, plain_text } = row
  const variants = row.variants?.map(typedOf) ?? null
  const said = { preheader, content, design, plain_text, variants }
  return { ...present({ ...row, is_visual: design !== null }, row.is_newest), ...said }
}

/** Through the same checks as any save. A design is compiled again: its products are those of today. */
export async function restoreVersion(scope: MerchantScope, emailId: string, id: string): Promise<Email> {
  const { subject, preheader, content, design, plain_text, variants } = await getVersion(scope, emailId, id)
  // If a version does not contain variants, the current ones stay.
  const said = { subject, preheader, plain_text, ...(variants && { variants }) }
  return changeEmail(scope, emailId, { ...said, ...(design ? { design } : { design: null, content }) })
}
