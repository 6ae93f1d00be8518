// Everything: rules, server and sandbox (vitest), and before them the journeys in a browser (Playwright). Its last line is `N passed, N failed`.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ensureBrowser } from './ensure-browser.mjs'
import { buildWeb, buildWidget, install, runTool } from './lib.mjs'

install()
const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-reports-'))
const unitReport = path.join(reports, 'vitest.json')
const journeysReport = path.join(reports, 'journeys.json')
let passed = 0
let failed = 0

/** A runner that ends badly without a failed test has failed all the same. */
function count(status, file, numbersIn) {
  const [well = 0, badly = 0] = fs.existsSync(file) ? numbersIn(JSON.parse(fs.readFileSync(file, 'utf8'))) : []
  passed += well
  failed += status === 0 ? badly : Math.max(1, badly)
}

const browser = ensureBrowser()
if (browser) buildWeb()
else buildWidget()
// One after the other: side by side they take longer, and a browser that waits for its turn is the one that runs out of time.
const journeys = browser
  ? await runTool('playwright', ['test', '-c', 'e2e/playwright.config.ts'], {
      env: { CHROMIUM: browser, JOURNEYS_REPORT: journeysReport },
    })
  : null
const unit = await runTool('vitest', [
  'run',
  '--reporter=default',
  '--reporter=./server/test/cost-reporter.ts',
  '--reporter=./server/test/seed-reporter.ts',
  '--reporter=json',
  `--outputFile.json=${unitReport}`,
  ...process.argv.slice(2),
])
count(unit, unitReport, ({ numPassedTests, numFailedTests }) => [numPassedTests, numFailedTests])

if (journeys !== null) {
  count(journeys, journeysReport, (numbers) => [numbers.passed, numbers.failed])
  // Said by the journeys long before.
  if (fs.existsSync(journeysReport)) process.stdout.write(JSON.parse(fs.readFileSync(journeysReport, 'utf8')).late)
} else {
  process.stderr.write('The browser journeys were SKIPPED: there is no Chromium (see above).\n')
  // In CI the lines may go unread: a skipped journey must not count as passed.
  if (process.env.CI) failed += 1
}
fs.rmSync(reports, { recursive: true })
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : 0)
