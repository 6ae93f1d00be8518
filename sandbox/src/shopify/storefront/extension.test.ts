import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStores } from '../seed/test-stores.ts'
import { readExtension } from './extension.ts'

const app = 'http://127.0.0.1:9'
const folder = mkdtempSync(join(tmpdir(), 'extension-'))
const files = {
  'shopify.extension.toml': 'name = "some app"\ntype = "theme"\n',
  'snippets/app-address.liquid': 'https://app.example',
  'blocks/embed.liquid': `{%- capture address -%}{%- render 'app-address' -%}{%- endcapture -%}
{%- if product -%}<script type="application/json" data-okaeri-product>{ "id": {{ product.id }}, "variants": [{%- for variant in product.variants -%}{ "id": {{ variant.id }}, "available": {{ variant.available }} }{% unless forloop.last %},{% endunless %}{%- endfor -%}] }</script>{%- endif -%}
<script async src="{{ address | strip }}/assets/js/okaeri.js?shop={{ shop.permanent_domain }}" data-customer="{{ customer.id }}" data-page="{{ request.page_type }}"></script>
{% schema %}{ "name": "Embed", "target": "body", "settings": [] }{% endschema %}`,
  'blocks/restock.liquid': `{%- assign shown = block.settings.product -%}<div class="from-block" data-okaeri="restock" data-product-id="{{ shown.id }}"{% unless shown.available %} data-sold-out{% endunless %} {{ block.shopify_attributes }}></div>
{% schema %}{ "name": "Restock", "target": "section", "stylesheet": "places.css", "settings": [] }{% endschema %}`,
  'assets/places.css': '[data-okaeri]{display:block}',
}

let rig: Awaited<ReturnType<typeof startStores>>
beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  rig = await startStores({ appUrl: app, extensionDir: folder })
})
afterAll(async () => {
  await rig.close()
  rmSync(folder, { recursive: true })
})

const page = async (path: string) => (await fetch(`${rig.base}${path}`)).text()

test('the extension’s own blocks are rendered where the theme has its blocks, and its embed at the end of each page', async () => {
  const { body } = await rig.post('/sandbox/products.json', { handle: 'gone', available: 0 })
  const shown = await page('/products/gone')
  const { id, product_id } = body.variants[0]
  expect(shown).toContain(
    `<div class="from-block" data-okaeri="restock" data-product-id="${product_id}" data-sold-out ></div>`,
  )
  expect(shown).toContain(`<link rel="stylesheet" href="/stores/${rig.shop}/cdn/extension/places.css">`)
  expect(await page('/cdn/extension/places.css')).toBe(files['assets/places.css'])
  const facts = /data-okaeri-product>(.*?)<\/script>/s.exec(shown)?.[1] ?? ''
  expect(JSON.parse(facts)).toEqual({ id: product_id, variants: [{ id, available: false }] })
  expect(shown).toContain(
    `<script async src="${app}/assets/js/okaeri.js?shop=${rig.shop}" data-proxy="/stores/${rig.shop}/apps/okaeri" data-customer="" data-page="product">`,
  )
  expect(await page('/')).not.toContain('data-okaeri-product')
})

test('switched off, nothing of it is in the theme; by hand, the theme’s own lines are', async () => {
  await rig.post('/sandbox/theme.json', { embed: false, blocks: false })
  expect(await page('/products/gone')).not.toMatch(/okaeri\.js|data-okaeri=|places\.css/)
  await rig.post('/sandbox/theme.json', { script_tag: true })
  expect(await page('/products/gone')).toMatch(
    /places\.css[\s\S]*<div data-okaeri="restock" data-product-id="\d+" data-sold-out="2"><\/div>[\s\S]*okaeri\.js/,
  )
})

test('a folder without an extension is none, and a block without a schema is a mistake', () => {
  expect(readExtension(tmpdir())).toBeNull()
  writeFileSync(join(folder, 'blocks/bare.liquid'), '<p></p>')
  expect(() => readExtension(folder)).toThrow(/bare.*no schema/)
})
