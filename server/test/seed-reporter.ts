import type { Reporter } from 'vitest/node'

/** Says how to repeat a run whose cases were drawn at random (vitest.config.ts). */
export default class SeedReporter implements Reporter {
  onTestRunEnd(): void {
    const seed = process.env['CHECK_SEED']
    if (seed !== undefined)
      process.stdout.write(`\nThe cases were drawn for this run; the same ones again: CHECK_ALL=1 CHECK_SEED=${seed}\n`)
  }
}
