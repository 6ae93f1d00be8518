import type { Design } from '@okaeri/contract/emails/design'
import type { Locale } from '@okaeri/contract/locale'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { withCompleted } from './queries.ts'
import type { LanguageContent } from './variant.ts'

export interface VersionRow {
  id: string
  saved_at: Date
  saved_by: string | null
  subject: string
  preheader: string
  content: string
  design: Design | null
  plain_text: string | null
  /** Null: it was saved by who knew of none. */
  variants: (LanguageContent & { language: Locale })[] | null
}
export type VersionSummaryRow = Pick<VersionRow, 'id' | 'saved_at' | 'saved_by' | 'subject'> & { is_visual: boolean }

const savedBy = (merchantId: string) => sql<string | null>`(
  select coalesce(nullif(m.name, ''), m.email) from members m where m.merchant_id = ${merchantId} and m.id = v.member_id)`

export async function insertVersion(
  scope: MerchantScope,
  version: Omit<VersionRow, 'saved_by'> & { email_id: string; member_id: string | null },
): Promise<void> {
  const { design, variants, ...columns } = version
  await scope.db
    .insertInto('email_versions')
    .values({
      ...columns,
      merchant_id: scope.merchantId,
      design: design === null ? null : JSON.stringify(design),
      variants: JSON.stringify(variants),
    })
    .execute()
}

export async function hasVersions(scope: MerchantScope, emailId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from email_versions
    where merchant_id = ${scope.merchantId} and email_id = ${emailId} limit 1`.execute(scope.db)
  return rows.length > 0
}

/** All but the newest. */
export async function deleteOldVersions(scope: MerchantScope, emailId: string, kept: number): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from email_versions
    where merchant_id = ${scope.merchantId} and email_id = ${emailId}
    order by saved_at desc, id desc offset ${kept}`.execute(scope.db)
  if (rows.length === 0) return
  await sql`delete from email_versions
    where merchant_id = ${scope.merchantId} and id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(scope.db)
}

export async function selectVersions(scope: MerchantScope, emailId: string): Promise<VersionSummaryRow[]> {
  const { rows } = await sql<VersionSummaryRow>`
    select v.id, v.saved_at, ${savedBy(scope.merchantId)} as saved_by, v.subject, v.design is not null as is_visual
    from email_versions v where v.merchant_id = ${scope.merchantId} and v.email_id = ${emailId}
    order by v.saved_at desc, v.id desc`.execute(scope.db)
  return rows
}

export async function findVersion(
  scope: MerchantScope,
  emailId: string,
  id: string,
): Promise<(VersionRow & { is_newest: boolean }) | null> {
  const { rows } = await sql<VersionRow & { is_newest: boolean }>`
    select v.id, v.saved_at, ${savedBy(scope.merchantId)} as saved_by, v.subject, v.preheader, v.content, v.design,
      v.plain_text, v.variants,
      not exists (select from email_versions n where n.merchant_id = ${scope.merchantId} and n.email_id = ${emailId}
        and (n.saved_at, n.id) > (v.saved_at, v.id)) as is_newest
    from email_versions v
    where v.merchant_id = ${scope.merchantId} and v.email_id = ${emailId} and v.id = ${id}`.execute(scope.db)
  const [row] = rows
  return row ? { ...withCompleted(row), variants: row.variants?.map(withCompleted) ?? null } : null
}
