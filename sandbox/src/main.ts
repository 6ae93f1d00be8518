import { join } from 'node:path'

// node:sqlite says once that it is experimental; every other warning goes through.
const emitWarning = process.emitWarning.bind(process)
process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
  const text = typeof warning === 'string' ? warning : warning.message
  if (!text.startsWith('SQLite is an experimental feature')) emitWarning(warning, ...rest)
}) as typeof process.emitWarning

// After the line above, or the import would warn first.
const { startSandbox } = await import('./app.ts')

const port = portOf('SANDBOX_PORT', 3001)
const smtpPort = portOf('SANDBOX_SMTP_PORT', 3002)
const dnsPort = portOf('SANDBOX_DNS_PORT', 3003)
const dataDir = join(process.env.DATA_DIR ?? '.data', 'sandbox')
const folderErrors = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ERR_SQLITE_ERROR'])

try {
  const sandbox = await startSandbox({
    port,
    smtpPort,
    dnsPort,
    dataDir,
    appUrl: process.env.APP_URL,
    ...(process.env.BOUNCE_SMTP_PORT && { bounceSmtpPort: portOf('BOUNCE_SMTP_PORT', 0) }),
    apiKey: process.env.SHOPIFY_API_KEY ?? 'sandbox-api-key',
    apiSecret: process.env.SHOPIFY_API_SECRET ?? 'sandbox-api-secret',
    log: (line) => process.stderr.write(`sandbox: ${line}\n`),
  })

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await sandbox.close()
    process.exit(0)
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())
  // The parent is gone, however it went; perhaps while we were starting.
  process.on('disconnect', () => void stop())

  if (process.send !== undefined && !process.connected) void stop()
  else if (process.send === undefined) process.stdout.write(`Sandbox: ${sandbox.url}  Mail: ${sandbox.smtpUrl}\n`)
  else process.send({ ready: true, url: sandbox.url, smtpUrl: sandbox.smtpUrl })
} catch (error) {
  fail(sentenceOf(error))
}

function portOf(name: string, fallback: number): number {
  const value = process.env[name]
  if (value === undefined || value === '') return fallback
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0 || number > 65_535) fail(`${name} must be a port number, not "${value}".`)
  return number
}

function sentenceOf(error: unknown): string {
  const { code, port: taken, message, path } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') {
    const name = taken === smtpPort ? 'SANDBOX_SMTP_PORT' : taken === dnsPort ? 'SANDBOX_DNS_PORT' : 'SANDBOX_PORT'
    return `Port ${taken} is in use by another program; stop it or set ${name} to another port.`
  }
  if (code !== undefined && folderErrors.has(code)) {
    return `The sandbox cannot use ${path ?? dataDir} as its data folder (${message}); set DATA_DIR to a folder it may write to.`
  }
  return `The sandbox could not start: ${message}`
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
