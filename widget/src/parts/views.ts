import type { CallError, Kit } from '../kit.ts'

/** A visitor who leaves at once did not look. */
const LOOKS_MS = 3000
/** A look is held back so long: the next ones go with it. */
const HELD_MS = 10_000
/** As many as the server takes. */
const LOOKS = 20
const LINES = 50
/** Kept under these names. */
const HELD = 'okaeri-views'
const CART = 'okaeri-cart'

/** Product and pieces. */
type Cart = [number, number][]

/**
 * On where the merchant turned it on: tells what a signed-in customer looks at, and what lies in their cart when that changed. What a guest looks at
 * waits in the tab until they sign in there, and is never sent otherwise. The server asks for the permission.
 */
export function mount(_place: Element, { call, kept: { tab, browser }, page, proxy, settings }: Kit): void {
  const { customerId, product } = page
  const { views, carts } = (settings.facts['behavior'] ?? {}) as { views?: boolean; carts?: boolean }
  // As `customer|product,time|product,time`: the page may have replaced JSON.
  const held = (): string[] => {
    const [who, ...looks] = (tab.get(HELD) ?? '').split('|')
    // What another customer left in this tab is dropped.
    return who && who !== customerId ? [] : looks
  }
  const hold = (looks: string[]): void => tab.set(HELD, [customerId, ...looks.slice(-LOOKS)].join('|'))

  /** Returns whether it was stored; what was not waits for the next time. */
  const send = async (cart: Cart | null = null): Promise<boolean> => {
    const looks = views ? held() : []
    if (!customerId || !(cart || looks[0])) return false
    hold([])
    try {
      const told = looks.map((look) =>
        look.split(',').map((of, at) => (at ? Math.round((Date.now() - +of) / 1000) : +of)),
      )
      await call('POST', '/frontend/views', { views: told, cart })
      return true
    } catch (error) {
      // What is refused would be refused again.
      if ((error as CallError).status !== 400) hold([...looks, ...held()])
      return false
    }
  }

  const sendIn = (ms: number): unknown => setTimeout(() => void send(), ms)

  if (views) {
    // From a page before, or from before they signed in.
    sendIn(LOOKS_MS)
    if (product)
      setTimeout(() => {
        if (document.hidden) return
        hold([...held(), `${product.id},${Date.now()}`])
        sendIn(HELD_MS)
      }, LOOKS_MS)
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) void send()
    })
  }
  if (carts && customerId)
    // Beside the app proxy, whatever that is called: in the root of the shop.
    proxy<{ items: { product_id: number; quantity: number }[] }>('GET', '/../../cart.js')
      .then(async (answer) => {
        const cart = answer!.items
          .slice(0, LINES)
          .map(({ product_id, quantity }): Cart[number] => [product_id, quantity])
        const now = `${customerId} ${String(cart)}`
        // An empty one is sent only after a full one.
        if (now !== (browser.get(CART) ?? `${customerId} `) && (await send(cart))) browser.set(CART, now)
      })
      .catch(() => undefined)
}
