import { defineConfig } from '@playwright/test'
import { environment, okaeriUrl, root, run, startsOkaeri } from './run.ts'

const movesTheClock = /(scenarios|templates)\.spec\.ts$/

export default defineConfig({
  testDir: 'journeys',
  outputDir: '../test-results',
  globalSetup: './demo-store.ts',
  // Bounds for a machine that has other work too; nothing is measured here.
  timeout: 900_000,
  expect: { timeout: 60_000 },
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  reporter: 'list',
  use: {
    baseURL: `${okaeriUrl}/_app/`,
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
    viewport: { width: 1400, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // Its snapshots show each step; pictures of every frame besides would cost as much as the journeys themselves.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    actionTimeout: 60_000,
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
      ],
    },
  },
  // Those that move the clock, which all share, run one by one when nobody else is there to be surprised by it.
  projects: [
    { name: 'journeys', testIgnore: movesTheClock },
    { name: 'clock', testMatch: movesTheClock, dependencies: ['journeys'], workers: 1 },
  ],
  ...(startsOkaeri && {
    webServer: {
      command: 'npm start',
      cwd: root,
      env: environment,
      url: `${okaeriUrl}/healthz`,
      timeout: 240_000,
      stdout: 'ignore' as const,
      gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 20_000 },
    },
  }),
})
