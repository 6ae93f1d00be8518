import type { Page } from '@okaeri/contract/paging'
import type { PrivacyRequest } from '@okaeri/contract/privacy/routes'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  type PersonalFiles,
  type PersonalDataEntry,
  type NoPersonalData,
  markHash,
} from '../../kernel/personal-data.ts'
import { emailKeyOf, getCustomerView } from '../customers/index.ts'
import { insertRequest, type RequestRow, selectRequest, selectRequests } from './queries.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** Every table with its personal data, or why it has none, in the order of erasure. And the files. */
    personalDataInventory(): {
      tables: readonly (PersonalDataEntry | NoPersonalData)[]
      files: readonly PersonalFiles[]
    }
  }
}

/** The person, as the request names them. */
export interface RequestedPerson {
  /** Our id. */
  customerId: string | null
  storeCustomerId: number | null
  email: string | null
  phone: string | null
  storeOrderIds: readonly number[]
}

/** The platform gives 30 days. */
const ANSWER_WITHIN_MS = 30 * 86_400_000

export const seal = (scope: MerchantScope, value: unknown): string =>
  scope.context.keyring.encrypt(JSON.stringify(value))
export const unseal = (scope: MerchantScope, sealed: string): unknown =>
  JSON.parse(scope.context.keyring.decrypt(sealed))

const hashOf = (scope: MerchantScope, asked: RequestedPerson): string | null => {
  if (asked.storeCustomerId !== null) return markHash(scope, 'store', String(asked.storeCustomerId))
  if (asked.customerId !== null) return markHash(scope, 'customer', asked.customerId)
  const address = emailKeyOf(asked.email)
  return address === null ? null : markHash(scope, 'address', address)
}

/** Returns false for a repetition. */
export const askedByStore = (
  scope: MerchantScope,
  request: { kind: RequestRow['kind']; eventKey: string; asked: RequestedPerson | null },
): Promise<boolean> =>
  insertRequest(scope, {
    id: newId(),
    kind: request.kind,
    source: 'store',
    eventKey: request.eventKey,
    personHash: request.asked && hashOf(scope, request.asked),
    sealed: request.asked && seal(scope, request.asked),
    dueAt: new Date(scope.now.getTime() + ANSWER_WITHIN_MS),
  })

/** An erasure requested by a member; the same happens as for the platform. */
export async function eraseCustomer(scope: MerchantScope, customerId: string): Promise<PrivacyRequest> {
  const { store_customer_id: number } = await getCustomerView(scope, customerId)
  const asked: RequestedPerson = {
    customerId,
    storeCustomerId: number === null ? null : Number(number),
    email: null,
    phone: null,
    storeOrderIds: [],
  }
  const id = newId()
  await insertRequest(scope, {
    id,
    kind: 'customer_redact',
    source: 'member',
    eventKey: id,
    personHash: hashOf(scope, asked),
    sealed: seal(scope, asked),
    dueAt: new Date(scope.now.getTime() + ANSWER_WITHIN_MS),
  })
  const row = await selectRequest(scope, id)
  if (!row) throw new Error('the request was stored a moment ago')
  return present(scope, row)
}

export async function listRequests(
  scope: MerchantScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<PrivacyRequest>> {
  const { rows, total } = await selectRequests(scope, { limit, offset })
  return { data: rows.map((row) => present(scope, row)), limit, offset, total }
}

const SHOWN_OF_HASH = 6

function present(scope: MerchantScope, row: RequestRow): PrivacyRequest {
  // The customer first, as in the file.
  const titles = scope.context.ports
    .personalDataInventory()
    .tables.toReversed()
    .flatMap((entry) =>
      'title' in entry && !entry.isBookkeeping ? [{ table: entry.table as string, ...entry.title }] : [],
    )
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null
  return {
    id: row.id,
    kind: row.kind,
    source: row.source,
    status: row.status,
    person: row.person_hash?.slice(0, SHOWN_OF_HASH) ?? null,
    customer:
      row.customer_id === null || row.customer_name === null ? null : { id: row.customer_id, name: row.customer_name },
    received_at: row.received_at.toISOString(),
    due_at: row.due_at.toISOString(),
    done_at: iso(row.done_at),
    skip_reason: row.skip_reason,
    outcome: [...titles, FILES].flatMap(({ table, ja, en }) => {
      const rows = row.outcome[table] ?? 0
      return rows > 0 ? [{ ja, en, rows }] : []
    }),
    file:
      row.size_bytes === null || row.expires_at === null
        ? null
        : { size_bytes: row.size_bytes, expires_at: row.expires_at.toISOString() },
    attempts: row.attempts,
  }
}
const FILES = { table: 'files', ja: 'ファイル', en: 'Files' }
