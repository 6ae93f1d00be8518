/** From here on characters are as wide as they are high. */
const FULL_WIDTH_FROM = 0x2e80

/** About how wide a line of text is, rather too wide than too narrow: nothing is measured on the page. */
export function roughWidth(text: string, sizePx: number): number {
  let ems = 0
  for (const character of text) ems += (character.codePointAt(0) ?? 0) >= FULL_WIDTH_FROM ? 1 : 0.62
  return ems * sizePx
}
