/** A link as its readers saw it. */
export interface LinkName {
  /** What stood on it in the mail: its text, or its picture's description; null where the mail no longer has it. */
  text: string | null
  /** Where it leads, without what only counts visits and without percent signs. */
  place: string
}

/** Names the links of a mail by its HTML. `urls` are those that were followed, with their tracking parameters. */
export function linkNames(html: string, urls: readonly string[]): Map<string, LinkName> {
  const texts = new Map<string, string>()
  for (const link of new DOMParser().parseFromString(html, 'text/html').querySelectorAll('a[href]')) {
    const place = placeOf(link.getAttribute('href') ?? '')
    const text = textOf(link)
    if (text && !texts.has(place)) texts.set(place, text)
  }
  return new Map(
    urls.map((url) => {
      const place = placeOf(url)
      return [url, { text: texts.get(place) ?? null, place }]
    }),
  )
}

const textOf = (link: Element): string =>
  (link.textContent.trim() || link.querySelector('img[alt]')?.getAttribute('alt')?.trim() || '').replace(/\s+/g, ' ')

/** `https://shop.example/pages/%E6%98%A5?utm_source=okaeri&size=m` → `shop.example/pages/春?size=m`. */
export function placeOf(address: string): string {
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
