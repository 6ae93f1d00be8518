import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ifAbsent } from '../../kernel/absent.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { sendAtOnce } from './at-once.ts'

/** As the room `widget` was built (`npm start`, `npm test`). */
const FOLDER = path.join(import.meta.dirname, '../../../../widget/dist')
/** In the loader, for the version of the parts. */
const VERSION_PLACE = '__VERSION__'
/** Asked for again, where a build may have come meanwhile. */
const LOOKED_AT_AGAIN_MS = 5000

/** One file, packed beforehand in the ways that browsers take. */
interface Packed {
  etag: string
  plain: Buffer
  gzip: Buffer
  br: Buffer
}
export interface Script {
  version: string
  loader: Packed
  /** By file name. */
  parts: ReadonlyMap<string, Packed>
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16)

const pack = (text: string): Packed => {
  const plain = Buffer.from(text)
  return {
    etag: `"${shortHash(text)}"`,
    plain,
    gzip: gzipSync(plain, { level: 9 }),
    br: brotliCompressSync(plain),
  }
}

let known: { script: Script; builtMs: number } | null = null
let reading: Promise<Script> | null = null
let lookedMs = 0

/** Read once, and again after it was built again. Throws 503 while it is being built. A promise only where something has to be read. */
export function findScript({ clock }: Context): Script | Promise<Script> {
  const nowMs = clock.realNow().getTime()
  if (known && Math.abs(nowMs - lookedMs) < LOOKED_AT_AGAIN_MS) return known.script
  lookedMs = nowMs
  reading ??= lookAgain().finally(() => {
    reading = null
  })
  return reading
}

async function lookAgain(): Promise<Script> {
  const stat = await fs.stat(path.join(FOLDER, 'loader.js')).catch(ifAbsent(null))
  if (!stat) {
    known = null
    throw new AppError('unavailable', 'unavailable', 'the script is being built; ask again in a moment')
  }
  if (known?.builtMs !== stat.mtimeMs) known = { script: await readScript(), builtMs: stat.mtimeMs }
  return known.script
}

async function readScript(): Promise<Script> {
  const names = (await fs.readdir(FOLDER)).filter((name) => /^[a-z-]+\.js$/.test(name)).toSorted()
  const texts = new Map<string, string>()
  for (const name of names) texts.set(name, await fs.readFile(path.join(FOLDER, name), 'utf8'))
  const version = shortHash(JSON.stringify([...texts]))
  const loader = pack((texts.get('loader.js') ?? '').replace(VERSION_PLACE, version))
  texts.delete('loader.js')
  return { version, loader, parts: new Map([...texts].map(([name, text]) => [name, pack(text)])) }
}

/** For every page that wants it: modules of another origin are read only where that is said. */
export function sendScript(
  context: Context,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { etag, plain, gzip, br }: Packed,
  caching: string,
): FastifyReply {
  const accepted = headers['accept-encoding']
  const packing =
    typeof accepted !== 'string' ? null : /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null
  return sendAtOnce(
    context,
    reply,
    headers['if-none-match'] === etag ? null : { br, gzip, none: plain }[packing ?? 'none'],
    {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': caching,
      'access-control-allow-origin': '*',
      vary: 'accept-encoding',
      etag,
      ...(packing === null ? {} : { 'content-encoding': packing }),
    },
  )
}
