import { readConfig } from './app/config.ts'
import { startProcess } from './app/process.ts'
import { prepareDemo } from './features/demo/index.ts'
import { StartupError } from './kernel/errors.ts'

// One program, roles api and worker (both by default). Started by scripts/start.mjs, or by itself for one more worker.
try {
  const config = readConfig(process.env)
  const okaeri = await startProcess(config)
  const demo = config.sandbox && config.roles.api ? await prepareDemo(okaeri.context, config.demoPassword) : null
  process.send?.({ ready: true, databaseUrl: okaeri.databaseUrl, publicUrl: config.publicUrl, demo })
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
