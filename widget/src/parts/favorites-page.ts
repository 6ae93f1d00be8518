import type { Kit } from '../kit.ts'

interface Mark {
  product_id: number
  variant_id: number | null
}
interface Money {
  amount: number
  currency: string
}
interface Shown {
  product_id: number
  title: string
  path: string | null
  image_url: string | null
  price: Money | null
  is_available: boolean
  is_gone: boolean
  variants: { variant_id: number; title: string; price: Money | null; is_available: boolean }[]
}

const CSS =
  'h1{font-size:1.5em;margin:0 0 1em}ul{list-style:none;margin:0;padding:0;display:grid;gap:24px 16px;' +
  'grid-template-columns:repeat(auto-fill,minmax(150px,1fr))}li{position:relative}a{color:inherit}li a{text-decoration:none}' +
  '.i{aspect-ratio:1;overflow:hidden;border-radius:var(--okaeri-radius,6px);background:color-mix(in srgb,currentColor 8%,transparent)}' +
  'img{width:100%;height:100%;object-fit:cover;display:block}.x img{opacity:.5}p{margin:6px 0 0;overflow-wrap:anywhere}' +
  'small{opacity:.75}b{display:inline-block;font-size:12px;padding:1px 6px;border:1px solid;border-radius:3px}' +
  'section+p{margin-top:2em}button{margin-top:8px}section{min-height:240px}'
const AT_ONCE = 50

const money = ({ amount, currency }: Money, language: string): string => {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)).replace('￥', '¥')
}

const signIn = ({ el, page, t }: Kit, root: string): Node | '' =>
  page.customerId === null
    ? el(
        'p',
        {},
        el(
          'a',
          { href: `${root}/account/login` },
          t({ ja: 'ログインすると、ほかの端末でも見られます', en: 'Sign in to see them on your other devices' }),
        ),
      )
    : ''

/** The visitor's favorites, the latest first; what is sold out or gone says so. */
export function mount(place: Element, kit: Kit): void {
  /** Of the shop; behind the app proxy's prefix and name. */
  const root = kit.proxied('').replace(/\/[^/]+\/[^/]+$/, '')
  const { el, page, t } = kit
  const title = el('h1', { tabindex: '-1' }, t({ ja: 'お気に入り', en: 'Favorites' }, 'favorites_title'))
  const said = el('p', { role: 'status' })
  const list = el('ul', { role: 'list' })
  const more = el(
    'button',
    { type: 'button', hidden: true, click: () => void show() },
    t({ ja: 'もっと見る', en: 'Show more' }),
  )
  const again = el(
    'button',
    { type: 'button', hidden: true, click: () => void begin() },
    t({ ja: 'もう一度', en: 'Try again' }),
  )
  let marks: Mark[] = []
  let shown = 0

  const empty = (): void => {
    if (!list.firstChild && !marks[shown])
      said.textContent = t(
        {
          ja: 'お気に入りはまだありません。商品のハートを押すと、ここに並びます。',
          en: 'No favorites yet. Press the heart of a product to see it here.',
        },
        'favorites_empty',
      )
  }
  const failed = (): void => {
    said.textContent = t({ ja: '読み込めませんでした。', en: 'Could not be loaded.' })
    again.hidden = shown > 0
  }

  const card = ({ product_id, variant_id }: Mark, product: Shown | undefined): HTMLLIElement => {
    const variant = product?.variants.find((each) => each.variant_id === variant_id)
    const isGone = !product || product.is_gone || (variant_id !== null && !variant)
    const price = variant ? variant.price : product?.price
    const href = product?.path && root + product.path + (variant ? `?variant=${variant_id}` : '')
    const src = product?.image_url
    const name = product?.title ?? t({ ja: '販売を終了した商品', en: 'No longer sold' })
    const image = src ? el('img', { src, alt: '', loading: 'lazy' }) : null
    const inside = [el('div', { class: 'i' }, image), el('p', {}, name)]
    const badge = isGone
      ? t({ ja: '販売終了', en: 'No longer sold' })
      : (variant ?? product).is_available
        ? ''
        : t({ ja: '在庫切れ', en: 'Sold out' })
    const item = el(
      'li',
      { class: badge ? 'x' : null },
      href ? el('a', { href }, ...inside) : el('div', {}, ...inside),
      variant ? el('p', {}, el('small', {}, variant.title)) : null,
      price && !isGone ? el('p', {}, money(price, page.language)) : null,
      badge ? el('p', {}, el('b', {}, badge)) : null,
      el(
        'button',
        {
          type: 'button',
          'aria-label': t({ ja: `${name}をお気に入りから外す`, en: `Remove ${name} from favorites` }),
          click: remove,
        },
        t({ ja: '外す', en: 'Remove' }),
      ),
    )
    function remove(): void {
      const next = item.nextElementSibling
      const had = item.contains(place.shadowRoot?.activeElement ?? null)
      item.remove()
      said.textContent = t({ ja: 'お気に入りから外しました。', en: 'Removed from favorites.' })
      if (had) ((list.children.length > 0 && (next ?? list.lastElementChild)?.querySelector('button')) || title).focus()
      empty()
      kit
        .call('DELETE', `/frontend/favorite?product_id=${product_id}${variant_id ? `&variant_id=${variant_id}` : ''}`)
        .catch(() => {
          list.insertBefore(item, next?.parentNode ? next : null)
          said.textContent = t({
            ja: '外せませんでした。もう一度お試しください。',
            en: 'Could not be removed. Please try again.',
          })
        })
    }
    return item
  }

  async function show(): Promise<void> {
    const some = marks.slice(shown, shown + AT_ONCE)
    more.disabled = true
    try {
      const ids = [...new Set(some.map(({ product_id }) => product_id))]
      const answer =
        ids.length > 0 &&
        (await kit.proxy<{ products: Shown[] }>('GET', `/shopify/proxy/favorites/products?ids=${ids.join()}`))
      const known = new Map((answer ? answer.products : []).map((each) => [each.product_id, each]))
      list.append(...some.map((mark) => card(mark, known.get(mark.product_id))))
      shown += some.length
      said.textContent = ''
      empty()
    } catch {
      failed()
    }
    more.disabled = false
    more.hidden = shown === 0 || shown >= marks.length
  }

  async function begin(): Promise<void> {
    again.hidden = true
    said.textContent = t({ ja: '読み込んでいます…', en: 'Loading…' })
    try {
      marks = (await kit.call<{ favorites: Mark[] }>('GET', '/frontend/favorite'))?.favorites ?? []
      await show()
    } catch {
      failed()
    }
  }

  kit.shadow(place, CSS).replaceChildren(title, el('section', {}, said, again, list, more), signIn(kit, root))
  void begin()
}
