import { readdirSync } from 'node:fs'
import path from 'node:path'
import { Script } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

/** What a shop's page pays for the script before any part of it is used. */
const LOADER_BYTES = 3 * 1024
/** All that a page could ever load besides. */
const PARTS_BYTES = 12 * 1024

test('the loader packs to 3 kB, all parts together to 12 kB, and no part brings another file', async () => {
  const root = path.join(import.meta.dirname, '..')
  const built = await build({ root, logLevel: 'error', build: { write: false } })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  const sizes = new Map(
    outputs.map((file) => [
      file.fileName,
      gzipSync(file.type === 'chunk' ? file.code : file.source, { level: 9 }).length,
    ]),
  )
  const parts = readdirSync(path.join(root, 'src/parts')).filter((file) => !file.endsWith('.test.ts'))
  expect([...sizes.keys()].sort()).toEqual(
    ['loader.js', 'kit.js', ...parts.map((file) => file.replace(/\.ts$/, '.js'))].sort(),
  )
  const loader = sizes.get('loader.js') ?? 0
  sizes.delete('loader.js')
  expect(loader).toBeLessThanOrEqual(LOADER_BYTES)
  expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(PARTS_BYTES)
})

test('the loader is a plain script: it neither imports nor exports, and nothing of it evaluates text', async () => {
  const root = path.join(import.meta.dirname, '..')
  const built = await build({ root, logLevel: 'error', build: { write: false } })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  for (const file of outputs) {
    const code = file.type === 'chunk' ? file.code : ''
    if (file.fileName === 'loader.js') expect(new Script(code)).toBeInstanceOf(Script)
    expect(code).not.toMatch(/\beval\(|new Function|innerHTML|outerHTML|document\.write|style=/)
  }
})
