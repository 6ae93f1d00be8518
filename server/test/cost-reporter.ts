import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 20

/** After a run of many files: which took longest, and how much of that was their own computing. */
export default class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return
    const rows = modules
      .map((module) => {
        const { duration, collectDuration } = module.diagnostic()
        const cpuMs = module.meta().cpuMs ?? 0
        return { file: path.relative(process.cwd(), module.moduleId), ms: duration + collectDuration, cpuMs }
      })
      .sort((one, other) => other.ms - one.ms)
    const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(7)
    const sum = (of: 'ms' | 'cpuMs'): number => rows.reduce((all, row) => all + row[of], 0)
    const lines = rows.slice(0, SHOWN).map(({ file, ms, cpuMs }) => `${seconds(ms)} ${seconds(cpuMs)}  ${file}`)
    const { user, system } = process.cpuUsage()
    process.stdout.write(
      `\nThe slowest files, in seconds (passed, computed; all ${rows.length}: ${seconds(sum('ms')).trim()}, ${seconds(sum('cpuMs')).trim()}; Vitest itself ${seconds((user + system) / 1000).trim()}):\n${lines.join('\n')}\n`,
    )
  }
}
