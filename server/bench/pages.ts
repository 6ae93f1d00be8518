import { startBrowser, type Tab } from './browser.ts'
import { addManyCustomers, startInstallation } from './installation.ts'
import { buildPages, signUp } from './signed-in.ts'

// What a browser that keeps nothing from before asks for until a page stands, over a line as a phone may have it.

export interface PageFigure {
  address: string
  network: string
  /** Until nothing more came for a while. */
  requests: number
  scripts: number
  styles: number
  /** What the pages ask the API for. */
  data: number
  transferredBytes: number
  unpackedBytes: number
  firstPaintMs: number
  titleMs: number
  /** The sum of the browser's layout-shift entries; what a person caused is not in it. */
  layoutShift: number
}

const WINDOW = { width: 1400, height: 900 }
/** "Slow 4G" of the browser's own tools. */
const LINE = { name: '1.6 Mbit/s, 150 ms', latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }
/** How long a page must be still to count as complete. */
const STILL_MS = 2500
const CUSTOMERS = 2000

/** In the page, before anything of it: what moves, and when its title is there. */
const WATCH = `
  performance.setResourceTimingBufferSize(1000)
  globalThis.benchShift = 0
  globalThis.benchTitle = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.benchShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new MutationObserver(() => {
    if (globalThis.benchTitle === 0 && document.querySelector('#root h1')) globalThis.benchTitle = performance.now()
  }).observe(document, { childList: true, subtree: true })
`
const COMPLETE = `(() => {
  const count = performance.getEntriesByType('resource').length
  const now = performance.now()
  if (globalThis.benchCount !== count || globalThis.benchTitle === 0) Object.assign(globalThis, { benchCount: count, benchSince: now })
  return now - globalThis.benchSince > ${STILL_MS}
})()`
const TOLD = `(() => {
  const [page] = performance.getEntriesByType('navigation')
  const all = [page, ...performance.getEntriesByType('resource')]
  const count = (fits) => all.filter(fits).length
  const sum = (field) => all.reduce((total, entry) => total + entry[field], 0)
  const ends = (entry, end) => new URL(entry.name).pathname.endsWith(end)
  return {
    requests: all.length,
    scripts: count((entry) => ends(entry, '.js')),
    styles: count((entry) => ends(entry, '.css')),
    data: count((entry) => entry.initiatorType === 'fetch'),
    transferredBytes: sum('transferSize'),
    unpackedBytes: sum('decodedBodySize'),
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    titleMs: globalThis.benchTitle,
    layoutShift: globalThis.benchShift,
  }
})()`

async function look(tab: Tab, url: string, address: string): Promise<PageFigure> {
  await tab.send('Network.clearBrowserCache')
  await tab.send('Page.navigate', { url: `${url}/_app${address}` })
  await tab.until(COMPLETE)
  return { address, network: LINE.name, ...(await tab.evaluate<Omit<PageFigure, 'address' | 'network'>>(TOLD)) }
}

/** Null, after saying so, where there is no browser. */
export async function runPagesBench(): Promise<PageFigure[] | null> {
  const browser = await startBrowser()
  if (browser === null) return null
  await buildPages()
  const okaeri = await startInstallation({ smtpUrl: 'smtp://127.0.0.1:9', env: { SIGN_UP: 'open' } })
  try {
    const { scope, cookies } = await signUp(okaeri)
    await addManyCustomers(scope, CUSTOMERS)
    const figures: PageFigure[] = []
    const see = async (address: string): Promise<void> => {
      const tab = await browser.open(WINDOW)
      await tab.send('Page.enable')
      await tab.send('Network.enable')
      await tab.send('Network.emulateNetworkConditions', { offline: false, ...LINE })
      await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH })
      figures.push(await look(tab, okaeri.url, address))
      await tab.send('Page.close')
    }
    await see('/login')
    const tab = await browser.open(WINDOW)
    for (const [name, value] of cookies) await tab.send('Network.setCookie', { name, value, url: okaeri.url })
    await see('/')
    await see('/customers')
    return figures
  } finally {
    await okaeri.stop()
    await browser.stop()
  }
}
