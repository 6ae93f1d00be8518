import fs from 'node:fs'
import path from 'node:path'

/** The first process of a running PostgreSQL server. */
export interface Postmaster {
  pid: number
  port: number
  /** It accepts connections: neither recovering nor stopping. */
  isReady: boolean
}

/**
 * The server that runs on this data, by its `postmaster.pid`; null if none does. The number in that file alone proves nothing: the server may
 * have died, and another program may have its number.
 */
export function findPostmaster(data: string): Postmaster | null {
  const [pid = 0, , , port = 0, , , , state = ''] = linesOf(path.join(data, 'postmaster.pid')) ?? []
  if (!isPostmaster(Number(pid), data)) return null
  return { pid: Number(pid), port: Number(port), isReady: state.toString().trim() === 'ready' }
}

/** Whether the process with this number is the server on this data. Its working directory is that folder, which no other program has by accident. */
export function isPostmaster(pid: number, data: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false
  try {
    const [program = '', ...given] = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return (
      path.basename(program) === 'postgres' &&
      // Its processes for connections have a title instead of arguments.
      given.includes('-D') &&
      path.basename(fs.readlinkSync(`/proc/${pid}/exe`)).startsWith('postgres') &&
      fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(data)
    )
  } catch (error) {
    // It has ended, or belongs to another account: our server has our account, or we are root.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/**
 * PostgreSQL refuses to start while the number in `postmaster.pid` belongs to any program of the same account. If that program is not a
 * server on this data, the file is removed. A server that still runs is found by its shared memory.
 */
export function forgetStalePostmaster(data: string): void {
  const file = path.join(data, 'postmaster.pid')
  const [pid] = linesOf(file) ?? []
  // Negative: a server that runs for one command (`--single`).
  const number = Math.abs(Number(pid))
  if (pid !== undefined && !isPostmaster(number, data)) fs.rmSync(file, { force: true })
}

function linesOf(file: string): string[] | null {
  try {
    return fs.readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
