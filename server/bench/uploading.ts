import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { presignMedia } from '@okaeri/contract/media/routes'
import { createClient } from '@okaeri/contract/client'
import sharp from 'sharp'
import { stopwatch } from '../src/kernel/clock.ts'
import { newId } from '../src/kernel/ids.ts'
import { startInstallation } from './installation.ts'

export interface UploadingFigures {
  sizeBytes: number
  megapixels: number
  seconds: number
  /** What the process that answers holds more than before, at most. */
  heldMb: number
  /** The program that looks at the picture: what it holds before it has opened one, and at most. */
  programStartMb: number
  programMb: number
}

const LOOK_EVERY_MS = 5

/** Of this process: its children that look at pictures. */
function programKb(): number {
  let largest = 0
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
      if (!new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status)) continue
      if (!fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('picture-program')) continue
      largest = Math.max(largest, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0))
    } catch {
      // It has ended between two of these.
    }
  return largest
}

/** A photo of about 10 MB as phones make them. */
async function writePhoto(file: string): Promise<void> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  await sharp({ create: { width: 4900, height: 3675, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 88 })
    .toFile(file)
}

const SENDER = `import fs from 'node:fs'
const [address, file] = process.argv.slice(1)
const answer = await fetch(address, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: fs.readFileSync(file) })
if (!answer.ok) throw new Error(await answer.text())`
/** By another process: what it holds is not the server's. */
const send = (address: string, file: string): Promise<unknown> =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', SENDER, address, file])

async function uploadOnce(file: string, smtpUrl: string): Promise<UploadingFigures> {
  const [merchantId, memberId] = [{ id: '' }, newId()]
  const installation = await startInstallation({
    smtpUrl,
    authenticate: () => ({ merchantId: merchantId.id, memberId, sessionId: newId(), role: 'owner' }),
  })
  merchantId.id = installation.scope.merchantId
  // Its port was any free one.
  installation.api.context.settings.publicUrl = installation.url
  const call = createClient({ baseUrl: installation.url, headers: () => ({ authorization: 'Bearer x' }) })
  const upload = async () => {
    const { presigned_url } = await call(presignMedia, { body: { name: 'photo.jpg' } })
    await send(presigned_url, file)
  }
  try {
    // What the first upload loads stays.
    await upload()
    const before = process.memoryUsage.rss()
    let [largest, program, start] = [before, 0, 0]
    const looking = setInterval(() => {
      largest = Math.max(largest, process.memoryUsage.rss())
      const seen = programKb()
      if (start === 0 && seen > 40_000) start = seen
      program = Math.max(program, seen)
    }, LOOK_EVERY_MS)
    const elapsed = stopwatch()
    await upload()
    const seconds = elapsed() / 1000
    clearInterval(looking)
    const { width, height } = await sharp(file).metadata()
    return {
      sizeBytes: fs.statSync(file).size,
      megapixels: (width * height) / 1e6,
      seconds,
      heldMb: Math.round((largest - before) / 1024 / 1024),
      programStartMb: Math.round(start / 1024),
      programMb: Math.round(program / 1024),
    }
  } finally {
    await installation.stop()
  }
}

export async function runUploadingBench(): Promise<UploadingFigures> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-photo-'))
  try {
    const file = path.join(folder, 'photo.jpg')
    await writePhoto(file)
    return await uploadOnce(file, 'smtp://127.0.0.1:9')
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}
