import { createPrivateKey, type KeyObject } from 'node:crypto'
import { Resolver } from 'node:dns'
import fs from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { readSendgridKey } from '../integrations/bounces/sendgrid.ts'
import { StartupError } from '../kernel/errors.ts'
import { readTlsFiles, type TlsFiles } from '../integrations/inbound-mail/inbound-mail.ts'
import { isLoopbackHost } from '../kernel/loopback.ts'

/** Where a port is asked for and none given. */
const DEFAULT_PORT = 3000

/** What Okaeri and its sandbox keep in the data folder; the database closes its own. */
export const KEPT_IN_DATA_FOLDER = [
  'departures',
  'imports',
  'media',
  'sandbox',
  'sandbox-app.json',
  'secrets.json',
] as const

const Port = z.coerce.number().int().min(0).max(65_535)
/** What is wrong with it is not said with the value, which may hold a password. */
const addressOf = (protocol: RegExp, example: string) =>
  z.url({
    protocol,
    error: `not an address like ${example}${example.includes('@') ? '; signs such as @, # or / in a password are written %40, %23, %2F' : ''}`,
  })
const Address = addressOf(/^https?$/, 'https://okaeri.example').transform((url) => url.replace(/\/$/, ''))
/** Kept as written: what stands behind a page's address is not ours to change. */
const PolicyPage = addressOf(/^https?$/, 'https://okaeri.example/terms').optional()
const MailServer = addressOf(/^smtps?$/, 'smtp://user:password@mail.example:587')

/** As `node:dns` takes them: addresses, with a port where it is not 53. */
const NameServers = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((one) => one !== ''))
  .refine((servers) => servers.length > 0 && servers.every(isNameServer), 'not addresses like 9.9.9.9,[2620:fe::fe]:53')
function isNameServer(server: string): boolean {
  try {
    new Resolver().setServers([server])
    return true
  } catch {
    return false
  }
}

