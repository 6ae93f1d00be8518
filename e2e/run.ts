import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'

export const root = path.join(import.meta.dirname, '..')

/** What all worlds of a run have in common. */
export interface Run {
  password: string
  browser: string
  /** A world that runs already, for writing journeys; without it each worker makes its own. */
  given?: { port: number; sandboxPort: number; dataDir: string }
}

function begin(): Run {
  const browser =
    process.env.CHROMIUM ??
    execFileSync(process.execPath, ['scripts/ensure-browser.mjs'], { cwd: root, encoding: 'utf8' }).trim()
  return { browser, password: randomBytes(12).toString('base64url') }
}

/** By hand (e2e/README.md), or by the process that began the run, for its workers. */
const told = process.env.E2E_RUN
export const run: Run = told === undefined ? begin() : (JSON.parse(told) as Run)
process.env.E2E_RUN = JSON.stringify(run)
