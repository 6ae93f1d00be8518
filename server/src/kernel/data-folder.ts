import fs from 'node:fs'
import path from 'node:path'
import { StartupError } from './errors.ts'

/**
 * PostgreSQL refuses to run as root, so if Okaeri runs as root, the account `nobody` owns it. Its group may pass through the data folder,
 * but neither list it nor write in it.
 */
export const NOBODY = 65_534
export const isRoot = process.getuid?.() === 0

/**
 * Creates the data folder if it is missing, and closes our files in it to other accounts, even if an earlier version left them open. `ours`
 * are the names of our files; other files stay unchanged. From here on this process creates no file that others can read. Throws {@link
 * StartupError}.
 */
export function openDataFolder(folder: string, ours: readonly string[]): void {
  try {
    makePrivateFolder(folder)
    for (const name of ours) closeToOthers(path.join(folder, name))
  } catch (error) {
    throw cannotWrite(error, folder)
  }
  process.umask(0o077)
}

/** Creates a folder and those above it. An existing one stays unchanged: it may belong to the system. */
export function makePrivateFolder(folder: string): void {
  if (fs.existsSync(folder) && fs.statSync(folder).isDirectory()) return fs.accessSync(folder, fs.constants.W_OK)
  makeParents(path.dirname(folder))
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !fs.statSync(folder).isDirectory()) throw error
  }
  closeFolder(folder)
}

/** Only the owner has access; the database's account may pass through a folder of root. */
export function closeFolder(folder: string): void {
  if (isRoot) fs.chownSync(folder, 0, NOBODY)
  fs.chmodSync(folder, isRoot ? 0o710 : 0o700)
}

/** Level by level, because Node's `recursive` loops forever where nothing can be created (/proc). */
function makeParents(folder: string): void {
  if (fs.existsSync(folder)) return
  makeParents(path.dirname(folder))
  fs.mkdirSync(folder, { mode: 0o755 })
}

/** Removes access for group and others from a file, or a folder with its content. Files of other accounts stay unchanged. */
export function closeToOthers(place: string): void {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false })
  if (!stat || stat.isSymbolicLink() || (!isRoot && stat.uid !== process.getuid?.())) return
  if (stat.mode & 0o077) fs.chmodSync(place, stat.mode & 0o700)
  if (stat.isDirectory()) for (const name of fs.readdirSync(place)) closeToOthers(path.join(place, name))
}

/** One sentence for a disk or a folder that cannot be written to; any other error is answered unchanged. */
export function cannotWrite(error: unknown, folder: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOENT|ENOTDIR|EEXIST)$/.exec(code)?.[0] ?? reasonIn(message)
  if (!reason) return error
  const elsewhere = 'or set DATA_DIR to a folder on another disk'
  if (reason === 'EROFS')
    return new StartupError(`The disk of the data folder ${folder} is read-only: make it writable, ${elsewhere}.`)
  if (reason === 'ENOSPC' || reason === 'EDQUOT')
    return new StartupError(`The disk of the data folder ${folder} is full: make room on it, ${elsewhere}.`)
  return new StartupError(`Cannot write to the data folder ${folder} (${reason}); allow it or set DATA_DIR.`)
}

/** The C library's messages in the output of a program. */
const reasonIn = (message: string): string | null =>
  /no space left on device|database or disk is full|wrote only \d+ of \d+ bytes|too little room/i.test(message)
    ? 'ENOSPC'
    : /disk quota exceeded/i.test(message)
      ? 'EDQUOT'
      : /read-only file system|readonly database/i.test(message)
        ? 'EROFS'
        : null

/**
 * Held as long as this process lives, however it ends: the system releases it (a lock of SQLite on an empty file). Null if another process
 * holds it. A process id in a file would not work: after `kill -9` another program may get the number.
 */
export async function lockFolder(folder: string): Promise<{ release(): void } | null> {
  // Loaded only here, because Node 22 prints a warning when it is loaded.
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(path.join(folder, 'lock'), { timeout: 0 })
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive')
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    const BUSY = 5
    if ((error as { errcode?: number }).errcode === BUSY) return null
    throw error
  }
}
