import { randomInt } from 'node:crypto'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ofOneNode, onCluster } from './server/test/one-node.ts'

/** Files in which processes are killed or databases are stopped wait most of the time: begun first, they are over when the others are. */
class WaitingFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ moduleId }: TestSpecification): number =>
      Number(/kill(ed)?[.-]|embedded-postgres|database-away/.test(moduleId))
    return (await super.sort(files)).toSorted((one, other) => waits(other) - waits(one))
  }
}

/** Node runs what it runs in production: rewritten by Vite, the same tests compute a tenth more or so. Nothing here mocks a module. */
const asNodeDoes = { viteModuleRunner: false, nodeLoader: false }

// What tests draw by lot is the same each time, and new for `check:all` (server/test/seeds.ts). Set before the workers are started.
if (process.env['CHECK_ALL'] !== undefined) process.env['CHECK_SEED'] ??= String(randomInt(2 ** 31))

// One PostgreSQL for the run (server/test/global-setup.ts); every test file gets its own database, copied from a migrated one.
export default defineConfig({
  test: {
    // Bounds for a machine that has other work too; nothing is measured here.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    teardownTimeout: 60_000,
    // Two more than there are processors in the smallest machine: a test waits for its database now and then. Said here, since Vitest
    // does not run projects of different numbers together, and its own number depends on the machine.
    maxWorkers: 4,
    sequence: { sequencer: WaitingFilesFirst },
    // Nothing in a file outlives it, so that files share a process: what they import is read and compiled once for all of them.
    isolate: false,
    // Many small tests make much that is soon forgotten: with room for it, and without threads that wait for each other, less is computed.
    execArgv: [
      '--min-semi-space-size=32',
      '--max-semi-space-size=32',
      '--initial-old-space-size=256',
      '--single-threaded-gc',
    ],
    setupFiles: ['server/test/cost.ts', 'server/test/seeds.ts'],
    reporters: ['default', './server/test/cost-reporter.ts', './server/test/seed-reporter.ts'],
    // Rounds that say no more about a change than the short ones beside them: `CHECK_ALL=1 npm run test:unit`.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env['CHECK_ALL'] === undefined ? ['**/*.long.test.ts'] : []),
      ...(onCluster ? ofOneNode.flatMap(({ file, test }) => (test === undefined ? [file] : [])) : []),
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          include: [
            'contract/src/**/*.test.ts',
            'server/bench/**/*.test.ts',
            'sandbox/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'widget/src/**/*.test.ts',
          ],
          experimental: asNodeDoes,
        },
      },
      {
        extends: true,
        test: { name: 'pages', include: ['web/src/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts', 'server/test/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          experimental: asNodeDoes,
        },
      },
    ],
  },
})
