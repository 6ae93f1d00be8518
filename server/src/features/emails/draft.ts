import { isDeepStrictEqual } from 'node:util'
import type { UnsavedText } from '@okaeri/contract/emails/version'
import { DRAFT_DAYS } from '@okaeri/contract/emails/version'
import { languageNames } from '@okaeri/contract/locale'
import { conflict } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getComponent } from './component.ts'
import { listComponentContents } from './component-queries.ts'
import { listComponentsWithin } from './component-expansion.ts'
import { type DraftOf, deleteDraft, deleteOldDrafts, findDraft, type Tab, upsertDraft } from './draft-queries.ts'
import { getEmail } from './email.ts'

const keptSince = (now: Date): Date => new Date(now.getTime() - DRAFT_DAYS * 86_400_000)

function writerOf({ memberId }: MerchantScope): string {
  if (memberId === null) throw new Error('only a member types')
  return memberId
}

/** Throws where there is no such thing. */
const savedOf = (scope: MerchantScope, { kind, id }: DraftOf): Promise<{ updated_at: string }> =>
  kind === 'email' ? getEmail(scope, id) : getComponent(scope, id)

export async function getDraft(
  scope: MerchantScope,
  of: DraftOf,
): Promise<{ fields: Record<string, string>; saved_at: string; is_behind: boolean } | null> {
  const { updated_at } = await savedOf(scope, of)
  if (scope.memberId === null) return null
  const draft = await findDraft(scope, of, { memberId: scope.memberId, since: keptSince(scope.now) })
  if (!draft) return null
  return {
    fields: draft.fields,
    saved_at: draft.saved_at.toISOString(),
    is_behind: draft.began_at.getTime() < new Date(updated_at).getTime(),
  }
}

interface Typed {
  fields: { [field: string]: string | undefined }
  began_at: string
  writer: string | null
  seen_at: string | null
  takes_over: boolean
}

/** Throws `draft_of_another_tab` where another tab kept something this one does not know of. */
export async function keepDraft(scope: MerchantScope, of: DraftOf, typed: Typed): Promise<void> {
  const memberId = writerOf(scope)
  await savedOf(scope, of)
  const since = keptSince(scope.now)
  const tab: Tab = {
    writer: typed.writer,
    seenAt: typed.seen_at === null ? null : new Date(typed.seen_at),
    takesOver: typed.takes_over,
  }
  const fields = Object.fromEntries(
    Object.entries(typed.fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const isKept = await upsertDraft(scope, of, { memberId, fields, beganAt: new Date(typed.began_at), since, tab })
  if (!isKept) throw conflict('draft_of_another_tab', 'another tab of the same member is typing, too')
  await deleteOldDrafts(scope, of, { memberId, before: since })
}

/** `writer`: only what that tab kept, or what was kept at `seen_at`. */
export async function forgetDraft(
  scope: MerchantScope,
  of: DraftOf,
  { writer, seen_at }: { writer?: string | undefined; seen_at?: string | undefined },
): Promise<void> {
  await savedOf(scope, of)
  const seenAt = seen_at === undefined ? null : new Date(seen_at)
  await deleteDraft(scope, of, { memberId: writerOf(scope), writer: writer ?? null, seenAt })
}

/** What the caller typed and did not save, into the email or into what stands in it: none of that is sent. */
export async function listUnsaved(scope: MerchantScope, emailId: string): Promise<UnsavedText[]> {
  const { memberId } = scope
  if (memberId === null) return []
  const email = await getEmail(scope, emailId)
  const said = [{ ...email, language: null }, ...email.variants]
  const keys = await listComponentsWithin(scope, said.map(({ content }) => content).join('\n'))
  const components = keys.length === 0 ? [] : await listComponentContents(scope, keys)
  const texts = [
    ...said.map(({ language, subject, preheader, content, design, plain_text: text }) => ({
      kind: 'email' as const,
      id: emailId,
      language,
      name: language === null ? email.name : `${email.name} (${languageNames[language]})`,
      saved: { subject, preheader, plain_text: text ?? '', ...(design ? { design } : { content }) } as Record<
        string,
        unknown
      >,
    })),
    ...components.map(({ id, name, content: text }) => ({
      kind: 'component' as const,
      id,
      language: null,
      name,
      saved: { name, content: text } as Record<string, unknown>,
    })),
  ]
  const since = keptSince(scope.now)
  const unsaved: UnsavedText[] = []
  for (const { kind, id, language, name, saved } of texts) {
    const draft = await findDraft(scope, { kind, id, language }, { memberId, since })
    if (draft && isAnother(draft.fields, saved))
      unsaved.push({ kind, id, name, saved_at: draft.saved_at.toISOString() })
  }
  return unsaved
}

/** Whether the editor would offer it: of its fields, and another text than the saved one. */
function isAnother(fields: Record<string, string>, saved: Record<string, unknown>): boolean {
  const named = Object.entries(fields)
  return (
    named.every(([field]) => field in saved) &&
    named.some(([field, text]) => !isDeepStrictEqual(field === 'design' ? parsed(text) : text, saved[field]))
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not whole while it was typed: then it is another.
    return null
  }
}
