import path from 'node:path'
import { defineConfig } from 'vite'

// As the platform's command line bundles it: one module, its default the function that is called.
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    lib: { entry: path.join(import.meta.dirname, 'src/block.tsx'), formats: ['es'], fileName: () => 'block.js' },
    rolldownOptions: { output: { minify: true } },
  },
})
