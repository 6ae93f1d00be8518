// Everything: rules, server and sandbox (vitest), and the journeys in a browser (Playwright) beside them. Its last line is `N passed, N failed`.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ensureBrowser } from './ensure-browser.mjs'
import { buildWeb, install, runTool } from './lib.mjs'

install()
const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-reports-'))
const unitReport = path.join(reports, 'vitest.json')
const journeysReport = path.join(reports, 'journeys.json')
const journeysOutput = path.join(reports, 'journeys.txt')
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
// Both wait a good deal, each in its own way, so that together they take less time. What the journeys say is shown when the tests are over.
const journeys =
  browser &&
  runTool('playwright', ['test', '-c', 'e2e/playwright.config.ts'], {
    env: { CHROMIUM: browser, JOURNEYS_REPORT: journeysReport },
    output: journeysOutput,
  })
const unit = await runTool(
  'vitest',
  [
    'run',
    '--reporter=default',
    '--reporter=./server/test/cost-reporter.ts',
    '--reporter=json',
    `--outputFile.json=${unitReport}`,
    ...process.argv.slice(2),
  ],
  // A browser that waits for its turn is the one that runs out of time.
  { niceness: 2 },
)
count(unit, unitReport, ({ numPassedTests, numFailedTests }) => [numPassedTests, numFailedTests])

if (journeys) {
  const status = await journeys
  process.stdout.write(fs.readFileSync(journeysOutput))
  count(status, journeysReport, (numbers) => [numbers.passed, numbers.failed])
} else {
  process.stderr.write('The browser journeys were SKIPPED: there is no Chromium (see above).\n')
  // Where nobody reads the lines, a skipped journey must not pass for a passed one.
  if (process.env.CI) failed += 1
}
fs.rmSync(reports, { recursive: true })
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : 0)
