import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { groups } from './chunks.ts'

/** `vite dev` shows the pages and asks this server for everything outside `/_app`. */
const API = process.env.API_URL ?? 'http://127.0.0.1:3000'
const BASE = '/_app/'
const FIRST = 'src/before-first-paint.js'
const SHEET = /\s*<link rel="stylesheet"[^>]*>/g

/**
 * Puts that script behind the skeleton as a plain one, before all modules; Vite itself knows only modules. The sheet goes there too: in the
 * head, the browser would wait for it before it paints the skeleton, which has its own few rules.
 */
function skeletonFirst(): Plugin {
  let building = false
  return {
    name: 'skeleton-first',
    configResolved: ({ command }) => {
      building = command === 'build'
    },
    buildStart() {
      if (building)
        this.emitFile({
          type: 'asset',
          name: 'before-first-paint.js',
          source: readFileSync(new URL(FIRST, import.meta.url)),
        })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const built = Object.values(bundle ?? {}).find(
          (file) => file.type === 'asset' && file.names.includes('before-first-paint.js'),
        )
        const sheets = html.match(SHEET)?.join('') ?? ''
        const script = `\n    <script src="${BASE + (built?.fileName ?? FIRST)}"></script>`
        return html.replace(SHEET, '').replace(/\s*<\/body>/, () => `${sheets}${script}\n  </body>`)
      },
    },
  }
}

const WORTH_PACKING_BYTES = 1000
const packBrotli = promisify(brotliCompress)
const packGzip = promisify(gzip)

/** Each file also packed, beside it: the server hands out what the browser takes (server/src/app/web.ts). */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))
      for (const name of names) {
        const file = path.join(dir, name)
        const content = await readFile(file)
        if (content.length < WORTH_PACKING_BYTES) continue
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }
        const [small, wide] = await Promise.all([packBrotli(content, quality), packGzip(content, { level: 9 })])
        await Promise.all([writeFile(`${file}.br`, small), writeFile(`${file}.gz`, wide)])
      }
    },
  }
}

export default defineConfig({
  base: BASE,
  plugins: [react(), skeletonFirst(), packed()],
  build: {
    target: 'es2023',
    // The largest is what every page stands on: React, Mantine, router and schemas, before compression.
    chunkSizeWarningLimit: 1000,
    // One sheet: without Mantine's rules, those of all pages are small, and their order is always the same.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { proxy: { '^/(?!_app)': { target: API, changeOrigin: false } } },
})
