/** What stood on each link of a mail whose link n leads to `#{mark}{n}`; a link that this reading of the mail does not show is not among them. */
export function linkTexts(html: string, mark: string): Map<number, string[]> {
  const texts = new Map<number, string[]>()
  for (const link of new DOMParser().parseFromString(html, 'text/html').querySelectorAll(`[href^="#${mark}"]`)) {
    const position = Number(link.getAttribute('href')?.slice(mark.length + 1))
    // A repeated part of the mail repeats its links.
    texts.set(position, [...(texts.get(position) ?? []), textOf(link)])
  }
  return texts
}

/** One number for several places of the mail, such as the products of a list: all their clicks are counted as this link's. */
export function nameOf(texts: readonly string[]): { text: string; isOneOfMany: boolean; places: number } {
  const different = new Set(texts.filter(Boolean))
  return { text: [...different][0] ?? '', isOneOfMany: different.size > 1, places: texts.length }
}

const textOf = (link: Element): string =>
  (link.textContent.trim() || link.querySelector('img[alt]')?.getAttribute('alt')?.trim() || '').replace(/\s+/g, ' ')

/** Where a link leads, without what only counts visits and without percent signs: `https://shop.example/pages/%E6%98%A5?utm_source=okaeri&size=m` → `shop.example/pages/春?size=m`. Null for one that is filled in, and so leads to different places. */
export function placeOf(address: string): string | null {
  if (address.includes('{{')) return null
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  for (const name of Array.from(url.searchParams.keys())) if (name.startsWith('utm_')) url.searchParams.delete(name)
  const readable = `${url.host}${url.pathname === '/' ? '' : url.pathname}${url.search}${url.hash}`
  try {
    return decodeURI(readable)
  } catch {
    // A lone percent sign: some shops have them.
    return readable
  }
}
