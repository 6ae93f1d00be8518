import fs from 'node:fs'
import os from 'node:os'
import type pg from 'pg'

/** Lower than work that a person waits for; without effect if there are enough processors. */
export const LOW_PRIORITY = os.constants.priority.PRIORITY_BELOW_NORMAL

/** Harmless errors: another user's process, one that ended meanwhile, a system without `/proc`. */
const HARMLESS = new Set(['EPERM', 'EACCES', 'ESRCH', 'ENOENT'])

/** Lowers all threads of this process; on systems other than Linux, the process. Cannot be undone. */
export function lowerPriority(): void {
  // Linux has a priority per thread; setting that of the process does not change running threads.
  for (const thread of listThreads()) lower(thread)
}

/**
 * Lowers the database's process for this connection, if it runs on this machine and this process has the right, as with the embedded database.
 * On another machine this is the operator's task.
 */
export function lowerConnectionPriority(client: pg.ClientBase): void {
  const { processID, connection } = client as unknown as {
    processID: number | null
    connection: { stream: { localPort?: number } }
  }
  const port = connection.stream.localPort
  // Its title contains the client's port: a process with the same number on another machine must not be touched.
  if (processID && port && titleOf(processID).includes(`(${port})`)) lower(processID)
}

const listThreads = (): number[] => harmless(() => fs.readdirSync('/proc/self/task').map(Number)) ?? [process.pid]

const titleOf = (pid: number): string => harmless(() => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? ''

const lower = (pid: number): void =>
  void harmless(() => os.getPriority(pid) < LOW_PRIORITY && os.setPriority(pid, LOW_PRIORITY))

function harmless<T>(attempt: () => T): T | null {
  try {
    return attempt()
  } catch (error) {
    const { code, info } = error as NodeJS.ErrnoException & { info?: { code?: string } }
    if (HARMLESS.has(info?.code ?? code ?? '')) return null
    throw error
  }
}
