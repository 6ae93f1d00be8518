import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** What the file took of its process's computing time, in milliseconds; the database's is not in it. For cost-reporter.ts. */
    cpuMs?: number
  }
}

// Evaluated before each file, also where files share a process.
const before = process.cpuUsage()
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from it that no fixture is wanted.
afterAll(({}, suite) => {
  const { user, system } = process.cpuUsage(before)
  suite.meta.cpuMs = (user + system) / 1000
})
