/** From this code point on, characters are as wide as they are high. */
const FULL_WIDTH_FROM = 0x2e80

/** The approximate width of a line of text, rather too large than too small. Nothing is measured on the page. */
export function roughWidth(text: string, sizePx: number): number {
  let ems = 0
  for (const character of text) ems += (character.codePointAt(0) ?? 0) >= FULL_WIDTH_FROM ? 1 : 0.62
  return ems * sizePx
}
