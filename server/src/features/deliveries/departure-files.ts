import fs from 'node:fs'
import path from 'node:path'
import { ifAbsent } from '../../kernel/absent.ts'
import type { FilesHeld } from '../../kernel/personal-data.ts'

/** Files of departures name deliveries, for as long as a lease lasts; nobody is found by them, but a store's go with the store. */
export const departureFiles: FilesHeld = {
  files: 'departures',
  forget: () => Promise.resolve(0),
  async erase({ merchantId, context }) {
    const folder = path.join(context.settings.dataDir, 'departures')
    const files = await fs.promises.readdir(folder).catch(ifAbsent([]))
    const theirs = files.filter((name) => name.startsWith(`${merchantId}-`))
    for (const name of theirs) await fs.promises.rm(path.join(folder, name), { force: true })
    return theirs.length
  },
}
