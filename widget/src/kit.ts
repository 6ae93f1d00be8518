import type { Page, Settings, Start, Texts } from './page.ts'

export type { Page, Product, Settings, Texts } from './page.ts'

/** What an answer that was not 2xx says (contract: ErrorBody). `status` 0: there was none. */
export interface CallError {
  status: number
  reason: string
  fields: Record<string, string>
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What every part is given. A part is `mount(place, kit)` in `parts/NAME.ts`; it imports types from here and nothing else. */
export interface Kit {
  settings: Settings
  page: Page
  /** Whether anyone is known: a customer is signed in, or this browser has a guest's id. Who is not has left nothing yet. */
  isKnown(): boolean
  /**
   * A call of `/frontend/*` with the visitor's token. Returns what came as JSON, null for an empty answer; throws a {@link CallError}. For
   * whom is not known yet, anything but GET makes a guest's id, which the browser keeps from then on; a GET answers null.
   */
  call<T>(method: Method, path: string, body?: unknown): Promise<T | null>
  /** What the browser keeps for this shop: `tab` until the tab is closed, `browser` for longer. Parts begin their names with their own. */
  kept: Record<'tab' | 'browser', { get(name: string): string | null; set(name: string, value: string | null): void }>
  /** A call of `/shopify/proxy/*` through the shop's own address: the platform says there who is signed in. Throws as `call`. */
  proxy<T>(method: Method, path: string, body?: unknown): Promise<T | null>
  /** Where the browser goes for it: an address behind the app proxy. */
  proxied(path: string): string
  /** In the page's language; `name` (`heart_add`, contract: widgetTexts): the merchant's own words of that name, where there are some. */
  t(texts: Texts, name?: string): string
  /** What several parts say. */
  texts: typeof TEXTS
  /** Why a call failed: `own` by the reason of a field or of the whole; what is the same everywhere; `otherwise`. */
  why(error: unknown, otherwise: Texts, own?: Record<string, Texts>): string
  /**
   * The place's shadow root with our rules and these; the same root if asked twice. Text has the page's font and color. Colors: `--accent` and
   * `--on-accent` (what is pressed), `--ground` and `--text` (popups and fields), `--line`.
   */
  shadow(place: Element, css?: string): ShadowRoot
  /** An element: attributes (a function is a listener), then children. Never HTML: texts stay texts. */
  el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes?: Record<string, string | boolean | null | undefined | ((event: Event) => void)>,
    ...children: (Node | string | null)[]
  ): HTMLElementTagNameMap[K]
  /** A solved challenge for a form that takes any address; undefined where the browser cannot solve one. Throws as `call`. */
  prove(form: 'sign_up' | 'restock'): Promise<string | undefined>
  /** Asked once on a page, however many places ask. */
  once<T>(name: string, ask: () => Promise<T>): Promise<T>
  /** Between places: `tell` reaches everyone who listens to the name. */
  tell(name: string, what?: unknown): void
  listen(name: string, listener: (what: unknown) => void): void
  /** The variant that is chosen on a product page, as the address or the form says; null: none. */
  variantId(): number | null
  /** Calls the listener at each change. */
  onVariant(listener: (variantId: number | null) => void): void
}

interface Challenge {
  parameters: { nonce: string; salt: string; cost: number; keyLength: number; keyPrefix: string }
}
const bytes = (hex: string): number[] => hex.match(/../g)?.map((pair) => parseInt(pair, 16)) ?? []
const hexOf = (some: Uint8Array): string => [...some].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Colors where neither the theme nor the merchant says otherwise. */
const COLORS = {
  accent: '#b3261e',
  on_accent: '#fff',
  text: 'CanvasText',
  ground: 'Canvas',
  line: 'color-mix(in srgb,currentColor 50%,transparent)',
}
const BASE =
  ':host{all:initial;display:block;font:inherit;line-height:1.4;word-break:auto-phrase;text-wrap:pretty;color:inherit;color-scheme:inherit}*{box-sizing:border-box}[hidden]{display:none!important}' +
  // `.l`: a link that looks like a button. Inside, on a ground whose color is known: the page's may be close to any.
  'button,input,.l{min-height:44px;padding:8px 12px;border:1px solid var(--line);border-radius:var(--okaeri-radius,6px);font:inherit;color:inherit;outline-offset:-4px}input{background:var(--ground);color:var(--text)}' +
  'button{cursor:pointer;background:none}button:disabled{opacity:.6}button:not([type=button]),.l{padding:8px 18px;border:0;background:var(--accent);color:var(--on-accent)}' +
  ':focus-visible{outline:2px solid}@media(prefers-reduced-motion:reduce){*{transition:none!important}}'

