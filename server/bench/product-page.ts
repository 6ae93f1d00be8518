import type { startSandbox } from '@okaeri/sandbox/app'
import { connectSandboxStore } from '../src/features/stores/index.ts'
import { type Browser, startBrowser, type Tab, type TraceEvent } from './browser.ts'
import { startInstallation } from './installation.ts'
import { median } from './load.ts'

// What the script costs a shop's page: the same page with it, with its places alone, and without, in turns, as a phone loads it that keeps
// nothing from before.

export interface ProductPageFigures {
  requests: number
  /** Over the line, headers included. */
  transferredBytes: number
  /** All tasks of the page's main thread until the page rests. */
  mainThreadMs: number
  longestTaskMs: number
  /** The tasks that run our script: compiling, evaluating, calling. */
  ownMs: number
  layoutShift: number
  firstPaintMs: number
}
export interface ProductPageFigure {
  page: 'in stock' | 'sold out' | 'a shelf of 500 products'
  network: string
  without: ProductPageFigures
  /** With the blocks, which are the theme's own elements, and without the script. */
  blocks: ProductPageFigures
  with: ProductPageFigures
}

const PHONE = { width: 390, height: 844 }
/** "Slow 4G" of the browser's own tools, and none. */
const LINES = {
  '1.6 Mbit/s, 150 ms': { latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 },
  loopback: { latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
}
const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing', 'v8']
/** How long a page must be still to count as complete. */
const STILL_MS = 2000
const SHOP = 'okaeri-sandbox.myshopify.com'
const APP = { apiKey: 'bench', apiSecret: 'bench' }

const WATCH = `
  performance.mark('bench:begin')
  globalThis.benchShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.benchShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`
const COMPLETE = `(() => {
  const count = performance.getEntriesByType('resource').length
  const now = performance.now()
  if (document.readyState !== 'complete' || globalThis.benchCount !== count)
    Object.assign(globalThis, { benchCount: count, benchSince: now })
  return now - globalThis.benchSince > ${STILL_MS}
})()`

async function look(tab: Tab, url: string): Promise<ProductPageFigures> {
  await tab.send('Network.clearBrowserCache')
  const events = await tab.traced(CATEGORIES, async () => {
    await tab.send('Page.navigate', { url })
    await tab.until(COMPLETE)
  })
  const measured = await tab.evaluate<Pick<ProductPageFigures, 'layoutShift' | 'firstPaintMs'>>(`({
    layoutShift: globalThis.benchShift,
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  })`)
  return { ...costOf(events), ...measured }
}

const dataOf = ({ args }: TraceEvent): { url?: unknown; fileName?: unknown; encodedDataLength?: unknown } =>
  (args['data'] ?? {}) as object
const timeOf = ({ dur = 0, tdur = dur }: TraceEvent): number => tdur / 1000

function costOf(events: readonly TraceEvent[]): Omit<ProductPageFigures, 'layoutShift' | 'firstPaintMs'> {
  const begin = events.find(({ name }) => name === 'bench:begin')
  if (!begin) throw new Error('the trace has no beginning')
  const own = events.filter(({ pid, tid }) => pid === begin.pid && tid === begin.tid)
  const tasks = own.filter(({ name, ph, ts }) => name === 'RunTask' && ph === 'X' && ts >= begin.ts).map(timeOf)
  const ours = own
    .filter((event) => event.ph === 'X' && /\/assets\/js\//.test(String(dataOf(event).url ?? dataOf(event).fileName)))
    .toSorted((a, b) => a.ts - b.ts)
  let until = 0
  let ownMs = 0
  for (const event of ours) {
    // One within another is counted with it.
    if (event.ts < until) continue
    until = event.ts + (event.dur ?? 0)
    ownMs += timeOf(event)
  }
  const count = (what: string): TraceEvent[] => events.filter(({ name, pid }) => name === what && pid === begin.pid)
  return {
    requests: count('ResourceSendRequest').length,
    transferredBytes: count('ResourceFinish').reduce(
      (sum, event) => sum + Number(dataOf(event).encodedDataLength ?? 0),
      0,
    ),
    mainThreadMs: tasks.reduce((sum, ms) => sum + ms, 0),
    longestTaskMs: Math.max(...tasks),
    ownMs,
  }
}

const middle = (looks: readonly ProductPageFigures[]): ProductPageFigures => {
  const of = (name: keyof ProductPageFigures): number => median(looks.map((each) => each[name]))
  return {
    requests: of('requests'),
    transferredBytes: of('transferredBytes'),
    mainThreadMs: of('mainThreadMs'),
    longestTaskMs: of('longestTaskMs'),
    ownMs: of('ownMs'),
    // The worst of them.
    layoutShift: Math.max(...looks.map(({ layoutShift }) => layoutShift)),
    firstPaintMs: of('firstPaintMs'),
  }
}

interface Shop {
  browser: Browser
  /** The store's address. */
  store: string
  play(what: string, body: object): Promise<void>
}

/** The sandbox's shop with an Okaeri of its own. Null, after saying so, where there is no browser. */
async function inShop<T>(work: (shop: Shop) => Promise<T>): Promise<T | null> {
  const browser = await startBrowser()
  if (browser === null) return null
  const { startSandbox: start } = (await import('@okaeri/sandbox/app')) as { startSandbox: typeof startSandbox }
  const seed = { customers: 5, products: 60, orders: 0 }
  const sandbox = await start({ port: 0, smtpPort: 0, dnsPort: 0, dataDir: null, seed, ...APP })
  const okaeri = await startInstallation({
    smtpUrl: sandbox.smtpUrl,
    env: {
      SANDBOX: 'on',
      SANDBOX_PORT: String(sandbox.port),
      SHOPIFY_API_KEY: APP.apiKey,
      SHOPIFY_API_SECRET: APP.apiSecret,
    },
  })
  try {
    okaeri.api.context.settings.publicUrl = okaeri.url
    await connectSandboxStore(okaeri.scope, SHOP)
    const store = `${sandbox.url}/stores/${SHOP}`
    const play = async (what: string, body: object): Promise<void> => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${store}/sandbox/${what}`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`)
    }
    return await work({ browser, store, play })
  } finally {
    await okaeri.stop()
    await sandbox.close()
    await browser.stop()
  }
}