/** The client reads these files without a word of what they are for, and warns at length of modes it takes for `verify-full`. */
const DatabaseAddress = addressOf(/^postgres(ql)?$/, 'postgres://user:password@db.example:5432/okaeri').transform(
  (address, { addIssue }) => {
    const url = new URL(address)
    for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
      const file = url.searchParams.get(name)
      if (file !== null && !isReadable(file))
        addIssue({ code: 'custom', message: `its ${name} ${file} cannot be read` })
    }
    if (url.searchParams.has('uselibpqcompat')) return address
    if (!/^(prefer|require|verify-ca)$/.test(url.searchParams.get('sslmode') ?? '')) return address
    url.searchParams.set('sslmode', 'verify-full')
    return url.href
  },
)
/** Read here, so that what is wrong with it is said at the start; later ones are read where they are used. */
function readBounceTls(e: { BOUNCE_TLS_CERT_FILE?: string | undefined; BOUNCE_TLS_KEY_FILE?: string | undefined }) {
  const { BOUNCE_TLS_CERT_FILE: certFile, BOUNCE_TLS_KEY_FILE: keyFile } = e
  if (!certFile && !keyFile) return null
  if (!certFile || !keyFile)
    throw new StartupError('BOUNCE_TLS_CERT_FILE and BOUNCE_TLS_KEY_FILE go together; one of them is missing.')
  const files: TlsFiles = { certFile, keyFile }
  try {
    readTlsFiles(files)
  } catch (error) {
    throw new StartupError(
      `The certificate of BOUNCE_TLS_CERT_FILE and the key of BOUNCE_TLS_KEY_FILE cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  return files
}

/** A host that DNS can point to; null for addresses and names of one machine. */
function nameOfHost(url: string | undefined): string | null {
  const host = url === undefined ? null : new URL(url).hostname
  return host === null || host.startsWith('[') || isIP(host) || !host.includes('.') ? null : host
}
function isReadable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.R_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Everything that can be set from outside, parsed once. The table in docs/configuration.md is made from these names; a name
 * that is not here has no effect.
 */
const Environment = z.object({
  PORT: Port.default(DEFAULT_PORT),
  HEALTH_PORT: Port.default(0),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(60).default(0),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: Address.optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: DatabaseAddress.optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(16),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
  SECRETS_FILE: z.string().min(1).optional(),
  SMTP_URL: MailServer.optional(),
  SMTP_URL_DOMESTIC: MailServer.optional(),
  SMTP_CONNECTIONS: z.coerce.number().int().min(1).max(200).default(20),
  DNS_SERVERS: NameServers.optional(),
  SPF_MECHANISM: z
    .string()
    .regex(
      /^(?:[+?~]?(?:include|a|mx|ip4|ip6|exists)(?:[:/][\x21-\x7e]+)?\s*)+$/i,
      'not a mechanism like include:spf.mail.example',
    )
    .transform((text) => text.trim())
    .optional(),
  LINK_DOMAIN_TARGET: z
    .hostname()
    .transform((host) => host.toLowerCase())
    .optional(),
  DKIM_DOMAIN: z.hostname().optional(),
  DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i, 'not a selector like mail2026')
    .optional(),
  DKIM_KEY_FILE: z.string().min(1).optional(),
  BOUNCE_DOMAIN: z
    .string()
    .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i, 'not a domain like bounce.example.com')
    .max(189)
    .transform((domain) => domain.toLowerCase())
    .optional(),
  BOUNCE_SMTP_PORT: Port.optional(),
  BOUNCE_TLS_CERT_FILE: z.string().min(1).optional(),
  BOUNCE_TLS_KEY_FILE: z.string().min(1).optional(),
  BOUNCE_EVIDENCE_DAYS: z.coerce.number().int().min(7).max(3650).default(90),
  BOUNCE_IMAP_URL: addressOf(/^imaps?$/, 'imaps://user:password@mail.example/INBOX').optional(),
  SES_TOPIC_ARNS: z
    .string()
    .transform((list) => list.split(',').map((arn) => arn.trim()))
    .pipe(
      z.array(
        z
          .string()
          .regex(
            /^arn:aws[a-z-]{0,10}:sns:[a-z0-9-]{5,30}:\d{12}:[\w.-]{1,256}$/,
            'not a topic like arn:aws:sns:ap-northeast-1:123456789012:bounces',
          ),
      ),
    )
    .optional(),
  SENDGRID_WEBHOOK_KEY: z
    .string()
    .transform((key, { addIssue }) => {
      const read = readSendgridKey(key)
      if (!read) addIssue({ code: 'custom', message: 'not the verification key of a signed event webhook' })
      return read
    })
    .optional(),
  SYSTEM_SENDER: z.string().min(3).default('no-reply@okaeri.test'),
  STAGING: z.enum(['true', 'false']).default('false'),
  SIGN_UP: z.enum(['open', 'invite', 'closed']).optional(),
  PRIVACY_POLICY_URL: PolicyPage,
  TERMS_URL: PolicyPage,
  SANDBOX: z.enum(['on', 'off']).default('on'),
  SANDBOX_PORT: Port.optional(),
  SANDBOX_SMTP_PORT: Port.optional(),
  SANDBOX_DNS_PORT: Port.optional(),
  SHOPIFY_API_KEY: z.string().min(1).optional(),
  SHOPIFY_API_SECRET: z.string().min(1).optional(),
  SHOPIFY_API_SECRET_FORMER: z.string().min(1).optional(),
  SHOPIFY_SCOPES: z
    .string()
    .default(
      'read_customers,write_customers,read_customer_merge,read_orders,read_all_orders,read_products,read_inventory,read_locales,write_discounts,write_app_proxy',
    ),
  LINE_API_URL: Address.optional(),
  LINE_DATA_API_URL: Address.optional(),
  LINE_ACCESS_URL: Address.optional(),
  MEDIA_MAX_COUNT: z.coerce.number().int().min(1).max(100_000).default(5000),
  MEDIA_MAX_MB: z.coerce.number().int().min(1).max(1_000_000).default(2000),
  S3_BUCKET: z.string().min(3).optional(),
  S3_ENDPOINT: Address.optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_PATH_STYLE: z.enum(['true', 'false']).default('false'),
  DEMO_PASSWORD: z.string().min(10).optional(),
  LEASE_SECONDS: z.coerce.number().int().min(2).max(600).default(15),
  CRASH_AT: z.string().optional(),
  TEST_MODE_CAP: z.coerce.number().int().min(1).max(1000).default(10),
  TEST_MAILS_PER_DAY: z.coerce.number().int().min(1).max(100_000).default(200),
})

export interface Config {
  port: number
  host: string
  /** Where a process that only works answers `/healthz` and `/readyz`; 0 is any free port. */
  healthPort: number
  /** From the moment it reports not ready until it accepts no more requests. */
  drainSeconds: number
  publicUrl: string
  /** See kernel/context.ts. */
  linkTarget: string | null
  dataDir: string
  databaseUrl: string | null
  databasePool: number
  roles: { api: boolean; worker: boolean }
  production: boolean
  /** A copy for trying things out. Search engines must not index it. */
  staging: boolean
  logLevel: string
  secretsFile: string
  smtpUrl: string
  smtpUrlDomestic: string | null
  smtpConnections: number
  /** Signs mail that no merchant's own key signs. */
  dkim: { domain: string; selector: string; key: KeyObject } | null
  /** Null: the system's. */
  dnsServers: string[] | null
  spfMechanism: string | null
  systemSender: string
  bounces: {
    /** Null: mails come back to their senders. */
    domain: string | null
    /** Where they are taken; null: nowhere in this process. */
    smtpPort: number | null
    /** Null: no STARTTLS is offered. */
    tls: TlsFiles | null
    evidenceDays: number
    mailbox: string | null
    sesTopics: readonly string[]
    sendgridKey: KeyObject | null
  }
  sandbox: { url: string; smtpUrl: string } | null
  /** The outside world is the sandbox, and only this machine reaches us. Only then may debug routes be open and private addresses be called. */
  isLocalSandbox: boolean
  shopify: { apiKey: string; apiSecret: string; formerSecret: string | null; scopes: string[] } | null
  line: { apiUrl: string; dataApiUrl: string; accessUrl: string }
  /** Where pictures are kept; null: in the data folder. */
  s3: {
    endpoint: string | null
    region: string
    bucket: string
    accessKeyId: string
    secretAccessKey: string
    usesPath: boolean
  } | null
  /** What one merchant may keep. */
  mediaQuota: { count: number; bytes: number }
  demoPassword: string | null
  leaseSeconds: number
  testModeCap: number
  testMailsPerDay: number
  signUp: 'open' | 'invite' | 'closed'
  /** What people agree to when they sign up; null where the operator has no such page. */
  policies: { privacy: string | null; terms: string | null }
  /** See kernel/crash-point. */
  crashAt: string | null
}

/** Reads the environment. Throws {@link StartupError} naming every variable that is wrong. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.message})`)
    throw new StartupError(`The configuration is wrong: ${wrong.join('; ')}.`)
  }
  const e = parsed.data
  const dataDir = path.resolve(e.DATA_DIR)
  const sandboxPort = e.SANDBOX_PORT ?? e.PORT + 1
  const sandbox =
    e.SANDBOX === 'on'
      ? { url: `http://127.0.0.1:${sandboxPort}`, smtpUrl: `smtp://127.0.0.1:${e.SANDBOX_SMTP_PORT ?? e.PORT + 2}` }
      : null
  if (sandbox) refuseSandboxUnlessLocal(e)
  else refuseOpenAddresses(e)
  const smtpUrl = e.SMTP_URL ?? sandbox?.smtpUrl
  if (!smtpUrl) throw new StartupError('SMTP_URL is needed when SANDBOX=off: without it no mail can be sent.')
  const bounceDomain = e.BOUNCE_DOMAIN ?? (sandbox && e.BOUNCE_SMTP_PORT !== undefined ? 'bounce.okaeri.test' : null)
  if (e.BOUNCE_SMTP_PORT !== undefined && bounceDomain === null)
    throw new StartupError('BOUNCE_SMTP_PORT needs BOUNCE_DOMAIN: it takes mail for that domain alone.')
  if (Boolean(e.SHOPIFY_API_KEY) !== Boolean(e.SHOPIFY_API_SECRET))
    throw new StartupError('SHOPIFY_API_KEY and SHOPIFY_API_SECRET go together; one of them is missing.')
  return {
    port: e.PORT,
    host: e.HOST,
    healthPort: e.HEALTH_PORT,
    drainSeconds: e.DRAIN_SECONDS,
    publicUrl: e.PUBLIC_URL ?? `http://127.0.0.1:${e.PORT}`,
    dataDir,
    databaseUrl: e.DATABASE_URL ?? null,
    databasePool: e.DATABASE_POOL,
    roles: { api: e.ROLE !== 'worker', worker: e.ROLE !== 'api' },
    production: e.NODE_ENV === 'production',
    staging: e.STAGING === 'true',
    logLevel: e.LOG_LEVEL,
    secretsFile: e.SECRETS_FILE ? path.resolve(e.SECRETS_FILE) : path.join(dataDir, 'secrets.json'),
    smtpUrl,
    smtpUrlDomestic: e.SMTP_URL_DOMESTIC ?? null,
    smtpConnections: e.SMTP_CONNECTIONS,
    dkim: readDkimKey(e),
    dnsServers: e.DNS_SERVERS ?? (sandbox ? [`127.0.0.1:${e.SANDBOX_DNS_PORT ?? e.PORT + 3}`] : null),
    spfMechanism: e.SPF_MECHANISM ?? null,
    linkTarget: e.LINK_DOMAIN_TARGET ?? (sandbox ? 'links.okaeri.test' : nameOfHost(e.PUBLIC_URL)),
    systemSender: e.SYSTEM_SENDER,
    bounces: {
      domain: bounceDomain,
      smtpPort: e.BOUNCE_SMTP_PORT ?? null,
      tls: readBounceTls(e),
      evidenceDays: e.BOUNCE_EVIDENCE_DAYS,
      mailbox: e.BOUNCE_IMAP_URL ?? null,
      sesTopics: e.SES_TOPIC_ARNS ?? [],
      sendgridKey: e.SENDGRID_WEBHOOK_KEY ?? null,
    },
    sandbox,
    isLocalSandbox: sandbox !== null,
    shopify:
      e.SHOPIFY_API_KEY && e.SHOPIFY_API_SECRET
        ? {
            apiKey: e.SHOPIFY_API_KEY,
            apiSecret: e.SHOPIFY_API_SECRET,
            formerSecret: e.SHOPIFY_API_SECRET_FORMER ?? null,
            scopes: e.SHOPIFY_SCOPES.split(',').map((scope) => scope.trim()),
          }
        : null,
    line: {
      apiUrl: e.LINE_API_URL ?? (sandbox ? `${sandbox.url}/line/api` : 'https://api.line.me'),
      dataApiUrl: e.LINE_DATA_API_URL ?? (sandbox ? `${sandbox.url}/line/data` : 'https://api-data.line.me'),
      accessUrl: e.LINE_ACCESS_URL ?? (sandbox ? `${sandbox.url}/line/access` : 'https://access.line.me'),
    },
    s3: s3Of(e),
    mediaQuota: { count: e.MEDIA_MAX_COUNT, bytes: e.MEDIA_MAX_MB * 1024 * 1024 },
    demoPassword: e.DEMO_PASSWORD ?? null,
    leaseSeconds: e.LEASE_SECONDS,
    testModeCap: e.TEST_MODE_CAP,
    testMailsPerDay: e.TEST_MAILS_PER_DAY,
    // On a private machine anyone may sign up. On a public address that would make every visitor a tenant, so an invitation is needed.
    signUp: e.SIGN_UP ?? (sandbox ? 'open' : 'invite'),
    policies: { privacy: e.PRIVACY_POLICY_URL ?? null, terms: e.TERMS_URL ?? null },
    crashAt: e.NODE_ENV === 'test' && sandbox ? (e.CRASH_AT ?? null) : null,
  }
}

