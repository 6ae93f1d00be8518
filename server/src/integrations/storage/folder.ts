import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ifAbsent, isAbsent } from '../../kernel/absent.ts'
import type { Storage, StoredFile } from './storage.ts'

/** No key is made of what people wrote; what could lead out of the folder is a mistake of ours. */
const KEY = /^[\w-]+(\/[\w-]+)+$/
const PREFIX = /^([\w-]+\/)+$/
/** A file that is still being written; the name of no key. */
const UNFINISHED = '.part'

/** Files in a folder, one for each key. */
export function folderStorage(folder: string): Storage {
  const placeOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error(`no key of ours: ${key}`)
    return path.join(folder, key)
  }
  async function* filesIn(place: string, prefix: string): AsyncIterable<StoredFile> {
    for (const entry of await fs.promises.readdir(place, { withFileTypes: true }).catch(ifAbsent([]))) {
      const at = path.join(place, entry.name)
      if (entry.isDirectory()) yield* filesIn(at, `${prefix}${entry.name}/`)
      else {
        // It may be deleted meanwhile.
        const stat = await fs.promises.stat(at).catch(ifAbsent(null))
        if (stat) yield { key: `${prefix}${entry.name}`, sizeBytes: stat.size, storedAt: stat.mtime }
      }
    }
  }
  return {
    async put(key, { content }) {
      const place = placeOf(key)
      const unfinished = `${place}.${randomUUID()}${UNFINISHED}`
      await fs.promises.mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
      try {
        await pipeline(content, fs.createWriteStream(unfinished, { mode: 0o600, flush: true }))
        await fs.promises.rename(unfinished, place)
      } catch (error) {
        await fs.promises.rm(unfinished, { force: true })
        throw error
      }
    },
    async get(key) {
      try {
        const handle = await fs.promises.open(placeOf(key))
        const { size } = await handle.stat()
        return { content: handle.createReadStream(), sizeBytes: size }
      } catch (error) {
        if (isAbsent(error)) return null
        throw error
      }
    },
    async delete(keys) {
      const folders = new Set<string>()
      for (const key of keys) {
        // What was cut off while it was written is listed too.
        const place = key.endsWith(UNFINISHED) ? path.join(folder, path.normalize(key)) : placeOf(key)
        await fs.promises.rm(place, { force: true })
        folders.add(path.dirname(place))
      }
      for (const emptied of folders)
        await fs.promises.rmdir(emptied).catch((error: NodeJS.ErrnoException) => {
          // Others are in it, or it is gone.
          if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code ?? '')) throw error
        })
    },
    list(prefix) {
      if (!PREFIX.test(prefix)) throw new Error(`no prefix of ours: ${prefix}`)
      return filesIn(path.join(folder, prefix), prefix)
    },
    presign: () => Promise.resolve(null),
    uploadOrigin: () => Promise.resolve(null),
    async ping() {
      await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 })
      await fs.promises.access(folder, fs.constants.W_OK)
    },
    close() {},
  }
}
