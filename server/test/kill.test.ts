import { expect, test } from 'vitest'
import { type KillOptions, runKill, seeded } from '../bench/kill.ts'
import { thorough } from './thorough.ts'

// The short version of `npm run test:kill`: real processes, kill -9. `check:all` does the others too; steps/killed-waking.test.ts kills at each change.
const base: KillOptions = {
  program: 'campaign',
  recipients: 1500,
  workers: 1,
  workerKills: 0,
  databaseKills: 0,
  dropEvery: 0,
  freezes: 0,
  backendKills: 0,
  fullDisk: null,
  clockHours: 0,
  restore: false,
  crashAt: null,
  random: seeded(7),
}

const rounds: [string, Partial<KillOptions>][] = [
  ['a worker dies with a body handed over', { crashAt: 'leaving', workerKills: 1 }],
  ['workers and the database are killed at random', { workers: 2, workerKills: 2, databaseKills: 1 }],
  [
    'workers die while LINE takes messages for many at once',
    { program: 'line_multicast', recipients: 6000, workers: 2, workerKills: 2, dropEvery: 5 },
  ],
]
const more: typeof rounds = [
  [
    'workers die while LINE takes messages one by one',
    { program: 'line_push', workers: 2, workerKills: 2, databaseKills: 1, dropEvery: 97 },
  ],
  ['two workers share one campaign', { workers: 2 }],
  [
    'a scenario wakes everyone while workers die',
    { program: 'scenario', workers: 2, workerKills: 3, databaseKills: 1 },
  ],
]
test.each(thorough ? [...rounds, ...more] : rounds)(
  '%s: no one is lost, no one gets it twice, the balance adds up',
  async (name, options) => {
    const report = await runKill(name, { ...base, ...options })
    expect(report.problems).toEqual([])
    expect(report.sent + report.uncertain).toBe(report.recipients)
  },
)

test('when the server cuts connections after the body, the uncertain are exactly those whose answer was cut off', async () => {
  const report = await runKill('cut', { ...base, dropEvery: 50 })
  expect(report.problems).toEqual([])
  expect(report).toMatchObject({ uncertain: 30, uncertainReceived: 30, uncertainNotReceived: 0 })
})
