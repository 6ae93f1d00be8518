import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { SignJWT } from 'jose'
import { escapeHtml } from '../../page.ts'
import { refuseShop } from '../refusal-page.ts'
import { appAddress } from './places.ts'
import type { Visit } from './visit.ts'

/*
 * The platform's host of checkout and account extensions: a block of the page whose content is made by the app's extension, in a worker of another
 * origin, and drawn by the platform's own elements (`assets/checkout-extension`). `@remote-dom/core`, which the platform uses, carries the elements over.
 */

/** As the platform has it after a deploy. */
export interface CheckoutExtension {
  /** The built module; the address of the app is not in it yet. */
  code: string
  apiVersion: string
  targets: readonly string[]
  /** By language; `null`: of no other. */
  locales: Readonly<Record<string, object>>
}

/** Null where none was built. Read each time, as it may have been built again. */
export function readCheckoutExtension(folder: string | null): CheckoutExtension | null {
  if (folder === null || !existsSync(join(folder, 'dist/block.js'))) return null
  const toml = readFileSync(join(folder, 'shopify.extension.toml'), 'utf8')
  const texts = (name: string): object => JSON.parse(readFileSync(join(folder, 'locales', name), 'utf8')) as object
  return {
    code: readFileSync(join(folder, 'dist/block.js'), 'utf8'),
    apiVersion: /^api_version = "([^"]+)"/m.exec(toml)?.[1] ?? '',
    targets: [...toml.matchAll(/^target = "([^"]+)"/gm)].map(([, target = '']) => target),
    locales: { en: texts('en.default.json'), ja: texts('ja.json') },
  }
}

/** The address that is replaced when the extension is deployed. */
const PLACEHOLDER = 'https://okaeri.example'

export type CheckoutTarget =
  | 'purchase.thank-you.block.render'
  | 'customer-account.order-status.block.render'
  | 'customer-account.profile.block.render'

/** Where the merchant added the block; nothing where they did not. */
export function checkoutBlock({ scope, language, at }: Visit, target: CheckoutTarget): string {
  const extension = scope.store.has_checkout_block === 1 ? readCheckoutExtension(scope.checkoutExtensionDir) : null
  if (!extension?.targets.includes(target)) return ''
  const api = { target, version: extension.apiVersion, language, translations: extension.locales[language] ?? {} }
  const facts = {
    frame: at('/checkout-extension/frame.html'),
    code: at('/checkout-extension/block.js'),
    token: at('/checkout-extension/session-token'),
    api,
  }
  return `<section class="app-block" data-checkout-extension="${escapeHtml(JSON.stringify(facts))}"></section><script type="module" src="${at('/checkout-extension/host.js')}"></script>`
}

/** Five minutes, in real time; the customer where one is signed in, and never the one of the order. */
async function signSessionToken({ scope, customer }: Visit): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({
    dest: scope.store.shop,
    aud: scope.apiKey,
    exp: now + 300,
    nbf: now,
    iat: now,
    jti: randomUUID(),
    ...(customer && { sub: `gid://shopify/Customer/${customer.id}` }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(scope.apiSecret))
}

const core = dirname(fileURLToPath(import.meta.resolve('@remote-dom/core/elements')))
const polyfill = dirname(createRequire(join(core, 'elements.mjs')).resolve('@remote-dom/polyfill'))
const libraries: Record<string, string> = { core, polyfill: polyfill.replace(/cjs$/, 'esm') }

const own = (name: string): string =>
  readFileSync(new URL(`./assets/checkout-extension/${name}`, import.meta.url), 'utf8')
/** A browser knows no names of packages. */
const forBrowsers = (text: string, shop: string): string => {
  const at = `/stores/${shop}/checkout-extension/remote-dom`
  return text
    .replaceAll(`'@remote-dom/polyfill'`, `'${at}/polyfill/index.mjs'`)
    .replaceAll(`'@remote-dom/core/polyfill'`, `'${at}/core/polyfill/polyfill.mjs'`)
    .replaceAll(/'@remote-dom\/core\/(elements|receivers)'/g, `'${at}/core/$1.mjs'`)
}

type Get = (path: string, answer: (visit: Visit, name: string) => FastifyReply | Promise<FastifyReply>) => void
export function mountCheckoutExtension(app: FastifyInstance, get: Get): void {
  /** For a worker whose origin is none. */
  const program = (reply: FastifyReply, text: string): FastifyReply =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'no-cache')
      .send(text)

  get('/checkout-extension/frame.html', ({ reply, at }) =>
    reply
      .type('text/html; charset=utf-8')
      // Even if it is opened alone: no origin, and so no cookie and no storage of the store.
      .header('content-security-policy', 'sandbox allow-scripts')
      .send(
        `<!doctype html><meta charset="utf-8"><title>-</title><script src="${at('/checkout-extension/frame.js')}"></script>`,
      ),
  )
  for (const name of ['host', 'elements', 'frame', 'worker'])
    get(`/checkout-extension/${name}.js`, ({ reply, scope }) =>
      program(reply, forBrowsers(own(`${name}.js`), scope.store.shop)),
    )
  get('/checkout-extension/block.js', async ({ scope, reply }) => {
    const extension = readCheckoutExtension(scope.checkoutExtensionDir)
    if (!extension) return reply.code(404).send()
    return program(reply, extension.code.replaceAll(PLACEHOLDER, (await appAddress(scope)) ?? PLACEHOLDER))
  })
  get('/checkout-extension/session-token', async (visit) =>
    visit.reply.header('cache-control', 'no-store').send({ token: await signSessionToken(visit) }),
  )
  app.get<{ Params: { shop: string; library: string; '*': string } }>(
    '/stores/:shop/checkout-extension/remote-dom/:library/*',
    async ({ params }, reply) => {
      refuseShop(params.shop)
      const folder = libraries[params.library]
      const file = normalize(params['*'])
      if (folder === undefined || !/^[\w/-]+\.mjs$/.test(file) || !existsSync(join(folder, file)))
        return reply.code(404).send()
      return program(reply, forBrowsers(readFileSync(join(folder, file), 'utf8'), params.shop))
    },
  )
}
