import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** `vite dev` shows the pages and asks this server for everything outside `/_app`. */
const API = process.env.API_URL ?? 'http://127.0.0.1:3000'
const BASE = '/_app/'
const FIRST = 'src/before-first-paint.js'

/** Puts that script into the head as a plain one, which the browser runs before it paints; Vite itself knows only modules. */
function beforeFirstPaint(): Plugin {
  let building = false
  return {
    name: 'before-first-paint',
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
    transformIndexHtml(_html, { bundle }) {
      const built = Object.values(bundle ?? {}).find(
        (file) => file.type === 'asset' && file.names.includes('before-first-paint.js'),
      )
      return [{ tag: 'script', attrs: { src: BASE + (built?.fileName ?? FIRST) }, injectTo: 'head-prepend' }]
    },
  }
}

export default defineConfig({
  base: BASE,
  plugins: [react(), beforeFirstPaint()],
  // The largest chunk is Mantine with React and the router, about 600 kB before compression.
  build: { target: 'es2023', chunkSizeWarningLimit: 900 },
  server: { proxy: { '^/(?!_app)': { target: API, changeOrigin: false } } },
})
