import { spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ApiError } from '@okaeri/contract/client'
import { getSettings } from '@okaeri/contract/merchants/routes'
import { signIn, signUp } from '@okaeri/contract/sessions/routes'
import { debugToken, networkTest } from '@okaeri/contract/system/routes'
import { type Sandbox, startTestOkaeri, startTestSandbox, type TestOkaeri } from './harness.ts'

let sandbox: Sandbox
let okaeri: TestOkaeri
let dataDir: string
beforeAll(async () => {
  sandbox = await startTestSandbox()
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-operator-'))
  okaeri = await startTestOkaeri({ sandbox, env: { SECRETS_FILE: path.join(dataDir, 'secrets.json') } })
})
afterAll(async () => {
  await okaeri.close()
  await sandbox.close()
  fs.rmSync(dataDir, { recursive: true })
})

/** The operator's command line, as a process of its own on the same database. */
function operator(...given: string[]): Promise<{ status: number | null; out: string; error: string }> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../src/operator.ts'), ...given], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATABASE_URL: okaeri.databaseUrl,
      DATA_DIR: dataDir,
      PORT: new URL(okaeri.url).port,
      // That of a worker beside it, which has it.
      HEALTH_PORT: new URL(okaeri.url).port,
    },
  })
  let out = ''
  let error = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
  return new Promise((resolve) => child.once('exit', (status) => resolve({ status, out, error })))
}

const email = 'locked-out@shop.test'

describe('the operator', () => {
  test('lets a member in again without mail, and sets the plan', async () => {
    const { access_token } = await okaeri.call(signUp, {
      body: { email, password: 'forgotten for good', site_name: '店', agreement: true },
    })
    const reset = await operator('reset-password', email.toUpperCase())
    expect(reset).toMatchObject({ status: 0, error: '' })
    const password = /signs in with: (\S+)/.exec(reset.out)?.[1] ?? ''
    expect((await okaeri.call(signIn, { body: { email, password } })).access_token).not.toBe(access_token)
    expect((await operator('set-plan', email, 'pro', '--trial')).out).toContain('on the pro plan, in its trial')
    const rows = await okaeri.query`select plan, trial_ends_at is not null as trial from merchants`
    expect(rows).toEqual([{ plan: 'pro', trial: true }])
    expect((await operator('members')).out).toContain(`${email}  owner  店  pro  test mode`)
  })

  test('is answered in one sentence that says what is wrong', async () => {
    const mistakes: [string[], string][] = [
      [['reset-password', 'nobody@shop.test'], 'Nobody signs in by nobody@shop.test'],
      [['set-plan', email, 'gold'], 'plan is one of test, standard'],
      [['dance'], 'There is no command "dance"'],
      [['rotate-secrets'], 'stop Okaeri (and its workers) first'],
      [['distribute'], inject('citusNodes') ? 'Okaeri is running on this database' : 'This database has no Citus'],
    ]
    const answers = await Promise.all(mistakes.map(([given]) => operator(...given)))
    for (const [index, { status, error, out }] of answers.entries()) {
      expect({ status, out }).toEqual({ status: 1, out: '' })
      expect(error).toContain(mistakes[index]?.[1])
      expect(error).not.toContain('    at ')
    }
  })
})

describe('the operator’s routes', () => {
  test('say which services answer', async () => {
    const { checks } = await okaeri.call(networkTest, {})
    expect(checks.map(({ service, ok }) => [service, ok])).toEqual([
      ['database', true],
      ['store platform', true],
      ['smtp', true],
      ['picture storage', true],
    ])
  })

  test('say what a token says', async () => {
    for (const token of ['x', 'a.b.c', 'é'])
      expect(await okaeri.call(debugToken, { query: { token } })).toEqual({ valid: false, header: {}, claims: {} })
  })

  const places = ['/networktest', '/errortest', '/debug/token?token=x', '/debug/webhook/existing_topics']

  test('do not exist outside the sandbox without the operator’s key, whatever NODE_ENV says', async () => {
    for (const NODE_ENV of ['production', 'development', 'test']) {
      const live = await startTestOkaeri({ env: { NODE_ENV, SANDBOX: 'off' } })
      for (const where of places)
        for (const key of [undefined, 'wrong']) {
          const answer = await fetch(`${live.url}${where}`, { headers: key ? { 'x-operator-key': key } : {} })
          expect(answer.status, `${NODE_ENV} ${where}`).toBe(404)
        }
      const refused = await live.call(getSettings, {}).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(ApiError)
      await live.close()
    }
  })

  test('do not exist in the sandbox for callers that come through a proxy or by a name that is not this machine’s', async () => {
    const { port } = new URL(okaeri.url)
    const statusOf = (where: string, headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) =>
        http
          .get({ host: '127.0.0.1', port, path: where, headers }, (answer) => resolve(answer.resume().statusCode))
          .once('error', reject),
      )
    const strangers: Record<string, string>[] = [
      { host: 'rebound.example' },
      { host: `okaeri.example:${port}` },
      { 'x-forwarded-for': '203.0.113.5' },
      { forwarded: 'for=203.0.113.5' },
      { 'x-real-ip': '127.0.0.1' },
    ]
    for (const where of places)
      for (const headers of strangers) expect(await statusOf(where, headers), JSON.stringify(headers)).toBe(404)
    expect(await statusOf('/debug/token?token=x', { host: `localhost:${port}` })).toBe(200)
  })
})
