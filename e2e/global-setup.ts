import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, request } from '@playwright/test'
import { enter } from './addresses.ts'
import { overTheApi } from './journeys/account.ts'
import { settle } from './journeys/outside-world.ts'
import { root, run } from './run.ts'
import { startFirstWorld } from './world.ts'

/** Before the first journey: a world with the demo merchant and its store, copied, is made and stopped; each worker begins with a copy. */
export default async function makeTemplate(): Promise<(() => Promise<void>) | undefined> {
  if (run.given) return undefined
  const node = path.join(root, 'node_modules/.bin/node')
  const postgres = spawn(node, ['server/test/postgres.ts'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { world, template } = await startFirstWorld(await addressOf(postgres))
  enter(world)
  const asked = await request.newContext()
  await settle(asked)
  const demo = await overTheApi(asked, { email: 'demo@okaeri.test', password: run.password })
  const { sync } = await demo.get<{ sync: { status: string } }>('/store/sync')
  expect(sync.status, 'the demo store is copied').toBe('done')
  await asked.dispose()
  await world.stop()
  process.env.E2E_TEMPLATE = JSON.stringify(template)
  return async () => {
    const gone = new Promise((resolve) => postgres.once('exit', resolve))
    postgres.disconnect()
    await gone
    fs.rmSync(template.dataDir, { recursive: true, force: true })
  }
}

const addressOf = (postgres: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    postgres.once('message', (url) => resolve(url as string))
    postgres.once('error', reject)
    postgres.once('exit', (code) => reject(new Error(`PostgreSQL did not start (${code})`)))
  })
