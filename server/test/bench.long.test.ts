import { expect, test } from 'vitest'
import { runCopyingBench } from '../bench/copying.ts'
import { runEnteringBench } from '../bench/entering.ts'
import { runFavoritesBench } from '../bench/favorites.ts'
import { measureImporting } from '../bench/importing.ts'
import { startInstallation } from '../bench/installation.ts'
import { runListsBench } from '../bench/lists.ts'
import { runRehearsalBench } from '../bench/rehearsal.ts'
import { runSendingBench } from '../bench/sending.ts'
import { runStorefrontBench } from '../bench/storefront.ts'
import { runTrackingBench } from '../bench/tracking.ts'

// The measuring programs at a small size: a command in docs/performance.md that broke unnoticed measures nothing. No figure is judged here;
// each bench checks that what it timed was really done.

test('lists are asked for and all answered', async () => {
  const figures = await runListsBench({ customers: 60, campaigns: 5, rounds: 2 })
  expect(figures.length).toBeGreaterThan(8)
  for (const { p95Ms, medianMs } of figures) expect(p95Ms).toBeGreaterThanOrEqual(medianMs)
})

test('hits are stored before they are answered', async () => {
  const { answered, stored } = await runTrackingBench({ connections: 5, deliveries: 50, seconds: 0.2, rounds: 1 })
  expect(answered).toBeGreaterThan(0)
  expect(stored).toBe(answered)
})

test('a shop’s page is answered beside bare routes', async () => {
  const { statusRatio, scriptRatio } = await runStorefrontBench({ connections: 5, seconds: 0.2, rounds: 1 })
  expect(Math.min(statusRatio, scriptRatio)).toBeGreaterThan(0)
})

test('favorites are stored before they are answered, and their lists are all answered', async () => {
  const small = { connections: 5, guests: 2000, seconds: 0.2, rounds: 1, products: 20, favorites: 500, asked: 2 }
  const { answered, stored, lists } = await runFavoritesBench(small)
  expect(answered).toBeGreaterThan(0)
  expect(stored).toBe(answered)
  expect(lists).toHaveLength(7)
})

test('a campaign is sent beside a bare loop', async () => {
  const { ratio, workerRssMaxMb } = await runSendingBench(300)
  expect(ratio).toBeGreaterThan(0)
  expect(workerRssMaxMb).toBeGreaterThan(0)
})

test('a store is copied, a file imported', async () => {
  const copied = await runCopyingBench(1500, 300)
  expect(Math.min(copied.customersPerSecond, copied.ordersPerSecond, copied.againPerSecond)).toBeGreaterThan(0)
  const installation = await startInstallation({ smtpUrl: 'smtp://127.0.0.1:9' })
  try {
    const imported = await measureImporting(installation.scope, 2000, installation.databaseFolder)
    expect(imported.refused).toBe(2)
  } finally {
    await installation.stop()
  }
})

test('orders enter scenarios, and a rehearsal looks back on some', async () => {
  const { executions } = await runEnteringBench(40)
  expect(executions).toBeGreaterThan(40)
  const { events, mails } = await runRehearsalBench(500)
  expect(events).toBeGreaterThan(0)
  expect(mails).toBeGreaterThan(0)
})
