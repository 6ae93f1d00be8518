import fs from 'node:fs'
import path from 'node:path'
import { placeableParts, widgetParts } from '@okaeri/contract/visitors/widget'
import { Liquid } from 'liquidjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { EMPTY, merchant, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { SHOP } from '../../../test/sandbox-store.ts'
import { presentInstall } from './install.ts'
import { presentWidgetSettings } from './widget-settings.ts'

const folder = path.join(import.meta.dirname, '../../../../widget/extension')
const read = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8')
const files = fs
  .readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => fs.statSync(path.join(folder, file)).isFile())
const blocks = files.filter((file) => file.startsWith('blocks/')).map((file) => path.basename(file, '.liquid'))

/** A block in its two halves. */
function halves(block: string): { liquid: string; schema: unknown } {
  const [, liquid = '', schema = ''] =
    /^([\s\S]*?)\{% schema %\}([\s\S]*)\{% endschema %\}\s*$/.exec(read(`blocks/${block}.liquid`)) ?? []
  return { liquid, schema: JSON.parse(schema) }
}

/** Of the platform's documentation of theme app extensions: what its command line accepts. */
const Setting = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['paragraph', 'header']), content: z.string().min(1) }),
  z.strictObject({
    type: z.literal('product'),
    id: z.string().regex(/^\w+$/),
    label: z.string(),
    autofill: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('checkbox'),
    id: z.string().regex(/^\w+$/),
    label: z.string(),
    default: z.boolean(),
  }),
  z
    .strictObject({
      type: z.literal('range'),
      id: z.string().regex(/^\w+$/),
      label: z.string(),
      min: z.number(),
      max: z.number(),
      step: z.number().positive(),
      default: z.number(),
    })
    // The platform refuses a range of fewer than three steps, and a default outside.
    .refine(({ min, max, step, default: plain }) => (max - min) / step >= 2 && min <= plain && plain <= max),
])
const Schema = z.strictObject({
  name: z.string().min(1).max(25),
  target: z.enum(['section', 'body', 'head', 'compliance_head']),
  stylesheet: z.string().optional(),
  javascript: z.string().optional(),
  enabled_on: z.strictObject({ templates: z.array(z.string()).min(1) }).optional(),
  settings: z.array(Setting),
})

describe('the layout is the platform’s', () => {
  test('nothing lies where it does not look', () => {
    for (const file of files)
      expect(file).toMatch(
        /^(README\.md|shopify\.extension\.toml|blocks\/[\w-]+\.liquid|snippets\/[\w-]+\.liquid|assets\/[\w-]+\.css|locales\/[a-z]{2}(\.default)?(\.schema)?\.json)$/,
      )
    expect(read('shopify.extension.toml')).toMatch(/^name = "[^"]+"\ntype = "theme"\n$/)
    expect(blocks.length).toBeLessThanOrEqual(30)
    const liquidBytes = files
      .filter((file) => file.endsWith('.liquid'))
      .reduce((sum, file) => sum + read(file).length, 0)
    expect(liquidBytes).toBeLessThan(100_000)
  })

  test.for(blocks)('the schema of %s is one, and its words are there in both languages', (block) => {
    const schema = Schema.parse(halves(block).schema)
    if (schema.stylesheet !== undefined) expect(files).toContain(`assets/${schema.stylesheet}`)
    const words = ['en.default', 'ja'].map((name) => JSON.parse(read(`locales/${name}.schema.json`)) as object)
    const named = [...JSON.stringify(schema).matchAll(/"t:([^"]+)"/g)].map(([, name = '']) => name)
    for (const name of named) for (const language of words) expect(language).toHaveProperty(name)
  })

  test('the blocks that are places are places of parts there are', () => {
    expect(
      blocks.filter((block) => block !== 'okaeri').every((one) => (widgetParts as readonly string[]).includes(one)),
    ).toBe(true)
  })
})

describe('in a theme', () => {
  withSandboxStore({ seed: { ...EMPTY, products: 4 } })
  const engine = new Liquid({ root: path.join(folder, 'snippets'), extname: '.liquid' })
  const product = { id: 7, available: false, variants: [{ id: 8, available: false, title: 'M "</script>' }] }
  const rendered = (liquid: string): Promise<string> =>
    engine.parseAndRender(liquid, {
      product,
      shop: { permanent_domain: SHOP },
      customer: { id: 9 },
      request: { page_type: 'product' },
      block: { settings: { product }, shopify_attributes: '' },
    }) as Promise<string>
  /** What a place or tag says, without its values. */
  const attributesOf = (html: string, sign: string): string[] => {
    const tag = html.split('<').find((one) => one.includes(sign)) ?? ''
    return [...tag.matchAll(/\s([a-z-]+)(?==|\s|>)/g)].map(([, name = '']) => name).toSorted()
  }

  test('the blocks and the tag by hand write what the sandbox’s theme has', async () => {
    await play('theme.json', { embed: true, blocks: true })
    const shelf = await (await fetch(`${sandbox.url}/stores/${SHOP}/collections/all`)).text()
    const handle = /\/products\/([\w-]+)"/.exec(shelf)?.[1] ?? ''
    const page = await (await fetch(`${sandbox.url}/stores/${SHOP}/products/${handle}`)).text()
    const heart = await rendered(halves('heart').liquid)
    expect(attributesOf(heart, 'data-okaeri="heart"')).toEqual(attributesOf(page, 'data-okaeri="heart"'))
    const restock = await rendered(halves('restock').liquid.replace(/ data-sold-out="[^"]*"/, ''))
    expect(attributesOf(restock, 'data-okaeri="restock"')).toEqual(attributesOf(page, 'data-okaeri="restock"'))

    const embed = await rendered(halves('okaeri').liquid)
    const { install } = await presentWidgetSettings(merchant.scope())
    const byHand = await rendered(install.script_tag ?? '')
    // Where the app proxy is, only the sandbox has to say.
    const inSandbox = attributesOf(page, 'okaeri.js').filter((name) => name !== 'data-proxy')
    for (const html of [embed, byHand]) {
      expect(attributesOf(html, 'okaeri.js')).toEqual(inSandbox)
      expect(html).toContain(`/assets/js/okaeri.js?shop=${SHOP}"`)
      const facts = /data-okaeri-product>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''
      expect(JSON.parse(facts)).toEqual({ id: 7, variants: [{ id: 8, available: false, title: 'M "' }] })
    }
    expect(embed).toContain('src="https://okaeri.example/assets')
  })

  test('what is copied by hand has a place for each part, and keeps it as free as the blocks do', async () => {
    const { places, styles } = await presentInstall(merchant.scope())
    for (const part of placeableParts) {
      const byHand = await rendered(places ?? '')
      const block = await rendered(halves(part).liquid)
      expect(byHand).toContain(`data-okaeri="${part}"`)
      expect(styles).toContain(`[data-okaeri="${part}"]`)
      // How many lines a wording has, only a block can be asked.
      const said = attributesOf(block, `data-okaeri="${part}"`).filter((name) => name !== 'data-lines')
      expect(attributesOf(byHand, `data-okaeri="${part}"`)).toEqual(said)
      const { stylesheet } = Schema.parse(halves(part).schema)
      expect([part, stylesheet]).toEqual([part, 'places.css'])
    }
    expect(read('assets/places.css')).toContain((styles ?? '').slice(0, 60))
  })
})
