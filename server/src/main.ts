import { readConfig } from './app/config.ts'
import { startProcess } from './app/process.ts'
import { StartupError } from './kernel/errors.ts'

// One program, roles api and worker (both by default). Started by scripts/start.mjs, or by itself for one more worker.
try {
  const okaeri = await startProcess(readConfig(process.env))
  process.send?.({ ready: true, databaseUrl: okaeri.databaseUrl })
  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    await okaeri.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
  // The parent is gone: nobody else would stop us.
  process.on('disconnect', () => void stop())
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exit(1)
}
