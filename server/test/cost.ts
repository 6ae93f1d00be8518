import { afterAll, beforeEach, inject } from 'vitest'
import { ofOneNode } from './one-node.ts'

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

beforeEach((context) => {
  if (!inject('citusNodes')) return
  const { file, name } = context.task
  const left = ofOneNode.find((one) => file.filepath.endsWith(one.file) && one.tests?.includes(name))
  if (left) context.skip(left.why)
})
