// npm run check:fresh: the README's section "The real world" in a fresh clone, with a PostgreSQL and a mail server (sign-in, TLS) beside
// it. Takes minutes, since everything is installed again. Only committed files are in the clone.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { readMail } from './mail-server.ts'
import { startEmbeddedPostgres } from '../src/kernel/database/embedded-postgres.ts'

const PUBLIC_URL = 'https://okaeri.example.com'
/** As passwords are: with signs that mean something in an address. */
const PASSWORD = 'p@ss/w#rd:1 %?'
const OWNER = 'owner@shop.example'

const root = path.join(import.meta.dirname, '../..')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-fresh-'))
fs.chmodSync(folder, 0o755)
const clone = path.join(folder, 'okaeri')
const step = (line: string): void => void process.stdout.write(`${line}\n`)

const server = await startEmbeddedPostgres(path.join(folder, 'postgres'), { createsDatabases: true })
const databaseUrl = new URL(server.url)
const admin = new pg.Client({ connectionString: server.url })
await admin.connect()
await admin.query('create database shop')
await admin.query(`alter role okaeri password '${PASSWORD}'`)
await admin.end()
databaseUrl.pathname = '/shop'

const mails: { to: string | undefined; text: string; secure: boolean }[] = []
let arrived = (): void => {}
const mailServer = new SMTPServer({
  authMethods: ['PLAIN', 'LOGIN'],
  onAuth: ({ username, password }, _session, done) =>
    username === 'mailer' && password === PASSWORD
      ? done(null, { user: username })
      : done(Object.assign(new Error('wrong password'), { responseCode: 535 })),
  onData(stream, session, done) {
    void readMail(stream).then(({ text = '' }) => {
      mails.push({ to: session.envelope.rcptTo[0]?.address, text, secure: session.secure })
      done()
      arrived()
    })
  },
})
await once(mailServer.listen(0, '127.0.0.1'), 'listening')
const portOf = (listening: { address(): unknown }): number => (listening.address() as net.AddressInfo).port
const free = http.createServer()
await once(free.listen(0, '127.0.0.1'), 'listening')
const port = portOf(free)
free.close()
await once(free, 'close')

const withPassword = (protocol: string, user: string, rest: string): string =>
  `${protocol}://${user}:${encodeURIComponent(PASSWORD)}@${rest}`
const env = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  // By which this machine reaches the registry, where it needs one.
  NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
  SANDBOX: 'off',
  SMTP_URL: withPassword('smtp', 'mailer', `127.0.0.1:${portOf(mailServer.server)}?tls=unverified`),
  SHOPIFY_API_KEY: '0123456789abcdef',
  SHOPIFY_API_SECRET: 'shpss_0123456789abcdef',
  PUBLIC_URL,
  NODE_ENV: 'production',
  PORT: String(port),
  DATABASE_URL: withPassword('postgres', 'okaeri', `127.0.0.1:${databaseUrl.port}/shop`),
}

/** As a proxy on this machine asks that ends TLS. */
function ask(method: string, where: string, body: object | null = null, more: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: where,
        headers: {
          host: 'okaeri.example.com',
          'x-forwarded-for': '203.0.113.5',
          'x-forwarded-proto': 'https',
          ...(body && { 'content-type': 'application/json' }),
          ...more,
        },
      },
      (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      },
    )
    request.once('error', reject)
    request.end(body ? JSON.stringify(body) : undefined)
  })
}

interface Started {
  child: ChildProcess
  said: () => string
  ended: Promise<unknown>
}
/** Started, and what it said until it was ready or ended. */
async function start(extra: Record<string, string> = {}): Promise<Started> {
  const child = spawn('npm', ['start'], { cwd: clone, env: { ...env, ...extra }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'close')
  await Promise.race([
    new Promise<void>((resolve) => child.stdout.on('data', () => said.includes('is ready') && resolve())),
    ended,
  ])
  return { child, said: () => said, ended }
}

let running: Started | null = null
try {
  step('cloning')
  assert.equal(spawnSync('git', ['clone', '--quiet', root, clone], { stdio: 'inherit' }).status, 0)

  step('installing, building and starting with NODE_ENV=production')
  running = await start()
  assert.match(running.said(), /Okaeri is ready/, running.said())
  assert.ok(!running.said().includes(encodeURIComponent(PASSWORD)), 'a password is printed')

  step('pages, and an account')
  const page = await ask('GET', '/_app/')
  assert.equal(page.status, 200)
  assert.match(page.text, /<script/)
  const mailed = new Promise<void>((resolve) => (arrived = resolve))
  const account = { email: OWNER, password: 'a long enough password', site_name: '店', agreement: true }
  const signedUp = await ask('POST', '/users', account)
  assert.ok(signedUp.status < 300, signedUp.text)
  for (const cookie of signedUp.headers['set-cookie'] ?? []) assert.match(cookie, /; Secure/)
  assert.ok((await ask('POST', '/user/reminder', { email: OWNER })).status < 300)
  await mailed
  assert.deepEqual([mails[0]?.to, mails[0]?.secure], [OWNER, true])
  assert.ok(mails[0]?.text.includes(`${PUBLIC_URL}/`), `the mail leads to PUBLIC_URL: ${mails[0]?.text}`)

  step('the operator: routes and commands')
  assert.equal((await ask('GET', '/networktest')).status, 404)
  const { operator_key: key } = JSON.parse(fs.readFileSync(path.join(clone, '.data/secrets.json'), 'utf8')) as {
    operator_key: string
  }
  const { checks } = JSON.parse((await ask('GET', '/networktest', null, { 'x-operator-key': key })).text) as {
    checks: { service: string; ok: boolean }[]
  }
  for (const service of ['database', 'smtp']) assert.ok(checks.find((check) => check.service === service)?.ok, service)
  const operate = (...given: string[]): string => {
    const done = spawnSync('npm', ['run', '--silent', 'operator', '--', ...given], {
      cwd: clone,
      env,
      encoding: 'utf8',
    })
    assert.equal(done.status, 0, done.stderr)
    return done.stdout
  }
  assert.match(operate('set-plan', OWNER, 'standard', '--trial'), /on the standard plan, in its trial/)
  assert.match(operate('members'), new RegExp(OWNER))
  assert.match(operate('help'), /set-plan/)

  step('stopping')
  running.child.kill('SIGTERM')
  await running.ended
  running = null

  step('the sandbox is refused there')
  const refused = await start({ SANDBOX: 'on' })
  await refused.ended
  assert.match(refused.said(), /The sandbox is for this machine alone/)
  step('The real world works in a fresh clone.')
} finally {
  running?.child.kill('SIGTERM')
  await running?.ended
  mailServer.close()
  await server.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}
