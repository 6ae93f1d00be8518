import type { StoredFile } from '../../integrations/storage/storage.ts'
import { recurring } from '../../kernel/work/due-merchants.ts'
import { AppError } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/work/schedule.ts'
import { dueMedia, dueSweeps } from './due-queries.ts'
import { idInKey, incomingPrefix, picturePrefix } from './files.ts'
import {
  type LookRow,
  markDeleted,
  markFilesThere,
  selectForSweep,
  selectLooks,
  updateLook,
  updateSweep,
} from './queries.ts'
import { removeDeleted } from './removal.ts'
import { finishUpload } from './upload.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** What was never sent, or never finished, goes after so long. */
const PENDING_KEPT_MS = DAY_MS
/** A file that no row names may be of a database that is about to be put back. */
const ORPHAN_KEPT_MS = 7 * DAY_MS
const LOOKED_AT_A_TURN = 20

export const mediaWork: readonly Recurring[] = [
  recurring({
    name: 'finish and remove pictures',
    everyMs: 60_000,
    due: dueMedia,
    async turn(scope) {
      const rows = await selectLooks(scope, LOOKED_AT_A_TURN)
      for (const row of rows) await look(scope, row)
      return rows.length > 0
    },
  }),
  recurring({ name: 'compare pictures with their files', everyMs: HOUR_MS, due: dueSweeps, turn: sweep }),
]

/** A file was uploaded and never confirmed (by an API client, or because the process died): a worker finishes it. */
async function look(scope: MerchantScope, { id, state, created_at }: LookRow): Promise<void> {
  const ageMs = scope.now.getTime() - created_at.getTime()
  if (state === 'pending' && ageMs < PENDING_KEPT_MS) {
    // Put off first: one that fails does not hold up the others.
    await updateLook(scope, id, new Date(scope.now.getTime() + Math.min(2 * ageMs, HOUR_MS)))
    try {
      await finishUpload(scope, id)
    } catch (error) {
      // Nothing came yet, or it cannot be used and is deleted.
      if (!(error instanceof AppError)) throw error
    }
    return
  }
  await markDeleted(scope, id)
  await removeDeleted(scope, id)
}

/** No file without a row stays forever, and no row without its file is shown as ready. */
async function sweep(scope: MerchantScope): Promise<boolean> {
  const { context } = scope
  // The database may be older than the files.
  if (await context.ports.sendingHold(scope)) {
    await updateSweep(scope, new Date(scope.now.getTime() + HOUR_MS))
    return true
  }
  // Rows first: what is made meanwhile is too young to be taken for an orphan.
  const rows = await selectForSweep(scope)
  const known = new Map(rows.map((row) => [row.id, row]))
  const now = context.clock.realNow().getTime()
  const orphans: string[] = []
  const whole = new Set<string>()
  const isOld = ({ storedAt }: StoredFile, keptMs: number): boolean => now - storedAt.getTime() > keptMs
  const pictures = picturePrefix(scope)
  for await (const file of context.integrations.storage.list(pictures)) {
    const id = idInKey(pictures, file.key)
    const isCopy = /\/(full|mail|line|small)$/.test(file.key)
    if (isCopy && known.has(id)) {
      if (file.key.endsWith('/full')) whole.add(id)
    } else if (isOld(file, isCopy ? ORPHAN_KEPT_MS : DAY_MS)) orphans.push(file.key)
  }
  const incoming = incomingPrefix(scope)
  for await (const file of context.integrations.storage.list(incoming))
    if (known.get(idInKey(incoming, file.key))?.state !== 'pending' && isOld(file, DAY_MS)) orphans.push(file.key)
  await context.integrations.storage.delete(orphans)
  const lost = rows.filter(({ id, state }) => state === 'ready' && !whole.has(id)).map(({ id }) => id)
  const found = rows.filter(({ id, state }) => state === 'missing' && whole.has(id)).map(({ id }) => id)
  await markFilesThere(scope, lost, 'missing')
  await markFilesThere(scope, found, 'ready')
  if (lost.length > 0)
    context.log.error({ merchantId: scope.merchantId, pictures: lost.length }, 'files of pictures are missing')
  await updateSweep(scope, new Date(scope.now.getTime() + DAY_MS))
  return true
}
