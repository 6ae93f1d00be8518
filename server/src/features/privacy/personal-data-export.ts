import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Locale } from '@okaeri/contract/locale'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { selectPersonalData, MAX_ROWS_EXPORTED, type Person } from '../../kernel/personal-data.ts'
import { getCustomerView } from '../customers/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { findPerson } from './person.ts'
import { findFile, insertFile } from './queries.ts'
import { renderFile, type PersonalDataExport } from './export-document.ts'

export async function exportPersonalData(scope: MerchantScope, person: Person): Promise<PersonalDataExport> {
  const { site_name: merchant, timezone } = await getMerchant(scope)
  const sections: PersonalDataExport['sections'] = []
  // The customer is erased last and exported first.
  for (const entry of scope.context.ports.personalDataInventory().tables.toReversed()) {
    if (!('about' in entry) || entry.isBookkeeping) continue
    const rows = await selectPersonalData(scope, entry, person)
    if (rows.length > 0)
      sections.push({ table: entry.table, title: entry.title, is_cut: rows.length >= MAX_ROWS_EXPORTED, rows })
  }
  return {
    format: 'okaeri-customer-data',
    version: 1,
    created_at: scope.now.toISOString(),
    timezone,
    merchant,
    sections,
  }
}

const deflate = promisify(gzip)
const inflate = promisify(gunzip)

/** Stores it encrypted until that time. */
export async function keepFile(
  scope: MerchantScope,
  id: string,
  data: PersonalDataExport,
  expiresAt: Date,
): Promise<void> {
  const json = Buffer.from(JSON.stringify(data))
  const sealed = scope.context.keyring.encrypt((await deflate(json)).toString('base64'))
  await insertFile(scope, { id, sealed, sizeBytes: json.length, expiresAt })
}

export interface FileAnswer {
  name: string
  mediaType: string
  text: string
}

/** The stored file of a request. Throws 404 if it does not exist. */
export async function readFile(
  scope: MerchantScope,
  id: string,
  how: { format: 'json' | 'html'; lang: Locale },
): Promise<FileAnswer> {
  const sealed = await findFile(scope, id)
  if (sealed === null) throw notFound('there is no file of this request, or it was deleted after 30 days')
  const json = await inflate(Buffer.from(scope.context.keyring.decrypt(sealed), 'base64'))
  return answer(JSON.parse(json.toString('utf8')) as PersonalDataExport, `data-request-${id.slice(-8)}`, how)
}

/** The same for a customer, from the present data. */
export async function exportCustomer(
  scope: MerchantScope,
  customerId: string,
  how: { format: 'json' | 'html'; lang: Locale },
): Promise<FileAnswer> {
  await getCustomerView(scope, customerId)
  const person = await findPerson(scope, {
    customerId,
    storeCustomerId: null,
    email: null,
    phone: null,
    storeOrderIds: [],
  })
  return answer(await exportPersonalData(scope, person), `customer-${customerId.slice(-8)}`, how)
}

const answer = (
  data: PersonalDataExport,
  name: string,
  { format, lang }: { format: 'json' | 'html'; lang: Locale },
): FileAnswer =>
  format === 'json'
    ? { name: `${name}.json`, mediaType: 'application/json; charset=utf-8', text: JSON.stringify(data, null, 2) }
    : { name: `${name}.html`, mediaType: 'text/html; charset=utf-8', text: renderFile(data, lang) }
