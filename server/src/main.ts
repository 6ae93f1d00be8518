import { readConfig } from './app/config.ts'
import { startProcess } from './app/process.ts'
import { prepareDemo } from './features/demo/index.ts'
import { StartupError } from './kernel/errors.ts'

const STOP_DEADLINE_MS = 15_000

// One program, roles api and worker (both by default). Started by scripts/start.mjs, or by itself for one more worker.
try {
  const config = readConfig(process.env)
  const okaeri = await startProcess(config)
  const demo = config.sandbox && config.roles.api ? await prepareDemo(okaeri.context, config.demoPassword) : null
  let stopping = false
  // Whatever is under way is safe to leave at any moment; a stop that hangs (a database that went away) is cut short.
  const cutShort = (): void => {
    setTimeout(() => process.exit(0), STOP_DEADLINE_MS + config.drainSeconds * 1000).unref()
  }
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    cutShort()
    await okaeri.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
  // The parent is gone: nobody else would stop us. It may have gone while we were starting.
  process.on('disconnect', () => void stop())
  if (process.send && !process.connected) void stop()
  else
    process.send?.({
      ready: true,
      databaseUrl: okaeri.databaseUrl,
      publicUrl: config.publicUrl,
      healthUrl: okaeri.healthUrl,
      demo,
    })
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exit(1)
}
