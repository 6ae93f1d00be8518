import { test as base } from '@playwright/test'
import { type Addresses, enter } from '../addresses.ts'
import { run } from '../run.ts'
import { givenWorld, startWorld, type Template } from '../world.ts'

export { expect } from '@playwright/test'

/** Of each worker its own, from its first journey to its last; a new one after a journey that failed, as Playwright starts another worker. */
async function useWorld(use: (world: Addresses) => Promise<void>): Promise<void> {
  if (run.given) {
    enter(givenWorld(run.given))
    return use(givenWorld(run.given))
  }
  const world = await startWorld(JSON.parse(process.env.E2E_TEMPLATE ?? '') as Template)
  enter(world)
  await use(world)
  await world.end()
}

export const test = base.extend<object, { world: Addresses }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what is asked for here.
  world: [({}, use) => useWorld(use), { scope: 'worker', auto: true, timeout: 120_000 }],
  baseURL: ({ world }, use) => use(`${world.okaeriUrl}/_app/`),
})
