import type { DatabaseSync } from 'node:sqlite'
import type { FastifyInstance } from 'fastify'
import type { SandboxClock } from '../clock.ts'
import { acceptOwnForms } from '../http.ts'
import { accountRoutes } from './account-calls.ts'
import { mountCalls } from './api.ts'
import { mountChannelTokens } from './channel-tokens.ts'
import { createTables } from './database.ts'
import { insightRoutes } from './insight.ts'
import { mountLogin } from './login.ts'
import { menuPictureRoutes, menuRoutes } from './menus.ts'
import { mountPages } from './pages/pages.ts'
import type { LinePlatform } from './platform.ts'
import { speakAsLine } from './refusals.ts'
import { mountLineApi } from './sandbox-api.ts'
import { seedLine } from './seed.ts'
import { sendRoutes } from './sends.ts'
import { startWebhookSender } from './webhooks.ts'

export interface LineOptions {
  database: DatabaseSync
  clock: SandboxClock
  /** Origin the sandbox is reached at, known once it listens. */
  publicUrl: () => string
  /** The shop whose customers are the people on LINE. */
  shop: string
  /** How late a slow answer is (default 5 s). */
  slowMs?: number
  log?: (line: string) => void
}

/**
 * Plays LINE: `/line/api` is api.line.me, `/line/data` api-data.line.me, `/line/access` access.line.me; people's phones and the account's
 * consoles are the pages under `/line`.
 */
export async function mountLine(
  app: FastifyInstance,
  options: LineOptions,
): Promise<{
  /** Sends the webhooks there are; returns whether there was any. */
  settle(): Promise<boolean>
  close(): Promise<void>
}> {
  const platform: LinePlatform = {
    database: options.database,
    clock: options.clock,
    publicUrl: () => options.publicUrl().replace(/\/$/, ''),
    slowMs: options.slowMs ?? 5000,
    log: options.log ?? (() => undefined),
    wakeWebhooks: () => undefined,
  }
  createTables(options.database)
  seedLine(platform, options.shop)
  const sender = startWebhookSender(platform)
  platform.wakeWebhooks = sender.wake

  await app.register(
    async (api) => {
      speakAsLine(api, platform.log)
      mountCalls(api, platform, [...sendRoutes, ...accountRoutes, ...menuRoutes, ...insightRoutes])
      mountChannelTokens(api, platform)
      mountLogin(api, platform)
    },
    { prefix: '/line/api' },
  )
  await app.register(
    async (data) => {
      speakAsLine(data, platform.log)
      mountCalls(data, platform, menuPictureRoutes)
    },
    { prefix: '/line/data' },
  )
  await app.register(async (pages) => {
    await acceptOwnForms(pages)
    mountLineApi(pages, platform)
    mountPages(pages, platform)
  })
  return sender
}
