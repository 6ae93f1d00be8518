const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i

/** Relative luminance (WCAG 2.2); null for what is no color. */
function luminanceOf(color: string): number | null {
  const channels = HEX.exec(color)?.slice(1)
  if (!channels) return null
  const [red = 0, green = 0, blue = 0] = channels.map((hex) => {
    const value = Number.parseInt(hex, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How far two colors stand apart, 1 to 21; null where one is none. */
export function contrastOf(one: string, other: string): number | null {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  if (a === null || b === null) return null
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
