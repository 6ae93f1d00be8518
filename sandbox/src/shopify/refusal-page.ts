import { refuse } from '../http.ts'
import { escapeHtml, page, type SandboxLanguage } from '../page.ts'
import { isShopDomain } from './platform.ts'

/** A page for what the platform refuses to show. The reason is the platform's own wording, kept in English. */
export function refused(language: SandboxLanguage, reason: string): string {
  const title = { ja: '開けませんでした', en: 'This cannot be opened' }[language]
  return page({
    title,
    body: `<section class="card"><h1>${title}</h1><p>${escapeHtml(reason)}</p></section>`,
    lang: language,
  })
}

/** Throws 404 for an address that is no store's. */
export function refuseShop(shop: string): void {
  if (!isShopDomain(shop)) throw refuse(404, 'store_not_found', 'There is no such store.')
}
