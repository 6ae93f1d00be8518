import type { RowReason } from '@okaeri/contract/imports/import'
import { copyIn } from '../../kernel/database/copy-in.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { changeConsents, firstConsents, recognizeErased } from '../consent/index.ts'
import { findImported, importCustomers, type ImportedRows, importedRows } from '../customers/index.ts'
import { setCustomerMetafields } from '../metafields/index.ts'
import { addRestockRequests } from '../restocks/index.ts'
import { addPoints, type ImportRow } from './queries.ts'
import type { ImportedRow } from './rows.ts'

export interface GoodRow extends ImportedRow {
  line: number
  cells: readonly string[]
}
export interface BatchResult {
  created: number
  changed: number
  unchanged: number
  refused: { row: GoodRow; reason: RowReason }[]
  customerIds: string[]
  /** Writes the new customers, last of all: meanwhile the next rows are read. */
  insert: (handedOver: () => void) => Promise<void>
}
interface Rules {
  /** Ids of metafield settings by `namespace.key`. */
  settings: ReadonlyMap<string, string>
  /** Does not mark customers dirty; the end of the import publishes `customers.changed_widely`. */
  silent: boolean
}

const nothingMore = { insert: () => Promise.resolve() }

/** Collects the good rows of a batch. */
export interface GoodRows {
  readonly list: readonly GoodRow[]
  readonly encoded: ImportedRows
  add(row: GoodRow): void
}
/** `mostAreNew`: a guess from the previous batch, which only makes it faster. */
export function goodRows(scope: MerchantScope, { app, options }: ImportRow, how: { mostAreNew: boolean }): GoodRows {
  const list: GoodRow[] = []
  const encoded = importedRows(scope, importOptionsOf(options), how)
  return {
    list,
    encoded,
    add(row) {
      list.push(row)
      if (app === 'customers') encoded.add(row.person, flagsOf(row))
    },
  }
}
const importOptionsOf = ({ create_unknown, known_values }: ImportRow['options']) => ({
  createUnknown: create_unknown,
  knownValues: known_values,
})
const flagsOf = ({ marketing, notification }: GoodRow) => ({
  marketing: marketing ?? ('unknown' as const),
  notification: notification ?? ('unknown' as const),
})

/** Writes the good rows of a batch, in the batch's transaction. */
export async function upsertBatch(
  scope: TransactionScope,
  row: ImportRow,
  good: GoodRows,
  rules: Rules,
): Promise<BatchResult> {
  const { list: rows, encoded } = good
  switch (row.app) {
    case 'customers':
      return upsertCustomerRows(scope, row, { rows: await withoutForgotten(scope, rows), encoded }, rules)
    case 'points':
      return insertPointRows(scope, row, rows)
    case 'restock':
      return insertRestockRows(scope, rows)
  }
}

/** Consent in a file of people who were erased at their request is assumed to be from before. */
async function withoutForgotten(scope: MerchantScope, rows: readonly GoodRow[]): Promise<readonly GoodRow[]> {
  const erased = await recognizeErased(
    scope,
    rows.flatMap(({ person }) => person.emailKey ?? []),
  )
  if (erased.size === 0) return rows
  return rows.map((row) =>
    erased.has(row.person.emailKey ?? '')
      ? {
          ...row,
          marketing: row.marketing === 'granted' ? null : row.marketing,
          notification: row.notification === 'granted' ? null : row.notification,
        }
      : row,
  )
}

type ConsentWord = 'granted' | 'withdrawn'
const kinds = ['marketing', 'notification'] as const

