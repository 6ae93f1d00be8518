import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

export const root = path.join(import.meta.dirname, '..')

/** One run: its own ports, data folder and password. */
export interface Run {
  port: number
  sandboxPort: number
  smtpPort: number
  dataDir: string
  password: string
  browser: string
}

/** Started by hand, for writing journeys: `E2E_RUN='{"port":3000,…}'`; Playwright's workers get it the same way. */
const given = process.env.E2E_RUN
export const startsOkaeri = given === undefined

async function begin(): Promise<Run> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-e2e-'))
  process.on('exit', () => fs.rmSync(dataDir, { recursive: true, force: true }))
  const [port = 0, sandboxPort = 0, smtpPort = 0] = await freePorts(3)
  const browser =
    process.env.CHROMIUM ??
    execFileSync(process.execPath, ['scripts/ensure-browser.mjs'], { cwd: root, encoding: 'utf8' }).trim()
  return { port, sandboxPort, smtpPort, dataDir, password: randomBytes(12).toString('base64url'), browser }
}

/** All are held before any is let go, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<net.Server>((resolve, reject) => {
          const server = net.createServer().once('error', reject)
          server.listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  return Promise.all(
    held.map((server) => {
      const address = server.address()
      return new Promise<number>((resolve) =>
        server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0)),
      )
    }),
  )
}

export const run: Run = given === undefined ? await begin() : (JSON.parse(given) as Run)
process.env.E2E_RUN = JSON.stringify(run)

/** What `npm start` and the operator's commands of this run are given. */
export const environment = {
  PORT: String(run.port),
  SANDBOX_PORT: String(run.sandboxPort),
  SANDBOX_SMTP_PORT: String(run.smtpPort),
  DATA_DIR: run.dataDir,
  DEMO_PASSWORD: run.password,
}
export const okaeriUrl = `http://127.0.0.1:${run.port}`
export const sandboxUrl = `http://127.0.0.1:${run.sandboxPort}`
