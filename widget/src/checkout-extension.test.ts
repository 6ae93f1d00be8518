import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { parse } from 'smol-toml'
import { build } from 'vite'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const folder = path.join(root, 'widget/checkout-extension')
const read = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8')
const json = (file: string): Record<string, unknown> => JSON.parse(read(file)) as Record<string, unknown>

interface Toml {
  api_version: string
  extensions: {
    targeting: { module: string; target: string }[]
    settings: { fields: { key: string }[] }
  }[]
}
const toml = parse(read('shopify.extension.toml')) as unknown as Toml
const [declared] = toml.extensions

test('it says what the platform’s command line takes, and nothing else', () => {
  const text = (like: RegExp): unknown => expect.stringMatching(like)
  expect(toml).toEqual({
    api_version: text(/^20\d\d-(01|04|07|10)$/),
    extensions: [
      {
        type: 'ui_extension',
        name: text(/^.{1,30}$/),
        handle: text(/^[a-z0-9-]{1,30}$/),
        description: text(/^.{1,255}$/),
        capabilities: { network_access: true },
        targeting: declared?.targeting.map(() => ({
          module: text(/^\.\/src\//),
          target: text(/^[a-z-]+(\.[a-z-]+)+$/),
        })),
        settings: {
          fields: declared?.settings.fields.map(() => ({ key: text(/^\w+$/), type: 'boolean', name: text(/./) })),
        },
      },
    ],
  })
})

test('nothing lies where the platform does not look', () => {
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => fs.statSync(path.join(folder, file)).isFile() && !/^(dist|node_modules)\//.test(file))
  for (const file of files)
    expect(file).toMatch(
      /^(README\.md|shopify\.extension\.toml|package\.json|tsconfig\.json|vite\.config\.ts|src\/[\w-]+\.tsx?|locales\/(en\.default|ja)\.json)$/,
    )
})

test('its targets are some of the platform’s, and their modules are here', () => {
  const types = path.join(root, 'node_modules/@shopify/ui-extensions/build/ts/surfaces')
  expect(declared?.targeting.map(({ target }) => target)).toEqual([
    'purchase.thank-you.block.render',
    'customer-account.order-status.block.render',
    'customer-account.profile.block.render',
  ])
  for (const { target, module } of declared?.targeting ?? []) {
    const surface = target.startsWith('purchase.') ? 'checkout' : 'customer-account'
    expect(fs.existsSync(path.join(types, surface, 'targets', `${target}.d.ts`))).toBe(true)
    expect(fs.existsSync(path.join(folder, module))).toBe(true)
  }
})

test('it is for the version of the platform whose package it is written with', () => {
  const own = json('package.json')['dependencies'] as Record<string, string>
  const { devDependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  for (const [name, version] of Object.entries(own)) expect([name, devDependencies[name]]).toEqual([name, version])
  const [year, month] = (own['@shopify/ui-extensions'] ?? '').split('.')
  expect(toml.api_version).toBe(`${year}-${month?.padStart(2, '0')}`)
})

/** `birthday.left.one` and `birthday.left.other` are one text. */
const names = (texts: object, before = ''): string[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string'
      ? [/^(zero|one|two|few|many|other)$/.test(name) ? before.slice(0, -1) : before + name]
      : names(text as object, `${before}${name}.`),
  )

test('each text is there in both languages, and each that is asked for is there', () => {
  const english = new Set(names(json('locales/en.default.json')))
  expect(new Set(names(json('locales/ja.json')))).toEqual(english)
  const source = fs
    .readdirSync(path.join(folder, 'src'))
    .map((file) => read(`src/${file}`))
    .join('\n')
  for (const name of english) expect(source).toContain(`'${name}'`)
  for (const [, name = ''] of source.matchAll(/translate\('([^']+)'/g)) expect(english).toContain(name)
})

test('each setting is read by its name', () => {
  for (const { key } of declared?.settings.fields ?? []) expect(read('src/block.tsx')).toContain(`settings['${key}']`)
})

/** The platform takes 64 kB, but a customer waits for each of them. */
const MOST_BYTES = 10 * 1024

test('it packs to 10 kB, in one file that imports nothing, and knows the address only by its placeholder', async () => {
  const built = await build({ root: folder, logLevel: 'error', build: { write: false } })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  expect(outputs.map(({ fileName }) => fileName)).toEqual(['block.js'])
  const [file] = outputs
  const code = file?.type === 'chunk' ? file.code : ''
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(MOST_BYTES)
  expect(code).toContain('https://okaeri.example')
  expect(code).not.toMatch(/\bimport\b|\beval\(|new Function|http:\/\/(?!www\.w3\.org)/)
  expect(code).toMatch(/export\s*\{\s*\w+ as default\s*\}/)
})
