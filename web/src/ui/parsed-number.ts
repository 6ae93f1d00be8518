/** The typed text as a number, also in full width and with separators; any other text unchanged, so that an error is shown. */
export function parseNumber(text: string): number | string | null {
  const plain = text
    .normalize('NFKC')
    .replace(/[\s,、]/g, '')
    .replace(/^[−‐–—]/, '-')
  if (plain === '') return null
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : text
}
