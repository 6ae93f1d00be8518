import type { ConsentState } from '@okaeri/contract/customers/customer'
import { idsOneByOne } from '../../../kernel/ids.ts'
import type { Copy } from '../../../kernel/database/copying-client.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { type NewCustomer, type NewCustomerRows, newCustomerRows } from '../bulk-queries.ts'
import { type ImportTarget, type ImportWrite, lockImporting, selectTargets, updateImported } from './import-queries.ts'
import { type ImportedPerson, type KnownPerson, mergeImported } from './imported-person.ts'
import { displayNameOf, oneLineAddress } from '../derived-fields.ts'
import { indexTexts } from '../list/search-queries.ts'
import { searchTextOf } from '../list/search-text.ts'

/** The first flags of a new customer; the consent feature decides them and records why. */
export interface FirstFlags {
  marketing: ConsentState
  notification: ConsentState
}
/** One of the customers was written between our read and our write. Nothing is written, and the batch may be tried again. */
export class ImportRaced extends Error {
  override readonly name = 'ImportRaced'
}
export interface ImportedOutcome {
  customerId: string
  outcome: 'created' | 'changed' | 'unchanged'
}

interface Draft {
  id: string
  email: string | null
  emailKey: string | null
  known: KnownPerson
  original: KnownPerson
  version: string | null
  flags: FirstFlags
  /** The row encoded in advance, if it was. */
  ahead: AheadRow | null
}
type NewDraft = Pick<Draft, 'id' | 'email' | 'emailKey' | 'known' | 'flags'>

export interface ImportOptions {
  createUnknown: boolean
  knownValues: 'keep' | 'replace'
}

interface AheadRow {
  row: number
  draft: NewDraft
}

/**
 * Rows of a file to be written. Probably new customers are encoded when they are read, while the database still writes earlier ones; whether
 * they are new is checked when the batch is written.
 */
export interface ImportedRows {
  /** The next row of the batch. */
  add(person: ImportedPerson, flags: FirstFlags): void
  /** The encoded row at this position of the batch. */
  ahead(position: number): AheadRow | null
  encode(draft: NewDraft): number
  copies: NewCustomerRows['copies']
  /** The rows are written. */
  release(): void
}

export function importedRows(
  scope: MerchantScope,
  { createUnknown, knownValues }: ImportOptions,
  { mostAreNew }: { mostAreNew: boolean },
): ImportedRows {
  const rows = newCustomerRows(scope)
  const ahead: (AheadRow | null)[] = []
  const nextId = idsOneByOne(IDS_AT_ONCE)
  const encode = (draft: NewDraft): number => rows.add(newCustomerOf(scope, draft))
  return {
    add(person, flags) {
      if (!mostAreNew || !createUnknown || person.emailKey === null) return void ahead.push(null)
      const draft: NewDraft = {
        ...newDraft(nextId(), person.emailKey),
        known: mergeImported(emptyPerson, person, knownValues),
        flags: strongest(noFlags, flags),
      }
      ahead.push({ row: encode(draft), draft })
    },
    ahead: (position) => ahead[position] ?? null,
    encode,
    copies: rows.copies,
    release: rows.release,
  }
}
const IDS_AT_ONCE = 100

/**
 * Writes rows of an import, thousands in a few statements: a customer is found by the store's number, then by the address (the oldest
 * customer with it), else created here if `createUnknown`. An import never changes a number or an address. Returns one outcome for each row,
 * null for rows without a customer, and the new customers' rows, which the caller writes in the same transaction. Consent of known customers
 * is written by the consent feature. `encoded` has the same rows in the same order.
 */
export function importCustomers(
  scope: MerchantScope,
  rows: readonly { person: ImportedPerson; flags: FirstFlags }[],
  encoded: ImportedRows,
  options: ImportOptions,
): Promise<{ outcomes: (ImportedOutcome | null)[]; created: Copy[] }> {
  if (rows.length === 0) return Promise.resolve({ outcomes: [], created: [] })
  return scope.transaction(async (scope) => {
    await lockImporting(scope)
    const targets = await selectTargets(scope, {
      storeIds: [...new Set(rows.flatMap(({ person }) => person.storeId ?? []))],
      emailKeys: [...new Set(rows.flatMap(({ person }) => person.emailKey ?? []))],
    })
    const byNumber = new Map<number, Draft>()
    const byAddress = new Map<string, Draft>()
    const drafts: Draft[] = []
    for (const target of targets) {
      const draft = draftOf(target)
      drafts.push(draft)
      if (target.storeCustomerId !== null) byNumber.set(target.storeCustomerId, draft)
      // The oldest comes first.
      if (target.emailKey !== null && !byAddress.has(target.emailKey)) byAddress.set(target.emailKey, draft)
    }
    const nextId = idsOneByOne(IDS_AT_ONCE)
    const outcomes = rows.map(({ person, flags }, position): ImportedOutcome | null => {
      let draft =
        (person.storeId === null ? undefined : byNumber.get(person.storeId)) ??
        (person.emailKey === null ? undefined : byAddress.get(person.emailKey))
      const isNew = draft === undefined
      let merged: KnownPerson | null = null
      if (!draft) {
        if (!options.createUnknown || person.emailKey === null) return null
        const ahead = encoded.ahead(position)
        merged = ahead?.draft.known ?? null
        draft = { ...newDraft(ahead?.draft.id ?? nextId(), person.emailKey), ahead }
        drafts.push(draft)
        byAddress.set(person.emailKey, draft)
      }
      if (draft.version === null) draft.flags = strongest(draft.flags, flags)
      const before = draft.known
      draft.known = merged ?? mergeImported(draft.known, person, options.knownValues)
      const outcome = isNew ? 'created' : draft.known === before ? 'unchanged' : 'changed'
      return { customerId: draft.id, outcome }
    })
    const created = drafts.flatMap((draft) => (draft.version === null ? rowOf(encoded, draft) : []))
    await storeChanged(scope, drafts)
    return { outcomes, created: encoded.copies(created) }
  })
}