const GUEST = 'okaeri-guest'
const TOKEN = 'okaeri-token'
/** A call that was not answered for so long has failed, and what was typed can be sent again. */
const LATE_MS = 30_000
/** Asked again before it ends, so that no request comes late. */
const AHEAD_MS = 30_000

/** Storage that is blocked or full is none; then things last as long as the page. */
const kept = (area: () => Storage, shop: string) => {
  const here = new Map<string, string | null>()
  return {
    get(name: string): string | null {
      let stored: string | null = null
      try {
        stored = area().getItem(name + shop)
      } catch {
        // As said above.
      }
      return stored ?? here.get(name) ?? null
    },
    set(name: string, value: string | null): void {
      here.set(name, value)
      try {
        if (value === null) area().removeItem(name + shop)
        else area().setItem(name + shop, value)
      } catch {
        // As said above.
      }
    },
  }
}

const failure = (status: number, reason: string, fields = {}): CallError => ({ status, reason, fields })

const asker =
  ({ JSON, fetch }: Start['realm']) =>
  async <T>(address: string, method: Method, body: unknown, token?: string): Promise<T | null> => {
    let answer: Response
    let json: unknown = null
    try {
      answer = await fetch(address, {
        method,
        // The page may be on its way out.
        keepalive: document.hidden,
        // Older browsers wait for as long as the network does.
        signal: AbortSignal.timeout?.(LATE_MS) ?? null,
        credentials: token === undefined ? 'same-origin' : 'omit',
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        // Of nothing this is nothing.
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      json = text === '' ? null : JSON.parse(text)
    } catch {
      throw failure(0, 'network')
    }
    if (answer.ok) return json as T
    const { reason, fields } = (json as { error?: Partial<CallError> } | null)?.error ?? {}
    throw failure(answer.status, reason ?? 'internal', fields)
  }

const sheets = new Map<string, CSSStyleSheet>()
const sheetOf = (css: string): CSSStyleSheet => {
  const sheet = sheets.get(css) ?? new CSSStyleSheet()
  if (!sheets.has(css)) sheet.replaceSync(css)
  sheets.set(css, sheet)
  return sheet
}
const colorsOf = (settings: Settings): string =>
  Object.entries(COLORS)
    .map(([name, otherwise]) => {
      const dashed = name.replace('_', '-')
      return `--${dashed}:var(--okaeri-${dashed},${settings.colors[name] ?? otherwise})`
    })
    .join(';')

const el: Kit['el'] = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value)
    else if (value !== null && value !== undefined && value !== false)
      made.setAttribute(name, value === true ? '' : value)
  }
  made.append(...children.filter((child): child is Node | string => child !== null))
  return made
}

/** The browser computes each key beside the page, which is not held up. */
async function solve({ parameters }: Challenge): Promise<{ counter: number; derivedKey: string } | null> {
  const { nonce, salt, cost, keyLength, keyPrefix } = parameters
  const { subtle } = crypto
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(bytes(salt)), iterations: cost }
  for (let counter = 0; counter < 1e5; counter += 1) {
    const password = new Uint8Array([...bytes(nonce), counter >>> 24, counter >>> 16, counter >>> 8, counter])
    const key = await subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = hexOf(new Uint8Array(await subtle.deriveBits(how, key, keyLength * 8)))
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey }
  }
  return null
}

const TEXTS = {
  email: { ja: 'メールアドレス', en: 'Email address' },
  sending: { ja: '登録しています…', en: 'Signing up…' },
  confirm: {
    ja: '確認メールをお送りします。メールのリンクを開いて、登録を完了してください。',
    en: 'We are sending you an email. Open the link in it to complete your sign-up.',
  },
  saved: { ja: '保存しました。', en: 'Saved.' },
  not_saved: { ja: '保存できませんでした。時間をおいてお試しください。', en: 'Not saved. Please try again later.' },
} satisfies Record<string, Texts>

const whyOf = (error: unknown, otherwise: Texts, own: Record<string, Texts> = {}): Texts => {
  const { reason, fields } = error as CallError
  return (
    own[Object.values(fields)[0] ?? reason] ??
    (fields['email']
      ? { ja: 'メールアドレスを確認してください。', en: 'Please check the email address.' }
      : reason === 'rate_limited'
        ? { ja: 'しばらくしてからお試しください。', en: 'Please try again later.' }
        : otherwise)
  )
}

interface Token {
  access_token: string
  expires_in: number
  is_signed_in: boolean
}

