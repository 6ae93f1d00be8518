import { pictureCopies } from '@okaeri/contract/media/media'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { incomingKey, pictureKey } from './files.ts'
import { deleteMediaRow } from './queries.ts'

/** Its files, then its row: cut off in between, it is done again by a worker. */
export async function removeDeleted(scope: MerchantScope, id: string): Promise<void> {
  await scope.context.integrations.storage.delete([
    incomingKey(scope, id),
    ...pictureCopies.map((copy) => pictureKey(scope, id, copy)),
  ])
  await scope.transaction((scope) => deleteMediaRow(scope, id))
}
