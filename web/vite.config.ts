import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `vite dev` shows the pages and asks this server for everything outside `/_app`. */
const API = process.env.API_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  base: '/_app/',
  plugins: [react()],
  // The largest chunk is Mantine with React and the router, about 600 kB before compression.
  build: { target: 'es2023', chunkSizeWarningLimit: 900 },
  server: { proxy: { '^/(?!_app)': { target: API, changeOrigin: false } } },
})