export function runProductPageBench(rounds = 7): Promise<ProductPageFigure[] | null> {
  return inShop(async ({ browser, store, play }) => {
    await play('products.json', { title: '煎茶', handle: 'bench-in-stock', available: 9 })
    await play('products.json', { title: '玉露', handle: 'bench-sold-out', available: 0 })
    await play('products/many.json', { count: 500 })
    const pages: [ProductPageFigure['page'], string][] = [
      ['in stock', '/products/bench-in-stock'],
      ['sold out', '/products/bench-sold-out'],
      ['a shelf of 500 products', '/collections/all?view=long'],
    ]
    const figures: ProductPageFigure[] = []
    for (const [network, line] of Object.entries(LINES))
      for (const [page, path] of pages) {
        const looks: Record<'without' | 'blocks' | 'with', ProductPageFigures[]> = { without: [], blocks: [], with: [] }
        // The first of each is for caches of the servers.
        for (let round = 0; round <= rounds; round += 1)
          for (const how of ['without', 'blocks', 'with'] as const) {
            await play('theme.json', { embed: how === 'with', blocks: how !== 'without' })
            const tab = await browser.open(PHONE)
            await tab.send('Page.enable')
            await tab.send('Network.enable')
            await tab.send('Network.emulateNetworkConditions', { offline: false, ...line })
            await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH })
            const seen = await look(tab, store + path)
            await tab.send('Page.close')
            if (round > 0) looks[how].push(seen)
          }
        figures.push({
          page,
          network,
          without: middle(looks.without),
          blocks: middle(looks.blocks),
          with: middle(looks.with),
        })
      }
    return figures
  })
}

export interface ProofFigure {
  /** So much slower the browser makes the page's own thread. */
  slower: number
  /** For one try: the whole time, and the time that the page's own thread is at work. */
  tryMs: number
  mainThreadMs: number
}

/** The kit that is on the page anyway, asked as a form asks it: a challenge of the usual difficulty, and how many tries it took. */
const PROVE = `(async () => {
  const script = document.querySelector('script[src*="/assets/js/okaeri.js"]')
  const { name } = performance.getEntriesByType('resource').find(({ name }) => /parts.*kit[.]js/.test(name))
  const { open } = await import(name)
  const page = { shop: '${SHOP}', language: 'en', type: '', customerId: null, product: null }
  const settings = { on: true, parts: {}, texts: {}, colors: {}, facts: {} }
  const { origin: api } = new URL(script.src)
  const kit = open({ api, proxy: script.dataset.proxy, page, settings, realm: { fetch: fetch.bind(window), JSON } })
  await kit.call('POST', '/frontend/captcha', { form: 'sign_up' })
  performance.mark('bench:begin')
  const from = performance.now()
  const proof = JSON.parse(atob(await kit.prove('sign_up')))
  return { ms: performance.now() - from, tries: proof.solution.counter + 1 }
})()`

/** What it costs to prove some work (decision 182), with the page's thread as fast as here, and as slow as a phone's. */
export function runProofBench(): Promise<ProofFigure[] | null> {
  return inShop(async ({ browser, store, play }) => {
    await play('products.json', { title: '玉露', handle: 'bench-sold-out', available: 0 })
    await play('theme.json', { embed: true, blocks: true })
    const figures: ProofFigure[] = []
    for (const slower of [1, 4, 6]) {
      const tab = await browser.open(PHONE)
      await tab.send('Page.enable')
      await tab.send('Page.navigate', { url: `${store}/products/bench-sold-out` })
      await tab.until(`performance.getEntriesByType('resource').some(({ name }) => /kit[.]js/.test(name))`)
      await tab.send('Emulation.setCPUThrottlingRate', { rate: slower })
      const seen = { ms: 0, tries: 0 }
      const events = await tab.traced(CATEGORIES, async () => {
        Object.assign(seen, await tab.evaluate(PROVE))
      })
      await tab.send('Page.close')
      figures.push({
        slower,
        tryMs: seen.ms / seen.tries,
        mainThreadMs: costOf(events).mainThreadMs / seen.tries,
      })
    }
    return figures
  })
}

if (import.meta.main) {
  process.stdout.write(`${JSON.stringify(await runProductPageBench(Number(process.argv[2] ?? 7)), null, 2)}\n`)
  process.exit(0)
}
