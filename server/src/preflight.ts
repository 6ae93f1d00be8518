import path from 'node:path'
import { KEPT_IN_DATA_FOLDER, readConfig } from './app/config.ts'
import { openDataFolder } from './kernel/data-folder.ts'
import { isInUse, refuseIfInUse } from './kernel/database/embedded-postgres.ts'
import { StartupError } from './kernel/errors.ts'
import { readOrMakeSecrets } from './kernel/secrets-file.ts'

// Looked at by npm start before anything is built or started, so that the first sentence is about what was asked for.
try {
  const config = readConfig(process.env)
  openDataFolder(config.dataDir, KEPT_IN_DATA_FOLDER)
  readOrMakeSecrets(config.secretsFile)
  if (config.roles.api && !config.databaseUrl) await refuseIfInUse(path.join(config.dataDir, 'postgres'))
  if (config.roles.api && config.sandbox && (await isInUse(path.join(config.dataDir, 'sandbox'))))
    throw new StartupError(
      `The sandbox in the data folder ${config.dataDir} is in use by another Okaeri: stop that one, or set DATA_DIR to another folder.`,
    )
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exit(1)
}
