import fs from 'node:fs'
import { fileOf, folderOf } from '../../src/features/data-import/files.ts'
import { createImport, startImport } from '../../src/features/data-import/import.ts'
import { newId } from '../../src/kernel/ids.ts'
import type { MerchantScope } from '../../src/kernel/merchant-scope.ts'

/** Of a file of customers in UTF-8, begun as if its columns had been looked at. Returns its id. */
export async function anImport(scope: MerchantScope, lines: readonly string[]): Promise<string> {
  const id = newId()
  const text = [...lines, ''].join('\r\n')
  fs.mkdirSync(folderOf(scope), { recursive: true })
  fs.writeFileSync(fileOf(scope, id), text)
  await createImport(scope, {
    id,
    app: 'customers',
    fileName: 'x.csv',
    sizeBytes: Buffer.byteLength(text),
    wideEncoding: null,
    firstForeignByte: 0,
  })
  await startImport(scope, id)
  return id
}
