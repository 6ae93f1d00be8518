/** How the mail is looked at. */
export type Device = 'desktop' | 'phone'

/** Clicks on links would carry the preview away; a new window is what the sandbox forbids. */
const NO_WAY_OUT = '<base target="_blank">'
/**
 * Mails that know dark mode show their own; of others, mail programs turn the lightness round and leave the pictures, and so does
 * this.
 */
const OWN_DARK = '<style>:root{color-scheme:dark}</style>'
const TURNED_ROUND =
  '<style>html{background:#fff;filter:invert(1) hue-rotate(180deg)}img,video,[background],[style*="background-image"]{filter:invert(1) hue-rotate(180deg)}</style>'

/** Media queries follow the browser's setting, not the preview's: the dark ones are made to hold (or not to). */
const darkQueries = (html: string, dark: boolean): string =>
  html.replace(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_, scheme: string) =>
    (scheme.toLowerCase() === 'dark') === dark ? '(min-width: 0px)' : '(max-width: 0px)',
  )

/** The document of a preview frame (`srcdoc`). `drawnOver`: style rules of ours, for marks upon the mail. */
export function frameDocument(html: string, dark: boolean, drawnOver = ''): string {
  const knowsDark = /prefers-color-scheme\s*:\s*dark/i.test(html)
  const marks = drawnOver && `<style>${drawnOver}</style>`
  const added = NO_WAY_OUT + (dark ? (knowsDark ? OWN_DARK : TURNED_ROUND) : '') + marks
  const document = darkQueries(html, dark)
  const head = /<head[^>]*>/i.exec(document)
  if (!head) return added + document
  const at = head.index + head[0].length
  return document.slice(0, at) + added + document.slice(at)
}
