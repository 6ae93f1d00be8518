import type { Kit } from '../kit.ts'

interface Mark {
  product_id: number
  variant_id: number | null
}

const CSS =
  ':host{display:inline-block;position:relative}button{display:flex;width:44px;padding:10px;border:0;border-radius:22px;background:color-mix(in srgb,var(--ground) 75%,transparent);color:var(--text)}' +
  'svg{flex:none;width:24px;fill:none;stroke:currentColor;stroke-width:1.8;transition:transform .15s}' +
  '[aria-pressed=true] svg{fill:var(--accent);stroke:color-mix(in srgb,var(--accent) 60%,var(--text))}button:active svg{transform:scale(.85)}' +
  '.n:not(:empty){position:absolute;top:0;right:0;min-width:16px;padding:0 4px;border-radius:8px;background:var(--text);color:var(--ground);font-size:11px;line-height:16px}.s:not(:empty){position:absolute;z-index:1;top:100%;right:0;width:max-content;max-width:130px;padding:6px 10px;border:1px solid;border-radius:6px;background:Canvas;color:CanvasText;font-size:12px;line-height:1.5}' +
  '@media(forced-colors:active){[aria-pressed=true] svg{fill:Highlight}}'
const HEART = 'M12 20.5C7 16.6 3 13 3 8.9A4.9 4.9 0 0 1 12 6.2A4.9 4.9 0 0 1 21 8.9C21 13 17 16.6 12 20.5Z'
/** As many as the server names at once. */
const AT_ONCE = 50

/** What this visitor likes, `product/variant`; variant 0: the whole product. One for all hearts of the page. */
const marks = new Set<string>()
/** Calls about a product, one after the other, so that the last press counts. */
const calls = new Map<number, Promise<unknown>>()
const counts = new Map<number, number>()
let counting: number[] = []

const load = (kit: Kit): Promise<void> =>
  kit.once('favorites', async () => {
    const answer = await kit.call<{ favorites: Mark[] }>('GET', '/frontend/favorite')
    for (const { product_id, variant_id } of answer?.favorites ?? []) marks.add(`${product_id}/${variant_id ?? 0}`)
    kit.tell('hearts')
  })

function count(kit: Kit, product: number): void {
  if (counts.has(product)) return
  counts.set(product, 0)
  if (counting.push(product) > 1) return
  setTimeout(() => {
    const ids = counting
    counting = []
    for (let at = 0; at < ids.length; at += AT_ONCE)
      kit
        .proxy<{ products: { product_id: number; count: number }[] }>(
          'GET',
          `/shopify/proxy/favorites/products?ids=${ids.slice(at, at + AT_ONCE).join()}`,
        )
        .then((answer) => {
          for (const each of answer?.products ?? []) counts.set(each.product_id, each.count)
          kit.tell('hearts')
        })
        .catch(() => undefined)
  }, 50)
}

export function mount(place: Element, kit: Kit): void {
  const { product } = kit.page
  const id = Number((place as HTMLElement).dataset['productId'] ?? product?.id)
  if (!id) return
  const { show_count } = (kit.settings.facts['favorites'] ?? {}) as { show_count?: boolean }
  const { el, t } = kit
  /** On its own page a product with variants is liked by variant. */
  const byVariant = product?.id === id && product.variants.length > 1
  const chosen = (): number => (byVariant ? (kit.variantId() ?? 0) : 0)
  const mine = (): string[] => {
    const those = [...marks].filter((mark) => mark.startsWith(`${id}/`))
    return byVariant ? those.filter((mark) => mark === `${id}/0` || mark === `${id}/${chosen()}`) : those
  }
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const path = document.createElementNS(svg.namespaceURI, 'path')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  path.setAttribute('d', HEART)
  svg.append(path)
  const number = el('span', { class: 'n', 'aria-hidden': 'true' })
  const said = el('span', { class: 's', role: 'status' })
  const button = el('button', { type: 'button', click: press }, svg, show_count ? number : null)
  const draw = (): void => {
    const on = mine().length > 0
    button.setAttribute('aria-pressed', String(on))
    button.title = on
      ? t({ ja: 'お気に入りから外す', en: 'Remove from favorites' }, 'heart_remove')
      : t({ ja: 'お気に入りに追加', en: 'Add to favorites' }, 'heart_add')
    const people = counts.get(id) ?? 0
    // It takes no room of its own: the place stays as it is.
    number.textContent = people > 999 ? '999+' : people > 0 ? String(people) : ''
    button.setAttribute(
      'aria-label',
      t({ ja: 'お気に入り', en: 'Favorite' }) + (show_count && people > 0 ? ` (${people})` : ''),
    )
  }

  function press(event: Event): void {
    // A card is a link to its product.
    event.preventDefault()
    event.stopPropagation()
    said.textContent = ''
    const before = mine()
    const changed = before.length > 0 ? before : [`${id}/${chosen()}`]
    const adds = before.length === 0
    const set = (on: boolean): void => {
      for (const mark of changed)
        if (on) marks.add(mark)
        else marks.delete(mark)
      counts.set(id, Math.max(0, (counts.get(id) ?? 0) + (on ? 1 : -1) * changed.length))
      kit.tell('hearts')
    }
    set(adds)
    const earlier = calls.get(id) ?? Promise.resolve()
    const call = earlier
      .then(async () => {
        for (const mark of changed) {
          const variant = Number(mark.split('/')[1])
          if (adds) await kit.call('POST', '/frontend/favorite', { product_id: id, variant_id: variant || null })
          else await kit.call('DELETE', `/frontend/favorite?product_id=${id}${variant ? `&variant_id=${variant}` : ''}`)
        }
      })
      .catch((error: { reason?: string }) => {
        // Unless it was pressed again meanwhile, what is shown is put right.
        if (calls.get(id) === call) set(!adds)
        said.textContent = t(
          error.reason === 'too_many_favorites'
            ? { ja: 'お気に入りの上限に達しました。', en: 'You have reached the limit of favorites.' }
            : { ja: '保存できませんでした。もう一度お試しください。', en: 'Could not be saved. Please try again.' },
        )
      })
    calls.set(id, call)
  }

  kit.shadow(place, CSS).replaceChildren(button, said)
  draw()
  kit.listen('hearts', draw)
  if (byVariant) kit.onVariant(draw)
  if (show_count) count(kit, id)
  load(kit).catch(() => undefined)
}