function readDkimKey({
  DKIM_DOMAIN: domain,
  DKIM_SELECTOR: selector,
  DKIM_KEY_FILE: file,
}: z.infer<typeof Environment>) {
  if (!domain && !selector && !file) return null
  if (!domain || !selector || !file)
    throw new StartupError('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE go together; one of them is missing.')
  const key = readPrivateKey(file)
  if (key?.asymmetricKeyType !== 'rsa')
    throw new StartupError(`DKIM_KEY_FILE ${file} is not a file with an RSA private key (PEM) that can be read.`)
  return { domain, selector, key }
}
function readPrivateKey(file: string): KeyObject | null {
  try {
    return createPrivateKey(fs.readFileSync(file))
  } catch {
    return null
  }
}

function s3Of(e: z.infer<typeof Environment>): Config['s3'] {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = e
  if (!bucket && !accessKeyId && !secretAccessKey && !e.S3_ENDPOINT) return null
  if (!bucket || !accessKeyId || !secretAccessKey)
    throw new StartupError(
      'S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together; one of them is missing. Without all of them pictures are kept in the data folder.',
    )
  return {
    endpoint: e.S3_ENDPOINT ?? null,
    region: e.S3_REGION,
    bucket,
    accessKeyId,
    secretAccessKey,
    usesPath: e.S3_PATH_STYLE === 'true',
  }
}

