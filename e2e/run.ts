import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'

export const root = path.join(import.meta.dirname, '..')

/** What all worlds of a run have in common. */
export interface Run {
  password: string
  browser: string
  /** Which part of what is too much for each run has its turn; null: all of it (`npm run check:all`). */
  day: number | null
  /** A world that runs already, for writing journeys; without it each worker makes its own. */
  given?: { port: number; sandboxPort: number; dataDir: string }
}

function begin(): Run {
  const browser =
    process.env.CHROMIUM ??
    execFileSync(process.execPath, ['scripts/ensure-browser.mjs'], { cwd: root, encoding: 'utf8' }).trim()
  // `CHECK_DAY=20054` repeats the run of another day.
  const day = Number(process.env.CHECK_DAY ?? Math.floor(Date.now() / 86_400_000))
  const password = randomBytes(12).toString('base64url')
  return { browser, password, day: process.env.CHECK_ALL === undefined ? day : null }
}

/** By hand (e2e/README.md), or by the process that began the run, for its workers. */
const given = process.env.E2E_RUN
export const run: Run = given === undefined ? begin() : (JSON.parse(given) as Run)
process.env.E2E_RUN = JSON.stringify(run)

/** Of many that are alike those whose turn it is today: each has it once in so many days, in `npm run check:all` always. */
export const ofToday = <One>(all: readonly One[], days: number): One[] =>
  all.filter((_, at) => run.day == null || at % days === run.day % days)
