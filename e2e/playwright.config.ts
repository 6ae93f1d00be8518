import { defineConfig } from '@playwright/test'
import { run } from './run.ts'

/** By hours, days and weeks, in a world of their own: the others are not surprised by it. */
const movesTheClock =
  /(ab-test|customer-forms|line-quota|reserved|restock-waves|rich-menus|scenario-by-line|scenarios|templates)\.spec\.ts$/

/** Proves nothing: it makes the pictures of a guide again, when asked. */
const makesPictures = /guide-pictures\.spec\.ts$/

export default defineConfig({
  testDir: 'journeys',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  // Bounds for a machine that has other work too; nothing is measured here. What is expected may come when the page asks by itself, every
  // 30 seconds (web/src/api/queries.ts), and so may what is clicked: three of those.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  workers: run.given ? 1 : 2,
  fullyParallel: false,
  retries: 1,
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list'], ['./summary.ts']],
  use: {
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
    viewport: { width: 1400, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // It costs a fifth of a journey. For what passes the second time: `--trace on --repeat-each 20`.
    trace: { mode: 'on-first-retry', screenshots: false },
    screenshot: 'only-on-failure',
    actionTimeout: 90_000,
    // Headless Chromium says so, and Okaeri rightly takes it for a machine.
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    launchOptions: {
      executablePath: run.browser,
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--no-first-run',
        '--disable-component-update',
        '--disable-sync',
        '--disable-dev-shm-usage',
        // Pages live for seconds here: what is compiled well is not worth it.
        '--js-flags=--no-turbofan --no-maglev',
      ],
    },
  },
  projects: [
    { name: 'clock', testMatch: movesTheClock },
    { name: 'journeys', testIgnore: [movesTheClock, makesPictures] },
    ...(process.env.PICTURES === undefined ? [] : [{ name: 'pictures', testMatch: makesPictures }]),
  ],
})
