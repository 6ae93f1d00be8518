import { hostname } from 'node:os'
import path from 'node:path'
import { createLine } from '../integrations/line/index.ts'
import { createDns } from '../integrations/dns/index.ts'
import { createMailers } from '../integrations/mail/mailer.ts'
import { createSystemMail } from '../integrations/mail/system-mail.ts'
import { createShopify } from '../integrations/shopify/index.ts'
import { createStorage } from '../integrations/storage/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Integrations } from '../kernel/context.ts'
import type { Config } from './config.ts'

/** The clients for the outside world, made from the configuration. */
export async function createIntegrations(config: Config, clock: Clock): Promise<Integrations> {
  return {
    mailers: createMailers({
      smtpUrl: config.smtpUrl,
      smtpUrlDomestic: config.smtpUrlDomestic,
      connections: config.smtpConnections,
      heloName: hostname(),
      signingKey: config.dkim,
      now: () => clock.now(),
    }),
    dns: createDns({ servers: config.dnsServers }),
    systemMail: createSystemMail({ smtpUrl: config.smtpUrl, sender: config.systemSender, signingKey: config.dkim }),
    shopify: config.shopify && createShopify({ ...config.shopify, sandboxUrl: config.sandbox?.url ?? null }),
    line: createLine(config.line),
    storage: await createStorage({ folder: path.join(config.dataDir, 'media'), s3: config.s3 }),
  }
}
