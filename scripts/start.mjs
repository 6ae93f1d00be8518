// npm start: installs and builds where needed, then keeps Okaeri and its sandbox running as two children.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { buildWeb, env, fail, install, node, root } from './lib.mjs'

const STORE = 'okaeri-sandbox.myshopify.com'
const FIRST_BACK_OFF_MS = 500
const MAX_BACK_OFF_MS = 30_000
/** A child that ran this long begins again with the shortest back-off. */
const STEADY_MS = 60_000
/** Longer than a child gives itself (server/src/main.ts): killed by us, what it sends just then would be of unknown outcome. */
const STOP_PATIENCE_MS = 20_000
const ASKED_AGAIN_MS = 2000
/** Space for young objects, in MB: Node would take twice as much, and a worker that sends fills what it may (docs/performance.md). */
const YOUNG = ['--max-semi-space-size=16']
const PARENT_LOOKED_FOR_MS = 500
const startedBy = process.ppid

const given = (name) => (process.env[name] === '' ? undefined : process.env[name])
const isWorker = given('ROLE') === 'worker'
const hasSandbox = given('SANDBOX') !== 'off'

install()
const dataDir = path.resolve(root, given('DATA_DIR') ?? '.data')
// Errors in the configuration or the data folder are reported before anything is built or made in it.
const preflight = spawnSync(node(), ['server/src/preflight.ts'], {
  cwd: root,
  env: { ...env, DATA_DIR: dataDir },
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (preflight.status !== 0) process.exit(preflight.status ?? 1)
// The preflight has looked at it.
const drainMs = Number(given('DRAIN_SECONDS') ?? 0) * 1000
const port = portOf('PORT', 3000)
const sandboxPorts = hasSandbox
  ? {
      SANDBOX_PORT: portOf('SANDBOX_PORT', port + 1),
      SANDBOX_SMTP_PORT: portOf('SANDBOX_SMTP_PORT', port + 2),
      SANDBOX_DNS_PORT: portOf('SANDBOX_DNS_PORT', port + 3),
      BOUNCE_SMTP_PORT: portOf('BOUNCE_SMTP_PORT', port + 4),
    }
  : {}
if (!isWorker) {
  await refuseBusyPorts()
  buildWeb()
}
// What is made from here on is for this account alone.
process.umask(0o077)
const childEnv = {
  ...env,
  DATA_DIR: dataDir,
  ...Object.fromEntries(Object.entries(sandboxPorts).map(([name, number]) => [name, String(number)])),
  ...(hasSandbox ? sandboxApp() : {}),
}

function portOf(name, otherwise) {
  const value = Number(given(name) ?? otherwise)
  if (!Number.isInteger(value) || value < 1 || value > 65_535)
    fail(`${name} must be a port number from 1 to 65535, not "${given(name) ?? otherwise}".`)
  return value
}

/** Looked at before anything starts, so that the first sentence is about the port that was asked for. */
async function refuseBusyPorts() {
  const wanted = [
    ['PORT', port, given('HOST') ?? '127.0.0.1'],
    ...Object.entries(sandboxPorts).map(([name, number]) => [name, number, '127.0.0.1']),
  ]
  for (const [name, number, host] of wanted) {
    const code = await new Promise((resolve) => {
      const probe = net.createServer()
      probe.once('error', (error) => resolve(error.code))
      probe.listen(number, host, () => probe.close(() => resolve(null)))
    })
    if (code === 'EADDRINUSE')
      fail(`Port ${number} is in use by another program; stop it or set ${name} to another port.`)
  }
}

/** What the store platform would have given our app; the same for both children and for every worker. */
function sandboxApp() {
  if (given('SHOPIFY_API_KEY') || given('SHOPIFY_API_SECRET')) return {}
  const file = path.join(dataDir, 'sandbox-app.json')
  try {
    if (!fs.existsSync(file)) {
      const fresh = `${file}.${process.pid}`
      const app = { apiKey: randomBytes(16).toString('hex'), apiSecret: `shpss_${randomBytes(16).toString('hex')}` }
      try {
        fs.writeFileSync(fresh, JSON.stringify(app, null, 2), { mode: 0o600 })
        // Fails when another start was first: then its credentials are the ones.
        fs.linkSync(fresh, file)
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      } finally {
        fs.rmSync(fresh, { force: true })
      }
    }
    const { apiKey, apiSecret } = JSON.parse(fs.readFileSync(file, 'utf8'))
    return { SHOPIFY_API_KEY: apiKey, SHOPIFY_API_SECRET: apiSecret }
  } catch (error) {
    return error instanceof SyntaxError
      ? fail(`${file} is not valid JSON; delete it, and connect the sandbox's stores again.`)
      : fail(`Cannot write to the data folder ${dataDir} (${error.code ?? error.message}); allow it or set DATA_DIR.`)
  }
}

let stopping = false
let stoppingSince = 0
const children = []

/** Keeps one child running: for good, once it has served. `onSaid` hears what it says; `ready` comes when it serves. */
function keep(name, file, extraEnv, onSaid = () => {}) {
  const kept = { process: null, gone: Promise.resolve() }
  let backOffMs = FIRST_BACK_OFF_MS
  const ready = new Promise((resolve) => {
    let served = false
    const begin = () => {
      const startedAt = Date.now()
      // A group of its own: Ctrl-C reaches this process alone, which stops the children in order.
      const child = spawn(node(), [...YOUNG, file], {
        cwd: root,
        env: { ...childEnv, ...extraEnv },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        detached: true,
      })
      kept.process = child
      kept.gone = new Promise((gone) => child.once('exit', gone))
      child.on('message', (message) => {
        onSaid(message)
        if (!message?.ready) return
        served = true
        resolve(message)
      })
      child.once('error', (error) => fail(`Cannot start ${name} (${error.message}).`))
      child.once('exit', (code, signal) => {
        kept.process = null
        if (stopping) return
        // It said why and ended before it ever served (a busy port, a wrong password): nothing to repeat.
        if (signal === null && !served) {
          void stop(1)
          return
        }
        if (Date.now() - startedAt > STEADY_MS) backOffMs = FIRST_BACK_OFF_MS
        process.stderr.write(
          `${name} ended (${signal ?? `status ${code}`}); starting it again in ${backOffMs / 1000} s\n`,
        )
        setTimeout(() => {
          if (!stopping) begin()
        }, backOffMs)
        backOffMs = Math.min(backOffMs * 2, MAX_BACK_OFF_MS)
      })
    }
    begin()
  })
  children.push(kept)
  return ready
}

/** In the order they were started: Okaeri lets go of the sandbox before the sandbox ends. */
async function stop(status) {
  if (stopping) return
  stopping = true
  stoppingSince = Date.now()
  for (const kept of children) {
    if (!kept.process) continue
    kept.process.kill('SIGTERM')
    const timer = setTimeout(() => kept.process?.kill('SIGKILL'), STOP_PATIENCE_MS + drainMs)
    await kept.gone
    clearTimeout(timer)
  }
  process.exit(status)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    // Asked again: no more patience. Ctrl-C comes twice at once, from the terminal and handed on by npm.
    if (stopping && Date.now() - stoppingSince > ASKED_AGAIN_MS)
      for (const kept of children) kept.process?.kill('SIGKILL')
    void stop(0)
  })

// Only Ctrl-C reaches everybody. A signal to npm ends its shell, which hands nothing on: who has lost its parent would run on unseen,
// and the next start would find its ports taken.
if (process.env.npm_lifecycle_event)
  setInterval(() => {
    if (process.ppid !== startedBy) void stop(0)
  }, PARENT_LOOKED_FOR_MS).unref()

const publicUrl = (given('PUBLIC_URL') ?? `http://127.0.0.1:${port}`).replace(/\/$/, '')
let isReachable = () => {}
const reachable = new Promise((resolve) => (isReachable = resolve))
const server = keep('Okaeri', 'server/src/main.ts', {}, (message) => message?.reachable && isReachable())
// Filled once Okaeri has found secrets and database right: what is wrong there is reported at once.
const sandbox =
  hasSandbox && !isWorker
    ? reachable.then(() => keep('The sandbox', 'sandbox/src/main.ts', { APP_URL: publicUrl }))
    : Promise.resolve(null)
printBanner(await server, await sandbox)

function printBanner({ databaseUrl, healthUrl, demo }, world) {
  const database = databaseUrl ? `DATABASE_URL='${withoutPassword(databaseUrl)}' ` : ''
  const rows = isWorker
    ? [
        ['Worker of', databaseUrl ? withoutPassword(databaseUrl) : `the database in ${dataDir}`],
        ['Health', `${healthUrl}/readyz`],
      ]
    : [
        ['Application', `${publicUrl}/_app/`],
        ['API', `${publicUrl}/  (described at ${publicUrl}/openapi.json)`],
        ...(world
          ? [
              ['Sandbox', `${world.url}/`],
              ['Store admin', `${world.url}/stores/${STORE}/admin`],
              ['Storefront', `${world.url}/stores/${STORE}`],
              ['Mailbox', `${world.url}/mail`],
            ]
          : []),
        ...(!world && !given('SHOPIFY_API_KEY')
          ? [['Stores', 'none can be connected: set SHOPIFY_API_KEY and SHOPIFY_API_SECRET (docs/operating.md)']]
          : []),
        ['More workers', `ROLE=worker PORT=${port} ${database}DATA_DIR=${dataDir} npm start`],
        ...(demo
          ? [
              [
                'Sign in as',
                given('DEMO_PASSWORD')
                  ? `${demo.email}  password: as given in DEMO_PASSWORD`
                  : demo.password
                    ? `${demo.email}  password: ${demo.password}`
                    : `${demo.email}  password: as printed at first start; forgotten? npm run operator -- reset-password ${demo.email}`,
              ],
            ]
          : []),
      ]
  const width = Math.max(...rows.map(([label]) => label.length))
  const lines = rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`)
  process.stdout.write(`\nOkaeri is ready. Ctrl-C stops it.\n\n${lines.join('\n')}\n\n`)
}

function withoutPassword(address) {
  const url = new URL(address)
  if (url.password) url.password = '…'
  // It may be given behind the question mark too.
  for (const name of ['password', 'sslpassword']) url.searchParams.delete(name)
  return decodeURI(url.href)
}
