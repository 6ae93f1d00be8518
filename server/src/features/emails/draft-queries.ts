import type { Locale } from '@okaeri/contract/locale'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** What a draft is of. `language`: of an email's variant in it; null and absent: of its base. */
export interface DraftOf {
  kind: 'email' | 'component'
  id: string
  language?: Locale | null
}
export interface DraftRow {
  fields: Record<string, string>
  saved_at: Date
  began_at: Date
}

const table = ({ kind, language }: Pick<DraftOf, 'kind' | 'language'>): RawBuilder<unknown> => {
  if (kind === 'component') return sql`email_component_drafts`
  return language ? sql`email_variant_drafts` : sql`email_drafts`
}
const ofVariant = ({ language }: DraftOf): RawBuilder<unknown> => (language ? sql`and language = ${language}` : sql``)
const id = ({ kind }: Pick<DraftOf, 'kind'>): RawBuilder<unknown> =>
  kind === 'email' ? sql`email_id` : sql`component_id`

export async function findDraft(
  scope: MerchantScope,
  of: DraftOf,
  { memberId, since }: { memberId: string; since: Date },
): Promise<DraftRow | null> {
  const { rows } = await sql<DraftRow>`select fields, saved_at, began_at from ${table(of)}
    where merchant_id = ${scope.merchantId} and ${id(of)} = ${of.id} and member_id = ${memberId} ${ofVariant(of)}
      and saved_at > ${since}`.execute(scope.db)
  return rows[0] ?? null
}

/** What one tab says of the draft it keeps. */
export interface Tab {
  /** Null: does not say. */
  writer: string | null
  /** When what it knows of another tab was kept; null: it knows of none. */
  seenAt: Date | null
  takesOver: boolean
}

/**
 * Returns false where another tab stored something that this one has not seen: then nothing changes. One statement, so that if two tabs store
 * at once, one gets false.
 */
export async function upsertDraft(
  scope: MerchantScope,
  of: DraftOf,
  draft: { memberId: string; fields: Record<string, string>; beganAt: Date; since: Date; tab: Tab },
): Promise<boolean> {
  const { writer, seenAt, takesOver } = draft.tab
  const [column, value] = of.language ? [sql`, language`, sql`, ${of.language}`] : [sql``, sql``]
  const { rows } = await sql`
    insert into ${table(of)} as d (merchant_id, ${id(of)}, member_id, saved_at, began_at, fields, writer${column})
    values (${scope.merchantId}, ${of.id}, ${draft.memberId}, ${scope.now}, ${draft.beganAt}, ${JSON.stringify(draft.fields)}::jsonb,
      ${writer}${value})
    on conflict (merchant_id, ${id(of)}, member_id${column})
    do update set saved_at = excluded.saved_at, began_at = excluded.began_at, fields = excluded.fields, writer = excluded.writer
    where ${takesOver} or ${writer}::text is null or d.writer is null or d.writer = ${writer}
      or d.saved_at = ${seenAt} or d.saved_at <= ${draft.since}
    returning 1`.execute(scope.db)
  return rows.length > 0
}

/** `writer`: only if it is that tab's, or what that one saw; null: any tab's. */
export async function deleteDraft(
  scope: MerchantScope,
  of: DraftOf,
  { memberId, writer, seenAt }: { memberId: string } & Pick<Tab, 'writer' | 'seenAt'>,
): Promise<void> {
  await sql`delete from ${table(of)}
    where merchant_id = ${scope.merchantId} and ${id(of)} = ${of.id} and member_id = ${memberId} ${ofVariant(of)}
      and (${writer}::text is null or writer is null or writer = ${writer} or saved_at = ${seenAt})`.execute(scope.db)
}

/** A member's from before this time. */
export async function deleteOldDrafts(
  scope: MerchantScope,
  of: Pick<DraftOf, 'kind' | 'language'>,
  { memberId, before }: { memberId: string; before: Date },
): Promise<void> {
  await sql`delete from ${table(of)}
    where merchant_id = ${scope.merchantId} and member_id = ${memberId} and saved_at <= ${before}`.execute(scope.db)
}