/** The row encoded in advance, unless a later row of the batch, or an erasure, changed that customer. */
function rowOf(encoded: ImportedRows, draft: Draft): number {
  const { ahead, known, flags } = draft
  const isSame =
    ahead &&
    ahead.draft.known === known &&
    ahead.draft.flags.marketing === flags.marketing &&
    ahead.draft.flags.notification === flags.notification
  return isSame ? ahead.row : encoded.encode(draft)
}

async function storeChanged(scope: TransactionScope, drafts: readonly Draft[]): Promise<void> {
  const changed = drafts.flatMap((draft) =>
    draft.version !== null && draft.known !== draft.original ? writeOf(draft, draft.version) : [],
  )
  if (changed.length === 0) return
  if ((await updateImported(scope, changed)) < changed.length) throw new ImportRaced()
  await indexTexts(
    scope,
    changed.map(({ id }) => id),
  )
}

function draftOf(target: ImportTarget): Draft {
  const { id, email, emailKey, storeCustomerId, imported, version, ...fields } = target
  const known: KnownPerson = { fields, marks: imported ?? {}, isOfStore: storeCustomerId !== null }
  return { id, email, emailKey, known, original: known, version, flags: noFlags, ahead: null }
}

const emptyPerson: KnownPerson = {
  fields: {
    firstName: null,
    lastName: null,
    phone: null,
    language: null,
    birthday: null,
    tags: [],
    address: null,
    provinceCode: null,
    note: null,
  },
  marks: {},
  isOfStore: false,
}
const noFlags: FirstFlags = { marketing: 'unknown', notification: 'unknown' }
const strength: Record<ConsentState, number> = { unknown: 0, pending: 1, granted: 2, withdrawn: 3 }
/** If rows about one customer contradict each other, the opt-out wins, in any order. */
const strongest = (a: FirstFlags, b: FirstFlags): FirstFlags => ({
  marketing: strength[a.marketing] >= strength[b.marketing] ? a.marketing : b.marketing,
  notification: strength[a.notification] >= strength[b.notification] ? a.notification : b.notification,
})
// The address in its compared form, however the first row wrote it.
const newDraft = (id: string, emailKey: string): Draft => ({
  id,
  email: emailKey,
  emailKey,
  known: emptyPerson,
  original: emptyPerson,
  version: null,
  flags: noFlags,
  ahead: null,
})

function writeOf({ id, email, emailKey, known: { fields, marks } }: Draft, version: string): ImportWrite {
  const person = { ...fields, email }
  return {
    ...person,
    id,
    emailKey,
    displayName: displayNameOf(person),
    lastAddress: oneLineAddress(fields.address),
    searchText: searchTextOf(person),
    imported: marks,
    version,
  }
}

function newCustomerOf({ now }: MerchantScope, { id, email, emailKey, known, flags }: NewDraft): NewCustomer {
  const person = { ...known.fields, email }
  return {
    ...person,
    id,
    storeCustomerId: null,
    emailKey,
    displayName: displayNameOf(person),
    lastAddress: oneLineAddress(person.address),
    tagsKnownAt: null,
    searchText: searchTextOf(person),
    imported: known.marks,
    storeUpdatedAt: null,
    createdAt: now,
    marketing: flags.marketing,
    marketingChangedAt: flags.marketing === 'unknown' ? null : now,
    notification: flags.notification,
    notificationChangedAt: flags.notification === 'unknown' ? null : now,
  }
}

/** The customers of rows of points or requests, by the same rule; none is created. */
export async function findImported(
  scope: MerchantScope,
  rows: readonly { storeId: number | null; emailKey: string | null }[],
): Promise<(string | null)[]> {
  return scope.transaction(async (scope) => {
    const targets = await selectTargets(scope, {
      storeIds: [...new Set(rows.flatMap(({ storeId }) => storeId ?? []))],
      emailKeys: [...new Set(rows.flatMap(({ emailKey }) => emailKey ?? []))],
    })
    const byNumber = new Map(targets.map(({ id, storeCustomerId }) => [storeCustomerId, id]))
    const byAddress = new Map<string, string>()
    for (const { id, emailKey } of targets)
      if (emailKey !== null && !byAddress.has(emailKey)) byAddress.set(emailKey, id)
    return rows.map(
      ({ storeId, emailKey }) =>
        (storeId === null ? undefined : byNumber.get(storeId)) ??
        (emailKey === null ? undefined : byAddress.get(emailKey)) ??
        null,
    )
  })
}
