import { readdirSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vite'

const at = (file: string): string => path.join(import.meta.dirname, 'src', file)
const parts = readdirSync(at('parts')).flatMap((file) =>
  file.endsWith('.ts') && !file.endsWith('.test.ts') ? [file.slice(0, -3)] : [],
)

// One file for the loader, the kit and each part. What two of them import would become a third file: they share through the kit instead.
export default defineConfig({
  build: {
    target: 'es2020',
    // As a library: in a page of its own, Vite would put helpers around each import, which a plain script cannot have.
    lib: {
      entry: {
        loader: at('loader.ts'),
        kit: at('kit.ts'),
        ...Object.fromEntries(parts.map((part) => [part, at(`parts/${part}.ts`)])),
      },
      formats: ['es'],
    },
    rolldownOptions: {
      output: { entryFileNames: '[name].js', chunkFileNames: 'shared-[name].js', minify: true },
    },
  },
})
