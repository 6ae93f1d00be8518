import fs from 'node:fs'
import path from 'node:path'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** A folder for each merchant, so that it can be erased as a whole. */
export const folderOf = ({ context, merchantId }: MerchantScope): string =>
  path.join(context.settings.dataDir, 'imports', merchantId)
export const fileOf = (scope: MerchantScope, importId: string): string => path.join(folderOf(scope), `${importId}.csv`)

/** Succeeds also if there is no file. */
export const removeFile = (scope: MerchantScope, importId: string): Promise<void> =>
  fs.promises.rm(fileOf(scope, importId), { force: true })
