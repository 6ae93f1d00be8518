import fs from 'node:fs'
import os from 'node:os'
import type pg from 'pg'

/** Under what a person waits for, where both want the processor; of no effect where there is enough of it. */
export const LOW_PRIORITY = os.constants.priority.PRIORITY_BELOW_NORMAL

/** What may go wrong without harm: another user's process, one that ended meanwhile, a system without `/proc`. */
const HARMLESS = new Set(['EPERM', 'EACCES', 'ESRCH', 'ENOENT'])

/** All threads of this process go behind; on systems other than Linux, the process. Cannot be taken back. */
export function lowerPriority(): void {
  // Linux keeps a priority for each thread; those that run already are not reached by the process's.
  for (const thread of listThreads()) lower(thread)
}

/**
 * The database's process for this connection goes behind, where it runs on this machine and this process may say so: as it does with the
 * embedded database. An operator ranks another machine's.
 */
export function lowerConnectionPriority(client: pg.ClientBase): void {
  const { processID, connection } = client as unknown as {
    processID: number | null
    connection: { stream: { localPort?: number } }
  }
  const port = connection.stream.localPort
  // Its title names the other end of the connection: a process of the same number elsewhere is not ours to rank.
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