async function upsertCustomerRows(
  scope: TransactionScope,
  row: ImportRow,
  { rows, encoded }: { rows: readonly GoodRow[]; encoded: ImportedRows },
  { settings, silent }: Rules,
): Promise<BatchResult> {
  const { outcomes, created: copies } = await importCustomers(
    scope,
    rows.map((one) => ({ person: one.person, flags: flagsOf(one) })),
    encoded,
    importOptionsOf(row.options),
  )
  const taken: Omit<BatchResult, 'insert'> = { created: 0, changed: 0, unchanged: 0, refused: [], customerIds: [] }
  const created = new Set<string>()
  const changed = new Set<string>()
  const consents = {
    marketing: new Map<string, ConsentWord>(),
    notification: new Map<string, ConsentWord>(),
  }
  const metafields = new Map<number, Map<string, string>>()
  rows.forEach((one, index) => {
    const found = outcomes[index]
    if (!found) {
      taken.refused.push({ row: one, reason: 'unknown_customer' })
      return
    }
    if (found.outcome === 'created') created.add(found.customerId)
    else if (found.outcome === 'changed') changed.add(found.customerId)
    for (const kind of kinds) {
      const word = one[kind]
      // If two rows about one customer contradict each other, the opt-out wins, whichever came first.
      if (word && consents[kind].get(found.customerId) !== 'withdrawn') consents[kind].set(found.customerId, word)
    }
    for (const [column, value] of one.metafields) {
      const values = metafields.get(column) ?? new Map<string, string>()
      const other = values.get(found.customerId)
      if (other === undefined || value > other) values.set(found.customerId, value)
      metafields.set(column, values)
    }
  })
  const ledger = firstConsents(scope)
  const first: number[] = []
  for (const customerId of await writeConsents(scope, row, consents, (consent) => {
    if (!created.has(consent.customerId)) return false
    first.push(ledger.add({ ...consent, source: 'import', occurredAt: scope.now }))
    return true
  }))
    changed.add(customerId)
  for (const found of outcomes) {
    if (!found) continue
    if (found.outcome === 'created') taken.created += 1
    else if (changed.has(found.customerId)) taken.changed += 1
    else taken.unchanged += 1
  }
  return {
    ...taken,
    customerIds: [...new Set([...created, ...changed])],
    async insert(handedOver) {
      await copyIn(scope, [...copies, ledger.copy(first)], handedOver)
      ledger.release()
      for (const [column, values] of metafields) {
        const settingId = settings.get(row.columns[column]?.metafield ?? '')
        if (settingId)
          await setCustomerMetafields(
            scope,
            settingId,
            [...values].map(([customerId, value]) => ({ customerId, value })),
            { silent, learned: true },
          )
      }
    },
  }
}

/**
 * Returns which known customers changed. New customers have their flags already: `recordFirst` writes their first rows of the ledger, and
 * answers false for known ones.
 */
async function writeConsents(
  scope: TransactionScope,
  row: ImportRow,
  consents: Record<(typeof kinds)[number], ReadonlyMap<string, ConsentWord>>,
  recordFirst: (consent: {
    customerId: string
    kind: (typeof kinds)[number]
    to: ConsentWord
    wording: string | null
    page: string
  }) => boolean,
): Promise<string[]> {
  const changed: string[] = []
  for (const kind of kinds) {
    const words = [...consents[kind]]
    if (words.length === 0) continue
    const header = row.columns.find(({ field }) => field === `${kind}_consent`)?.header ?? ''
    const proof = { wording: header.slice(0, 200), page: `CSV: ${row.file_name}` }
    const known = words.filter(
      ([customerId, to]) => !recordFirst({ customerId, kind, to, page: proof.page, wording: proof.wording || null }),
    )
    changed.push(
      ...(await changeConsents(
        scope,
        known.map(([customerId, to]) => ({ customerId, to })),
        { kind, source: 'import', ...proof },
      )),
    )
  }
  return changed
}

/** Stored and added up; they are written after the last row. */
async function insertPointRows(scope: MerchantScope, row: ImportRow, rows: readonly GoodRow[]): Promise<BatchResult> {
  const found = await findImported(
    scope,
    rows.map(({ person }) => person),
  )
  const refused = rows.flatMap((one, index) =>
    found[index] ? [] : [{ row: one, reason: 'unknown_customer' as const }],
  )
  const points = rows.flatMap(({ points, pointsExpireOn }, index) => {
    const customerId = found[index]
    return customerId ? [{ customerId, points, expiresOn: pointsExpireOn }] : []
  })
  if (points.length > 0) await addPoints(scope, row.id, points)
  return { created: 0, changed: 0, unchanged: 0, refused, customerIds: [], ...nothingMore }
}

async function insertRestockRows(scope: MerchantScope, rows: readonly GoodRow[]): Promise<BatchResult> {
  const found = await findImported(
    scope,
    rows.map(({ person }) => person),
  )
  const created = await addRestockRequests(
    scope,
    rows.map(({ person, productId, variantId, status, requestedAt, notifiedAt }, index) => ({
      customerId: found[index] ?? null,
      email: person.email,
      storeProductId: productId,
      storeVariantId: variantId,
      channel: 'email',
      status: status ?? (notifiedAt ? 'sent' : 'active'),
      source: 'import',
      createdAt: requestedAt,
      sentAt: notifiedAt,
    })),
  )
  return { created, changed: 0, unchanged: rows.length - created, refused: [], customerIds: [], ...nothingMore }
}
