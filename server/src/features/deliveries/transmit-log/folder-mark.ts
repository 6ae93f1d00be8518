import fs from 'node:fs'
import path from 'node:path'
import { newId } from '../../../kernel/ids.ts'
import { isOutOfRoom } from '../sending/stoppage.ts'

/** What a folder knows of itself, in a file of it: copied somewhere else, or put back from a backup, the file is another file. */
interface Mark {
  id: string
  /** Moves with each start and sign of life of a process that works here. */
  beat: number
  /** Which file this is, and where it was. */
  file: string
  path: string
}

export interface FolderMark {
  id: string
  beat: number
  isCopy: boolean
  /** The folder it is a copy of is still where it was, and has not moved on since. */
  originalIsSame: boolean
}

const NAME = 'folder.json'
/** Written over in place, in one write. */
const BYTES = 1024

const identityOf = (file: string): string => {
  const { ino, birthtimeNs } = fs.statSync(file, { bigint: true })
  return `${ino} ${birthtimeNs}`
}

function readMark(file: string): Mark | null {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Mark
  } catch {
    // Not there, or its first writer was killed.
    return null
  }
}

/** Null where there is none yet. */
export function readFolderMark(folder: string): FolderMark | null {
  const file = path.join(folder, NAME)
  const mark = readMark(file)
  if (!mark) return null
  const isCopy = mark.file !== identityOf(file)
  const original = isCopy && mark.path !== file ? readMark(mark.path) : null
  const originalIsSame =
    original !== null &&
    original.id === mark.id &&
    original.beat === mark.beat &&
    original.file === identityOf(mark.path)
  return { id: mark.id, beat: mark.beat, isCopy, originalIsSame }
}

/** Marks the folder as alive; a copy becomes a folder of its own. Null where it cannot be written: then there is nothing to tell it by. */
export function writeFolderMark(folder: string, known: FolderMark | null): { id: string; beat: number } | null {
  const file = path.join(folder, NAME)
  const id = known && !known.isCopy ? known.id : newId()
  const beat = (known && !known.isCopy ? known.beat : 0) + 1
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const descriptor = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600)
    try {
      const mark: Mark = { id, beat, file: identityOf(file), path: file }
      fs.writeSync(descriptor, JSON.stringify(mark).padEnd(BYTES), 0)
    } finally {
      fs.closeSync(descriptor)
    }
    return { id, beat }
  } catch (error) {
    // No room to write it: nothing can be sent then either.
    if (!isOutOfRoom(error)) throw error
    return null
  }
}
