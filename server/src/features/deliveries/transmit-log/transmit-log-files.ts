import fs from 'node:fs'
import path from 'node:path'
import { ifAbsent } from '../../../kernel/absent.ts'
import type { PersonalFiles } from '../../../kernel/personal-data.ts'

/**
 * The journals of what left identify people by their ids, for 35 days; without the database no one can be found by them. A store's journals
 * are deleted with it.
 */
export const transmitLogFiles: PersonalFiles = {
  files: 'departures',
  forget: () => Promise.resolve(0),
  async erase({ merchantId, context }) {
    const folder = path.join(context.settings.dataDir, 'departures')
    const files = await fs.promises.readdir(folder).catch(ifAbsent([]))
    const theirs = files.filter((name) => name.startsWith(`${merchantId}.`))
    for (const name of theirs) await fs.promises.rm(path.join(folder, name), { force: true })
    return theirs.length
  },
}
