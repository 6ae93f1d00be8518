import type { Page, Product, Realm, Settings, Start } from './page.ts'

// The one script a page names. It looks which parts are on and have a place here, and loads only those. Whatever fails here fails silently:
// the page is the shop's. At most 3 kB packed (sizes.test.ts).

/** Written in by the server: changes with every part. */
const VERSION = '__VERSION__'

interface Store {
  shop?: string
  locale?: string
}
type Mount = (place: Element, kit: unknown) => void

;(() => {
  const script = document.currentScript as HTMLScriptElement | null
  const mark = Symbol.for('okaeri')
  const page = window as unknown as Record<symbol, unknown> & { Shopify?: Store; __st?: { cid?: string | number } }
  // A second copy, or a browser that is too old.
  if (!script || page[mark] || !('attachShadow' in document.documentElement) || !('IntersectionObserver' in window))
    return
  page[mark] = true

  const data = script.dataset
  const address = new URL(script.src)
  const base = address.href.slice(0, address.href.lastIndexOf('/') + 1)
  const api = address.origin + address.pathname.replace(/\/assets\/js\/[^/]*$/, '')
  const shop = data['shop'] ?? address.searchParams.get('shop') ?? page.Shopify?.shop
  if (!shop) return
  const proxy = data['proxy'] ?? '/apps/okaeri'

  /** Of the browser itself; where the page replaced something, of an empty frame. */
  const realmOf = (): Realm => {
    const isOwn = (one: unknown): boolean => /\[native code/.test(Function.prototype.toString.call(one))
    if (isOwn(fetch) && isOwn(JSON.parse) && isOwn(JSON.stringify)) return { fetch: fetch.bind(window), JSON }
    const frame = document.createElement('iframe')
    frame.hidden = true
    frame.setAttribute('aria-hidden', 'true')
    document.documentElement.append(frame)
    const inner = frame.contentWindow as (Window & typeof globalThis) | null
    return inner ? { fetch: inner.fetch.bind(inner), JSON: inner.JSON } : { fetch: fetch.bind(window), JSON }
  }

  const productOf = ({ JSON }: Realm): Product | null => {
    try {
      return JSON.parse(document.querySelector('[data-okaeri-product]')?.textContent ?? 'null') as Product | null
    } catch {
      return null
    }
  }

  const pageOf = (realm: Realm): Page => {
    const product = productOf(realm)
    const customer = data['customer'] ?? page.__st?.cid
    return {
      shop,
      language: /^ja/i.test(document.documentElement.lang || page.Shopify?.locale || navigator.language) ? 'ja' : 'en',
      type: data['page'] ?? document.body.dataset['page'] ?? (product ? 'product' : ''),
      customerId: customer ? String(customer) : null,
      product,
    }
  }

  const load = <T>(name: string): Promise<T> =>
    import(/* @vite-ignore */ `${base}parts/${VERSION}/${name}.js`) as Promise<T>

  const idle = (work: () => void): void => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 1000 })
    else setTimeout(work, 1)
  }

  const begin = async (): Promise<void> => {
    const realm = realmOf()
    const answer = await realm.fetch(`${api}/frontend/status?shop=${encodeURIComponent(shop)}`, { credentials: 'omit' })
    const { status: settings } = realm.JSON.parse(await answer.text()) as { status: Settings }
    if (!settings.on) return
    const start: Start = { api, proxy, page: pageOf(realm), settings, realm }
    // No global Promise, which the page may have replaced: async functions have the browser's own.
    const openKit = async (): Promise<unknown> => (await load<{ open: (start: Start) => unknown }>('kit')).open(start)
    const loadPart = async (name: string): Promise<(place: Element) => void> => {
      const loading = load<{ mount: Mount }>(name)
      // It may fail while the kit is still on its way; who waits for both hears of it below.
      loading.catch(() => undefined)
      const made = await (kit ??= openKit())
      const { mount } = await loading
      return (place) => mount(place, made)
    }
    let kit: Promise<unknown> | null = null
    const parts = new Map<string, ReturnType<typeof loadPart>>()
    const mountAt = async (name: string, place: Element): Promise<void> => {
      const loading = parts.get(name) ?? loadPart(name)
      parts.set(name, loading)
      const mount = await loading
      later(() => mount(place))
    }
    /** What goes wrong in a part is no concern of the page. */
    const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined)

    const taken = new WeakSet<Element>()
    const waiting: (() => void)[] = []
    /** A few at a time, so that a shelf of 500 products does not block the page. */
    const work = (): void => {
      const until = performance.now() + 8
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        try {
          next()
        } catch {
          // As `quietly`.
        }
        if (performance.now() > until) break
      }
      if (waiting.length > 0) idle(work)
    }
    const later = (next: () => void): void => {
      if (waiting.push(next) === 1) idle(work)
    }
    const seen = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting) continue
          seen.unobserve(target)
          quietly(mountAt((target as HTMLElement).dataset['okaeri'] ?? '', target))
        }
      },
      { rootMargin: '200px' },
    )
    const isOn = (name: string | undefined): boolean => name !== undefined && settings.parts[name]?.on === true
    /** Where nothing is sold out, whatever is chosen, the form has nothing to do. */
    const isNeeded = ({ dataset }: HTMLElement): unknown =>
      dataset['okaeri'] !== 'restock' ||
      'soldOut' in dataset ||
      start.page.product?.variants.some((one) => !one.available)
    const look = (): void => {
      for (const [name, { on, place }] of Object.entries(settings.parts)) {
        if (!on || !place) continue
        try {
          for (const target of document.querySelectorAll(place.selector)) {
            if (taken.has(target)) continue
            taken.add(target)
            const made = document.createElement('div')
            made.dataset['okaeri'] = name
            const where = { before: 'beforebegin', after: 'afterend', start: 'afterbegin', end: 'beforeend' }[
              place.where
            ]
            target.insertAdjacentElement(where as InsertPosition, made)
          }
        } catch {
          // A selector that is none.
        }
      }
      for (const place of document.querySelectorAll<HTMLElement>('[data-okaeri]'))
        if (isOn(place.dataset['okaeri']) && isNeeded(place) && !taken.has(place)) {
          taken.add(place)
          seen.observe(place)
        }
      // Without a place: it only looks.
      if (isOn('views') && !taken.has(document.body)) {
        taken.add(document.body)
        quietly(mountAt('views', document.body))
      }
    }
    look()
    // Cards that come later, sections that the theme draws again.
    let isAsked = false
    new MutationObserver(() => {
      if (isAsked) return
      isAsked = true
      setTimeout(() => {
        isAsked = false
        idle(look)
      }, 200)
    }).observe(document.body, { childList: true, subtree: true })
  }

  const go = (): void => idle(() => void begin().catch(() => undefined))
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', go)
  else go()
})()
