import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../src/app/config.ts'
import { explainDatabase } from '../src/kernel/database/database-reach.ts'
import { StartupError } from '../src/kernel/errors.ts'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8')

/** The object of app/config.ts that parses the environment: each variable with its rule. */
function parsedVariables(): Map<string, string> {
  const [, body = ''] = /const Environment = z\.object\(\{([\s\S]*?)\n\}\)/.exec(read('server/src/app/config.ts')) ?? []
  const [, ...entries] = body.split(/\n {2}(?=[A-Z0-9_]+: )/)
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf(':')), entry]))
}

/** The rows of the table under "Okaeri": each variable with its default. */
function documentedVariables(): Map<string, string> {
  const [, section = ''] = /\n## Okaeri\n([\s\S]*?)\n## /.exec(read('docs/configuration.md')) ?? []
  const rows = section.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \|/gm)
  return new Map([...rows].map(([, name = '', standard = '']) => [name, standard]))
}

test('every variable Okaeri reads is in the table of docs/configuration.md, and every row of it is read', () => {
  const parsed = [...parsedVariables().keys()]
  expect(parsed).toContain('PORT')
  expect([...documentedVariables().keys()].sort()).toEqual(parsed.sort())
})

test('a default written in the code is the one in the table', () => {
  const written = [...parsedVariables()].flatMap(([name, rule]) => {
    const [, text, number] = /\.default\((?:'([^']*)'|(\d+))\)/.exec(rule) ?? []
    const standard = text ?? number
    return standard === undefined ? [] : [[name, `\`${standard}\``]]
  })
  expect(Object.fromEntries(documentedVariables())).toMatchObject(Object.fromEntries(written))
})

function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('an address that is none is refused with how one looks, and without what was given, which may hold a password', () => {
  for (const [name, example, wrong] of [
    ['DATABASE_URL', 'postgres://user:password@db.example:5432/okaeri', 'postgres://okaeri:se/cret#1@[db:5432/okaeri'],
    ['SMTP_URL', 'smtp://user:password@mail.example:587', 'mail.example:587 se/cret#1'],
    ['PUBLIC_URL', 'https://okaeri.example', 'ftp://se/cret#1'],
  ] as const) {
    const refusal = refusalOf({ [name]: wrong })
    expect(refusal).toContain(`${name} (not an address like ${example}`)
    expect(refusal).not.toContain('se/cret')
  }
  expect(refusalOf({ SMTP_URL: 'smtp://user:se%2Fcret%231@mail.example:587' })).toBe('')
})

describe('the addresses of policy and terms', () => {
  const real = { SANDBOX: 'off', SMTP_URL: 'smtp://mail.example' }
  test('are taken as written, and none where none is given', () => {
    const given = { PRIVACY_POLICY_URL: 'https://okaeri.example/privacy/', TERMS_URL: 'https://okaeri.example/terms#a' }
    expect(readConfig({ ...real, ...given }).policies).toEqual({
      privacy: given.PRIVACY_POLICY_URL,
      terms: given.TERMS_URL,
    })
    expect(readConfig(real).policies).toEqual({ privacy: null, terms: null })
  })
  test.each(['PRIVACY_POLICY_URL', 'TERMS_URL'])('%s begins with https:// outside the sandbox', (name) => {
    expect(refusalOf({ ...real, [name]: 'http://okaeri.example/p' })).toContain(`${name} is http://okaeri.example/p`)
    expect(refusalOf({ [name]: 'http://127.0.0.1:3001/p' })).toBe('')
    for (const wrong of ['okaeri.example/p', 'javascript:alert(1)', 'ftp://okaeri.example/p'])
      expect(refusalOf({ [name]: wrong })).toContain(`${name} (not an address like https://okaeri.example/terms)`)
  })
})

test('a database with TLS: the mode reported is the one in force, a missing file is named, an untrusted certificate is one sentence', () => {
  const address = 'postgres://okaeri:se%2Fcret@db.example/okaeri'
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    expect(readConfig({ DATABASE_URL: `${address}?sslmode=${mode}` }).databaseUrl).toBe(
      `${address}?sslmode=verify-full`,
    )
  for (const given of [address, `${address}?sslmode=no-verify`, `${address}?uselibpqcompat=true&sslmode=require`])
    expect(readConfig({ DATABASE_URL: given }).databaseUrl).toBe(given)
  const refusal = refusalOf({ DATABASE_URL: `${address}?sslmode=verify-full&sslrootcert=/nowhere/ca.crt` })
  expect(refusal).toBe('The configuration is wrong: DATABASE_URL (its sslrootcert /nowhere/ca.crt cannot be read).')
  const unknown = new Error('self-signed certificate; if the root CA is installed locally, try running Node.js with …')
  const explained = explainDatabase(unknown, address)
  expect(explained).toBeInstanceOf(StartupError)
  expect(explained).toMatchObject({
    message: expect.stringMatching(
      /^Cannot trust the database okaeri at db.example \(self-signed certificate\): add sslmode=/,
    ),
  })
})

describe('the sandbox is for one machine alone', () => {
  test.each<Record<string, string>>([
    { NODE_ENV: 'production' },
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.168.1.5' },
    { HOST: 'okaeri.example' },
    { PUBLIC_URL: 'https://okaeri.example.com' },
    { PUBLIC_URL: 'http://127.0.0.1.nip.io:3000' },
    { PUBLIC_URL: 'http://localhost.example.com' },
    { PUBLIC_URL: 'http://10.0.0.7:3000' },
    { NODE_ENV: 'production', HOST: '0.0.0.0', PUBLIC_URL: 'https://okaeri.example.com' },
  ])('and refused with %o, naming what to set', (env) => {
    const refusal = refusalOf(env)
    for (const [name, value] of Object.entries(env)) expect(refusal).toContain(`${name}=${value}`)
    expect(refusal).toContain('set SANDBOX=off')
    const real = { SANDBOX: 'off', SMTP_URL: 'smtp://mail.example' }
    expect(readConfig({ ...env, ...real })).toMatchObject({ sandbox: null, isLocalSandbox: false })
  })

  test.each<Record<string, string>>([
    {},
    { HOST: 'localhost' },
    { HOST: '::1' },
    { HOST: '127.0.0.2' },
    { PUBLIC_URL: 'http://localhost:8080' },
    { PUBLIC_URL: 'http://okaeri.localhost:8080' },
    { PUBLIC_URL: 'http://[::1]:8080' },
    { NODE_ENV: 'test' },
  ])('and taken with %o', (env) => expect(readConfig(env).isLocalSandbox).toBe(true))

  test('and only there a process can be made to die at a point', () => {
    const env = { NODE_ENV: 'test', CRASH_AT: 'leaving:1' }
    expect(readConfig(env).crashAt).toBe('leaving:1')
    expect(readConfig({ ...env, NODE_ENV: 'development' }).crashAt).toBeNull()
    expect(readConfig({ ...env, SANDBOX: 'off', SMTP_URL: 'smtp://mail.example' }).crashAt).toBeNull()
  })
})
