import fs from 'node:fs'
import { IMPORT_KEPT_DAYS } from '@okaeri/contract/imports/import'
import { ifAbsent } from '../../kernel/absent.ts'
import { recurring } from '../../kernel/work/due-merchants.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { PersonalFiles } from '../../kernel/personal-data.ts'
import { oldImports } from './due-queries.ts'
import { folderOf, removeFile } from './files.ts'
import { deleteImportRow, selectOldImports, selectWaitingImports } from './queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FORGOTTEN_A_TURN = 50

/** Imports, their refused rows and their files are deleted after thirty days. */
export const forgetImports = recurring({
  name: 'forget old imports',
  everyMs: HOUR_MS,
  due: oldImports,
  async turn(scope) {
    const before = new Date(scope.now.getTime() - IMPORT_KEPT_DAYS * DAY_MS)
    const ids = await selectOldImports(scope, before, FORGOTTEN_A_TURN)
    for (const id of ids) {
      await scope.transaction((scope) => deleteImportRow(scope, id))
      await removeFile(scope, id)
    }
    return ids.length > 0
  },
})

/** Files waiting to be imported. Without reading them it is unknown whom they name, so they are deleted completely. */
export const importFiles: PersonalFiles = {
  files: 'imports',
  async forget(scope) {
    const waiting = await selectWaitingImports(scope)
    for (const id of waiting) await removeFile(scope, id)
    return waiting.length
  },
  async erase(scope: MerchantScope) {
    const folder = folderOf(scope)
    const files = await fs.promises.readdir(folder).catch(ifAbsent([]))
    await fs.promises.rm(folder, { recursive: true, force: true })
    return files.length
  },
}