/** In the sandbox strangers could move its clock, read its mails and call our debug routes. */
function refuseSandboxUnlessLocal(e: z.infer<typeof Environment>): void {
  const open = [
    ...(e.NODE_ENV === 'production' ? ['NODE_ENV=production'] : []),
    ...(isLoopbackHost(e.HOST) ? [] : [`HOST=${e.HOST}`]),
    ...(!e.PUBLIC_URL || isLoopbackHost(new URL(e.PUBLIC_URL).hostname) ? [] : [`PUBLIC_URL=${e.PUBLIC_URL}`]),
  ]
  if (open.length > 0)
    throw new StartupError(
      `The sandbox is for this machine alone and does not go together with ${open.join(' and ')}: set SANDBOX=off (and SMTP_URL, SHOPIFY_API_KEY, SHOPIFY_API_SECRET) for the real world, or leave ${open.map((one) => one.split('=')[0]).join(' and ')} unset to try Okaeri out.`,
    )
}

/** What people agree to must not be changed on its way to them, and tokens must not be read. */
function refuseOpenAddresses(e: z.infer<typeof Environment>): void {
  for (const name of [
    'PRIVACY_POLICY_URL',
    'TERMS_URL',
    'LINE_API_URL',
    'LINE_DATA_API_URL',
    'LINE_ACCESS_URL',
  ] as const)
    if (e[name]?.startsWith('http:'))
      throw new StartupError(`${name} is ${e[name]}: outside the sandbox it must begin with https://.`)
}
