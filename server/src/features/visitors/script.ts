import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { ifAbsent } from '../../kernel/absent.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { makeReady, type Ready } from './at-once.ts'

/** As the room `widget` was built (`npm start`, `npm test`). */
const FOLDER = path.join(import.meta.dirname, '../../../../widget/dist')
/** In the loader, for the version of the parts. */
const VERSION_PLACE = '__VERSION__'
/** Asked for again, where a build may have come meanwhile. */
const LOOKED_AT_AGAIN_MS = 5000

/** One file, ready in the ways that browsers take it. */
interface Packed {
  none: Ready
  gzip: Ready
  br: Ready
}
/** The file under a version that is no longer the present one is kept by browsers for a short while only. */
type Caching = 'lasting' | 'passing'
export interface Script {
  version: string
  loader: Packed
  /** By file name. */
  parts: ReadonlyMap<string, Record<Caching, Packed>>
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16)

/** Modules of another origin are read only where that is said. */
function pack(context: Context, text: string, caching: string): Packed {
  const plain = Buffer.from(text)
  const etag = `"${shortHash(text)}"`
  const ready = (body: Buffer, packing: object): Ready =>
    makeReady(
      context,
      { body, etag },
      {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': caching,
        'access-control-allow-origin': '*',
        vary: 'accept-encoding',
        ...packing,
      },
    )
  return {
    none: ready(plain, {}),
    gzip: ready(gzipSync(plain, { level: 9 }), { 'content-encoding': 'gzip' }),
    br: ready(brotliCompressSync(plain), { 'content-encoding': 'br' }),
  }
}

let known: { script: Script; builtMs: number } | null = null
let reading: Promise<Script> | null = null
let lookedMs = 0

/** Read once, and again after it was built again. Throws 503 while it is being built. A promise only where something has to be read. */
export function findScript(context: Context): Script | Promise<Script> {
  const nowMs = context.clock.realNow().getTime()
  if (known && Math.abs(nowMs - lookedMs) < LOOKED_AT_AGAIN_MS) return known.script
  lookedMs = nowMs
  reading ??= lookAgain(context).finally(() => {
    reading = null
  })
  return reading
}

async function lookAgain(context: Context): Promise<Script> {
  const stat = await fs.stat(path.join(FOLDER, 'loader.js')).catch(ifAbsent(null))
  if (!stat) {
    known = null
    throw new AppError('unavailable', 'unavailable', 'the script is being built; ask again in a moment')
  }
  if (known?.builtMs !== stat.mtimeMs) known = { script: await readScript(context), builtMs: stat.mtimeMs }
  return known.script
}

async function readScript(context: Context): Promise<Script> {
  const names = (await fs.readdir(FOLDER)).filter((name) => /^[a-z-]+\.js$/.test(name)).toSorted()
  const texts = new Map<string, string>()
  for (const name of names) texts.set(name, await fs.readFile(path.join(FOLDER, name), 'utf8'))
  const version = shortHash(JSON.stringify([...texts]))
  const loader = (texts.get('loader.js') ?? '').replace(VERSION_PLACE, version)
  texts.delete('loader.js')
  return {
    version,
    loader: pack(context, loader, 'public, max-age=300, stale-while-revalidate=86400'),
    parts: new Map(
      [...texts].map(([name, text]) => [
        name,
        {
          lasting: pack(context, text, 'public, max-age=31536000, immutable'),
          passing: pack(context, text, 'public, max-age=60'),
        },
      ]),
    ),
  }
}

/** As the caller takes it. */
export function readyFor({ headers }: FastifyRequest, packed: Packed): Ready {
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string') return packed.none
  return /\bbr\b/.test(accepted) ? packed.br : /\bgzip\b/.test(accepted) ? packed.gzip : packed.none
}
