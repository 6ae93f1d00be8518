import { escapeHtml, type SandboxLanguage } from '../../page.ts'
import { listRows } from '../../sql.ts'
import { customerName } from '../customers.ts'
import { type StoreScope, storePath } from '../platform.ts'
import { cartCount, readCart } from './cart.ts'
import { appOrigin, blockStyles, embedOf, signUpPlace } from './places.ts'
import type { ThemePage, Visit } from './visit.ts'
import type { CollectionRow } from '../goods/rows.ts'

/** Shows a page within the theme. */
export async function show(visit: Visit, { type, title, body, product }: ThemePage): Promise<string> {
  const { scope, reply, language, look, t, at, customer } = visit
  const embed = await embedOf(visit, { type, product })
  if (visit.hasStrictCsp) reply.header('content-security-policy', strictPolicy(await appOrigin(scope)))
  reply.type('text/html; charset=utf-8')
  const collections = navigationCollections(scope)
  const links = [
    ...collections.map((one) => ({ path: `/collections/${one.handle}`, label: collectionTitle(visit, one) })),
    { path: '/collections/all', label: t('すべての商品', 'All products') },
  ]
    .map(({ path, label }) => `<li><a href="${at(path)}"${current(visit, path)}>${escapeHtml(label)}</a></li>`)
    .join('')
  const count = cartCount(readCart(scope, visit.request))
  const other: SandboxLanguage = language === 'ja' ? 'en' : 'ja'
  const account =
    customer === null
      ? `<a href="${at('/account/login')}"${current(visit, '/account')}>${t('ログイン', 'Sign in')}</a>`
      : `<a href="${at('/account')}"${current(visit, '/account')} title="${escapeHtml(customerName(customer))}">${t('アカウント', 'Account')}</a>`
  return `<!doctype html>
<html lang="${language}" data-look="${look}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${look}">
<title>${escapeHtml(title === scope.store.name ? title : `${title} – ${scope.store.name}`)}</title>
<link rel="icon" href="${at('/assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${at(`/assets/theme-${look}.css`)}">
${blockStyles(visit)}<script src="${at('/assets/with-script.js')}"></script>
<script src="${at('/assets/theme.js')}" defer></script>
</head>
<body data-page="${type}">
<a class="skip" href="#content">${t('本文へ移動', 'Skip to content')}</a>
<p class="announcement">${t('5,500円（税込）以上のお買い上げで送料無料', 'Free shipping in Japan from ¥5,500')}</p>
<header class="site-header">
<a class="brand" href="${at()}">${brand(scope)}</a>
<div class="tools"><a href="${at('/search')}"${current(visit, '/search')}>${t('検索', 'Search')}</a>${account}<a href="${at('/cart')}"${current(visit, '/cart')}>${t('カート', 'Cart')} <span class="count" data-cart-count>${count}</span></a></div>
<nav class="site-nav" aria-label="${t('商品', 'Shop')}"><ul>${links}</ul></nav>
</header>
<main id="content" tabindex="-1">
${body}
</main>
<footer class="site-footer">
<div class="footer-columns">
<section><h2>${t('お便り', 'Newsletter')}</h2><p>${t('新しい品物と季節のお知らせを、月に一、二度お送りします。', 'New things and news of the season, once or twice a month.')}</p>
<form class="newsletter" method="post" action="${at('/contact')}"><input type="hidden" name="form_type" value="customer"><label for="newsletter-to">${t('お便りの送り先', 'Send it to')}</label><div class="joined"><input id="newsletter-to" name="contact[email]" type="email" autocomplete="email" placeholder="hanako@example.jp" required><button>${t('登録する', 'Subscribe')}</button></div></form></section>
<section>${signUpPlace(visit)}</section>
<section><h2>${t('ご案内', 'Help')}</h2><ul class="plain"><li><a href="${at('/pages/shipping')}">${t('送料・お届け', 'Shipping')}</a></li><li><a href="${at('/pages/about')}">${t('店について', 'About us')}</a></li><li><a href="${at('/apps/okaeri/shopify/proxy/favorites')}">${t('お気に入り', 'Favorites')}</a></li></ul></section>
</div>
<p class="fine">© ${escapeHtml(scope.store.name)} · <a href="?lang=${other}" lang="${other}" hreflang="${other}" data-keep>${other === 'ja' ? '日本語' : 'English'}</a> · <a href="?theme=${look === 'light' ? 'dark' : 'light'}" data-keep>${look === 'light' ? t('夜のテーマ', 'Dark theme') : t('昼のテーマ', 'Light theme')}</a></p>
<p class="fine backstage">${t('サンドボックス', 'Sandbox')}: <a href="${at('/admin')}">${t('ストア管理', 'Store admin')}</a> · <a href="${at('/admin/theme')}">${t('テーマとスイッチ', 'Theme and switches')}</a> · <a href="/mail">${t('メールボックス', 'Mailbox')}</a> · <a href="/line">LINE</a></p>
</footer>
${embed}
</body>
</html>
`
}

const brand = (scope: StoreScope): string => escapeHtml(scope.store.name)

function current({ scope, request }: Visit, path: string): string {
  const own = request.url.split('?', 1)[0]?.slice(storePath(scope).length) ?? ''
  if (own === path) return ' aria-current="page"'
  return path !== '' && own.startsWith(`${path}/`) ? ' aria-current="true"' : ''
}

function strictPolicy(app: string | null): string {
  const ours = `'self'${app === null ? '' : ` ${app}`}`
  return [
    `default-src 'none'`,
    `script-src ${ours}`,
    `connect-src ${ours}`,
    `style-src 'self'`,
    `img-src 'self'`,
    `frame-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'self'`,
  ].join('; ')
}

function navigationCollections(scope: StoreScope): CollectionRow[] {
  return listRows<CollectionRow>(scope.database)`SELECT c.* FROM store_collection c
    WHERE c.store_id = ${scope.store.id} AND EXISTS ( SELECT 1 FROM store_collection_product p
    WHERE p.store_id = c.store_id AND p.collection_id = c.id) ORDER BY c.id LIMIT 5`
}

/** Collections are named in English after their handles. */
export function collectionTitle({ language }: Visit, { title, handle }: CollectionRow): string {
  if (language === 'ja' || /^collection-\d+$/.test(handle)) return title
  const words = handle.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
