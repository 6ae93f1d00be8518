import { type Config, readConfig } from './app/config.ts'
import { type OkaeriProcess, startProcess } from './app/process.ts'
import { type Demo, prepareDemo } from './features/demo/index.ts'
import { explainDatabase } from './kernel/database/database-reach.ts'
import { NotReadyError, StartupError } from './kernel/errors.ts'
import { createBackoff } from './kernel/work/backoff.ts'

const STOP_DEADLINE_MS = 15_000

// One program, roles api and worker (both by default). Started by scripts/start.mjs, or by itself for one more worker.
const stopping = new AbortController()
let running: OkaeriProcess | null = null
let drainMs = 0

async function stop(): Promise<void> {
  if (stopping.signal.aborted) return
  stopping.abort()
  // Whatever is under way is safe to leave at any moment; a stop that hangs (a database that went away) is cut short.
  setTimeout(() => process.exit(0), STOP_DEADLINE_MS + drainMs).unref()
  // What is only starting ends where its start does.
  await running?.stop()
  if (running) process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
// The parent is gone, and only the parent would stop us. It may have gone while we were starting.
process.on('disconnect', () => void stop())
if (process.send && !process.connected) void stop()

const tell = (message: object): void => void (process.connected && process.send?.(message))

async function begin(config: Config): Promise<{ okaeri: OkaeriProcess; demo: Demo | null }> {
  const okaeri = await startProcess(config, { onReachable: () => tell({ reachable: true }) })
  try {
    const demo = config.sandbox && config.roles.api ? await prepareDemo(okaeri.context, config.demoPassword) : null
    return { okaeri, demo }
  } catch (error) {
    await okaeri.stop()
    throw explainDatabase(error, okaeri.databaseUrl)
  }
}

/** Waits for a database that is only not ready yet; throws when a signal to stop comes meanwhile. */
async function beginWhenReady(config: Config): ReturnType<typeof begin> {
  const patience = createBackoff((line) => console.error(line))
  for (;;) {
    try {
      return await begin(config)
    } catch (error) {
      if (!(error instanceof NotReadyError)) throw error
      await patience(`${error.message}; trying again until it is there.`, stopping.signal)
    }
  }
}

try {
  const config = readConfig(process.env)
  drainMs = config.drainSeconds * 1000
  const { okaeri, demo } = await beginWhenReady(config)
  running = okaeri
  if (stopping.signal.aborted) {
    await okaeri.stop()
    process.exit(0)
  }
  const { databaseUrl, publicUrl } = config
  tell({ ready: true, databaseUrl, publicUrl, healthUrl: okaeri.healthUrl, demo })
} catch (error) {
  if (stopping.signal.aborted) process.exit(0)
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exit(1)
}
