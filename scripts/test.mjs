// Everything: rules, server and sandbox (vitest), then the journeys in a browser (Playwright).
import { ensureBrowser } from './ensure-browser.mjs'
import { buildWeb, install, runTool } from './lib.mjs'

install()
const unit = await runTool('vitest', ['run', ...process.argv.slice(2)])
const browser = ensureBrowser()
let journeys = 0
if (browser) {
  buildWeb()
  journeys = await runTool('playwright', ['test', '-c', 'e2e/playwright.config.ts'], { CHROMIUM: browser })
} else {
  process.stderr.write('The browser journeys were SKIPPED: there is no Chromium (see above).\n')
  // Where nobody reads the lines, a skipped journey must not pass for a passed one.
  if (process.env.CI) journeys = 1
}
process.exit(unit || journeys)