/** Called once on a page, by the loader. */
export function open({ api, proxy, page, settings, realm }: Start): Kit {
  const { JSON } = realm
  const shop = `:${page.shop}`
  const lasting = kept(() => localStorage, shop)
  const passing = kept(() => sessionStorage, shop)
  const bus = new EventTarget()
  const asked = new Map<string, Promise<unknown>>()

  const ask = asker(realm)
  const own = `origin=${encodeURIComponent(location.origin)}`
  const at = (path: string): string =>
    `${api}${path}${path.includes('?') ? '&' : '?'}shop=${encodeURIComponent(page.shop)}`

  const askToken = async (): Promise<string> => {
    const guest = lasting.get(GUEST)
    const token =
      page.customerId !== null && guest === null
        ? await ask<{ token: Token }>(`${proxy}/shopify/proxy/token?${own}`, 'GET', undefined)
        : await convert(guest ?? newGuest())
    if (!token) throw failure(0, 'network')
    const { access_token, expires_in, is_signed_in } = token.token
    // What the guest left is the customer's now.
    if (is_signed_in) lasting.set(GUEST, null)
    passing.set(TOKEN, JSON.stringify([access_token, Date.now() + expires_in * 1000 - AHEAD_MS, page.customerId]))
    return access_token
  }
  const convert = async (guest_id: string): Promise<{ token: Token } | null> => {
    const connected = await ask<{ connection: { page_token: string } }>(
      `${proxy}/shopify/proxy/connect?${own}`,
      'GET',
      undefined,
    )
    return ask(at('/frontend/convert_token/'), 'POST', { guest_id }, connected?.connection.page_token ?? '')
  }
  const newGuest = (): string => {
    const id = hexOf(crypto.getRandomValues(new Uint8Array(16)))
    lasting.set(GUEST, id)
    return id
  }
  let asking: Promise<string> | null = null
  const tokenNow = async (isStale: boolean): Promise<string> => {
    try {
      const [token, until, customer] = JSON.parse(passing.get(TOKEN) ?? '[]') as [string, number, string | null]
      const isJoined = page.customerId === null || lasting.get(GUEST) === null
      if (!isStale && token && until > Date.now() && customer === page.customerId && isJoined) return token
    } catch {
      // The entry is damaged, or of other code.
    }
    asking ??= askToken().finally(() => (asking = null))
    return asking
  }

  const variantId = (): number | null => {
    const said =
      new URLSearchParams(location.search).get('variant') ??
      document.querySelector<HTMLInputElement>('form[action*="/cart"] [name="id"]')?.value
    const variants = page.product?.variants ?? []
    const found = variants.find(({ id }) => String(id) === said) ?? variants.find(({ available }) => available)
    return (found ?? variants[0])?.id ?? null
  }

  const kit: Kit = {
    settings,
    page,
    isKnown: () => page.customerId !== null || lasting.get(GUEST) !== null,
    async call(method, path, body) {
      if (method === 'GET' && !kit.isKnown()) return null
      try {
        return await ask(at(path), method, body, await tokenNow(false))
      } catch (error) {
        if ((error as CallError).reason !== 'token_invalid') throw error
        return ask(at(path), method, body, await tokenNow(true))
      }
    },
    kept: { tab: passing, browser: lasting },
    proxy: (method, path, body) => ask(proxy + path, method, body),
    proxied: (path) => proxy + path,
    texts: TEXTS,
    why: (...given) => kit.t(whyOf(...given)),
    t: (texts, name = '') => settings.texts[name]?.[page.language] || texts[page.language],
    shadow(place, css = '') {
      const known = place.shadowRoot
      if (known) return known
      const root = place.attachShadow({ mode: 'open' })
      root.adoptedStyleSheets = [sheetOf(`${BASE}:host{${colorsOf(settings)}}`), sheetOf(css)]
      return root
    },
    el,
    async prove(form) {
      const challenge = crypto.subtle && (await kit.call<Challenge>('POST', '/frontend/captcha', { form }))
      // A browser that cannot after all has none.
      const solution = challenge && (await solve(challenge).catch(() => null))
      return solution ? btoa(JSON.stringify({ challenge, solution })) : undefined
    },
    once(name, askFor) {
      const known = asked.get(name) ?? askFor()
      asked.set(name, known)
      return known as Promise<never>
    },
    tell: (name, what) => void bus.dispatchEvent(new CustomEvent(name, { detail: what })),
    listen: (name, listener) => bus.addEventListener(name, (event) => listener((event as CustomEvent).detail)),
    variantId,
    onVariant(listener) {
      let last = variantId()
      const look = (): void => {
        const now = variantId()
        if (now !== last) listener((last = now))
      }
      // Themes write the address some time after the choice.
      const soon = (): void => [0, 100, 600].forEach((ms) => setTimeout(look, ms))
      document.addEventListener('change', soon)
      addEventListener('popstate', soon)
    },
  }
  return kit
}
