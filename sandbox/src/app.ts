import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import { createClock, type MovableClock } from './clock.ts'
import { mountControl } from './control.ts'
import { mountDns } from './dns/routes.ts'
import { listenDns } from './dns/server.ts'
import { createZone, type Zone } from './dns/zone.ts'
import { answerErrors, answerOwnNames } from './http.ts'
import { createMailbox, type Mailbox } from './mail/mailbox.ts'
import { mountMail } from './mail/routes.ts'
import { listenSmtp } from './mail/smtp.ts'
import { createMailStore } from './mail/store.ts'
import { mountLine } from './line/index.ts'
import { mainShop, mountShopify } from './shopify/index.ts'

export interface SandboxOptions {
  /** HTTP port on 127.0.0.1; 0 takes any free one. */
  port: number
  /** SMTP port on 127.0.0.1; 0 takes any free one. */
  smtpPort: number
  /** DNS port on 127.0.0.1, UDP and TCP; 0 takes any free one. */
  dnsPort: number
  /** Folder of the database; null keeps everything in memory. */
  dataDir: string | null
  /** The address the outside sees, when it is not `http://127.0.0.1:<port>`. */
  publicUrl?: string
  /** Where Okaeri is: its images may load in the mailbox. */
  appUrl?: string
  /** Credentials of the app, as the store platform would have given them. */
  apiKey: string
  apiSecret: string
  /** How many records the store is born with. */
  seed?: { customers: number; products: number; orders: number }
  /** Where Okaeri takes mails that come back: the server for the envelope's sender. */
  bounceSmtpPort?: number
  /** How late the slow addresses are answered (default 5 s). */
  slowMs?: number
  log?: (line: string) => void
}

export interface Sandbox {
  url: string
  smtpUrl: string
  port: number
  smtpPort: number
  dnsPort: number
  /** The records its DNS answers. */
  zone: Zone
  clock: MovableClock
  mailbox: Mailbox
  /** Does all that is under way (bulk operations, webhooks) to its end; returns whether there was any. */
  settle(): Promise<boolean>
  close(): Promise<void>
}

/** For one sandbox at a time, however it ends; throws where another has the folder. */
function lockFolder(folder: string): () => void {
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    const BUSY = 5
    if ((error as { errcode?: number }).errcode !== BUSY) throw error
    throw new Error(`another sandbox uses ${folder}: stop that one, or set DATA_DIR to another folder`)
  }
  return () => lock.close()
}

/** Starts the outside world. Rejects with `EADDRINUSE` when a port is taken, leaving nothing open. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, appUrl, apiKey, apiSecret, seed, log } = options
  if (dataDir !== null) mkdirSync(dataDir, { recursive: true })
  const release = dataDir === null ? () => {} : lockFolder(dataDir)
  const database = new DatabaseSync(dataDir === null ? ':memory:' : join(dataDir, 'sandbox.sqlite'))
  // A power cut may cost the last moments, a crash of the process nothing; the busy timeout is for a person with sqlite3.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000')

  const closing: (() => Promise<void> | void)[] = [release, () => database.close()]
  async function close(): Promise<void> {
    for (const step of closing.splice(0).reverse()) await step()
  }

  try {
    const clock = createClock(database)
    const store = createMailStore(database, clock)
    closing.push(() => store.close())
    const smtp = await listenSmtp({
      store,
      port: options.smtpPort,
      slowMs: options.slowMs,
      bounceSmtpPort: options.bounceSmtpPort,
      now: () => clock.now(),
      log,
    })
    closing.push(() => smtp.close())
    const dns = await listenDns({
      zone: createZone(database),
      port: options.dnsPort,
      slowMs: options.slowMs,
      log,
    })
    closing.push(() => dns.close())
    const smtpUrl = `smtp://127.0.0.1:${smtp.port}`

    // The store platform's bulk uploads are larger than Fastify's one megabyte.
    const app = Fastify({
      logger: false,
      bodyLimit: 20 * 1024 * 1024,
      forceCloseConnections: true,
      // An unknown field is a mistake to report, not to drop.
      ajv: { customOptions: { removeAdditional: false } },
    })
    closing.push(() => app.close())
    let url = options.publicUrl ?? ''
    const publicUrl = () => url
    answerErrors(app, log)
    answerOwnNames(app, publicUrl)
    await mountControl(app, { clock, store, smtp, smtpUrl, publicUrl, appUrl, settle })
    await mountMail(app, { store, smtp, smtpUrl, appUrl })
    await mountDns(app, dns)
    const shopify = await mountShopify(app, { database, clock, publicUrl, apiKey, apiSecret, appUrl, seed, log })
    closing.push(() => shopify.close())
    const line = await mountLine(app, { database, clock, publicUrl, shop: mainShop, slowMs: options.slowMs, log })
    closing.push(() => line.close())
    async function settle(): Promise<boolean> {
      const returned = await smtp.settle()
      const ran = (await shopify.settle()) || returned
      return (await line.settle()) || ran
    }

    await app.listen({ port: options.port, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    if (url === '') url = `http://127.0.0.1:${port}`
    return {
      url,
      smtpUrl,
      port,
      smtpPort: smtp.port,
      dnsPort: dns.port,
      zone: dns.zone,
      clock,
      mailbox: createMailbox(store),
      settle,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
