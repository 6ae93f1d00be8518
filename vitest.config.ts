import { defineConfig } from 'vitest/config'

// One PostgreSQL for the run (server/test/global-setup.ts); every test file gets its own database, copied from a migrated one.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'rules',
          include: [
            'contract/src/**/*.test.ts',
            'server/bench/**/*.test.ts',
            'web/src/**/*.test.{ts,tsx}',
            'sandbox/src/**/*.test.ts',
          ],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})
