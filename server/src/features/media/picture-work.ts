import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PictureCopy, PictureType } from '@okaeri/contract/media/media'
import pLimit, { type LimitFunction } from 'p-limit'
import { ifAbsent } from '../../kernel/absent.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface MadeCopy {
  copy: PictureCopy
  type: PictureType
  width: number
  height: number
  sizeBytes: number
}
/** What the program of pictures says. */
export type PictureOutcome =
  | { made: MadeCopy[] }
  | {
      refused: 'picture_type' | 'picture_moving' | 'picture_pixels' | 'picture_damaged' | 'picture_costly'
      detail: string
    }

const PROGRAM = fileURLToPath(new URL('picture-program.ts', import.meta.url))

/** Computing time: a PNG of 49 million pixels took 7.4 s by the clock on a machine that did other things too. */
const BUDGET_MS = 30_000
/** By the clock, on a machine that has no time for it, and where computing time cannot be read. */
const PATIENCE_MS = 5 * 60_000
/** That one, interlaced, took 319 MB, Node itself included; what takes twice as much is not for us. */
const MEMORY_KB = 640 * 1024
const LOOK_EVERY_MS = 100
/** As workers have it. */
const LOWERED = 10
/** More than a person waits for. */
const MAX_WAITING = 20
/** What a killed process left behind. */
const LEFT_BEHIND_MS = 3_600_000

/** One processor is left to those who wait for a page. */
const together = pLimit(Math.max(1, Math.min(2, os.availableParallelism() - 1)))
/** One picture of a merchant at a time, so that a merchant with a thousand pictures does not delay others. */
const ofMerchants = new Map<string, LimitFunction>()

/**
 * Looks at a picture in a program of its own, which is ended where it takes too long or too much memory, and gives its copies to `take`, as
 * files of a folder that is gone afterwards. `fetch` puts the picture there first. Throws `rate_limited` when too many of the merchant wait.
 */
export async function workOnPicture<T>(
  { context, merchantId }: MerchantScope,
  fetch: (file: string) => Promise<void>,
  take: (outcome: PictureOutcome, fileOf: (copy: PictureCopy) => string) => Promise<T>,
): Promise<T> {
  const own = ofMerchants.get(merchantId) ?? pLimit(1)
  ofMerchants.set(merchantId, own)
  if (own.pendingCount >= MAX_WAITING)
    throw new AppError('rate_limited', 'rate_limited', 'too many pictures at once; wait for the first')
  try {
    return await own(() =>
      together(async () => {
        const folder = path.join(await workFolder(context), randomUUID())
        await fs.promises.mkdir(folder, { mode: 0o700 })
        try {
          const source = path.join(folder, 'source')
          await fetch(source)
          return await take(await runProgram(source, folder), (copy) => path.join(folder, copy))
        } finally {
          await fs.promises.rm(folder, { recursive: true, force: true })
        }
      }),
    )
  } finally {
    if (own.activeCount + own.pendingCount === 0 && ofMerchants.get(merchantId) === own) ofMerchants.delete(merchantId)
  }
}

async function workFolder({ settings, clock }: Context): Promise<string> {
  const folder = path.join(settings.dataDir, 'media', 'work')
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 })
  const now = clock.realNow().getTime()
  for (const name of await fs.promises.readdir(folder)) {
    const place = path.join(folder, name)
    const stat = await fs.promises.stat(place).catch(ifAbsent(null))
    if (stat && now - stat.mtimeMs > LEFT_BEHIND_MS) await fs.promises.rm(place, { recursive: true, force: true })
  }
  return folder
}

function runProgram(source: string, folder: string): Promise<PictureOutcome> {
  return new Promise((resolve, reject) => {
    let spent: 'time' | 'memory' | null = null
    const child = execFile(
      process.execPath,
      ['--max-old-space-size=64', PROGRAM, source, folder],
      {
        timeout: PATIENCE_MS,
        killSignal: 'SIGKILL',
        // None of ours: it unpacks what strangers made.
        env: { MALLOC_ARENA_MAX: '1', TMPDIR: folder },
      },
      (error, stdout, stderr) => {
        clearInterval(looking)
        if (error && (spent || error.killed)) resolve({ refused: 'picture_costly', detail: spent ?? 'the clock' })
        // Died in the picture's own code: no other picture is concerned.
        else if (error?.signal) resolve({ refused: 'picture_damaged', detail: error.signal })
        else if (error) reject(diskFull(stderr) ?? new Error(`the program of pictures: ${stderr.slice(0, 2000)}`))
        else resolve(JSON.parse(stdout) as PictureOutcome)
      },
    )
    const looking = setInterval(() => {
      if (child.pid === undefined) return
      if (residentKb(child.pid) > MEMORY_KB) spent = 'memory'
      else if (computedMs(child.pid) > BUDGET_MS) spent = 'time'
      if (spent) child.kill('SIGKILL')
    }, LOOK_EVERY_MS)
    // Pages go first.
    if (child.pid !== undefined) lowerPriority(child.pid)
  })
}

function lowerPriority(pid: number): void {
  try {
    os.setPriority(pid, LOWERED)
  } catch (error) {
    // It may have ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}

const residentKb = (pid: number): number => Number(/^VmRSS:\s+(\d+)/m.exec(readProcFile(pid, 'status'))?.[1] ?? 0)

/** Hundredths of a second, for itself and in the system, stand behind the name in brackets (proc(5)). */
function computedMs(pid: number): number {
  const fields = readProcFile(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
}

/** Empty where the system has no such file, or the program has ended. */
function readProcFile(pid: number, file: 'status' | 'stat'): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const diskFull = (said: string): Error | null =>
  /no space left|quota exceeded/i.test(said) ? Object.assign(new Error(said), { code: 'ENOSPC' }) : null
