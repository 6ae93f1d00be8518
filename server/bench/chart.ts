/** One line of a chart: what was measured, at each size. */
export interface Series {
  name: string
  /** Said behind the name, in grey: what is wanted of it. */
  wanted?: string
  /** Pairs of size and figure, both positive. */
  points: readonly (readonly [size: number, figure: number])[]
}

const WIDTH = 940
const HEIGHT = 440
const LEFT = 70
const RIGHT = 380
const TOP = 46
const BOTTOM = 44
// As many colors as lines that can be distinguished.
const colours = [
  '#1a6fb5',
  '#b5461a',
  '#2c8a4b',
  '#8a2c7d',
  '#8a6d1a',
  '#6b7280',
  '#0f8a8a',
  '#b51a4e',
  '#5b5bd6',
  '#7a8a1a',
]

const escapeText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
const decades = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index))
const short = (value: number): string =>
  value >= 1_000_000 ? `${value / 1_000_000}M` : value >= 1000 ? `${value / 1000}k` : String(value)

/**
 * A chart as SVG, both axes in powers of ten: a line that runs level costs the same at any size, one at 45 degrees grows with the size.
 * Readable on light and on dark paper.
 */
export function chart(title: string, unit: string, series: readonly Series[]): string {
  const sizes = series.flatMap(({ points }) => points.map(([size]) => size))
  const figures = series.flatMap(({ points }) => points.map(([, figure]) => figure))
  const [x0, x1] = [Math.floor(Math.log10(Math.min(...sizes))), Math.ceil(Math.log10(Math.max(...sizes)))]
  const [y0, y1] = [Math.floor(Math.log10(Math.min(...figures))), Math.ceil(Math.log10(Math.max(...figures)))]
  const x = (size: number): number => LEFT + ((Math.log10(size) - x0) / Math.max(1, x1 - x0)) * (WIDTH - LEFT - RIGHT)
  const y = (figure: number): number =>
    HEIGHT - BOTTOM - ((Math.log10(figure) - y0) / Math.max(1, y1 - y0)) * (HEIGHT - TOP - BOTTOM)
  const grid = [
    ...decades(x0, x1).map(
      (size) =>
        `<line x1="${x(size)}" x2="${x(size)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#8884"/>` +
        `<text x="${x(size)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${short(size)}</text>`,
    ),
    ...decades(y0, y1).map(
      (figure) =>
        `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(figure)}" y2="${y(figure)}" stroke="#8884"/>` +
        `<text x="${LEFT - 8}" y="${y(figure) + 4}" text-anchor="end">${short(figure)}</text>`,
    ),
  ]
  // Names stand at their lines' ends, moved apart where two would meet.
  const ends = series
    .map((one, index) => ({ index, at: y(one.points.at(-1)?.[1] ?? 1) }))
    .sort((one, other) => one.at - other.at)
  for (const [position, end] of ends.entries())
    end.at = Math.max(end.at, (ends[position - 1]?.at ?? Number.NEGATIVE_INFINITY) + 15)
  const lines = series.map(({ name, wanted, points }, index) => {
    const colour = colours[index % colours.length]
    const path = points.map(([size, figure]) => `${x(size).toFixed(1)},${y(figure).toFixed(1)}`).join(' ')
    const label = ends.find((end) => end.index === index)?.at ?? 0
    return (
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      points.map(([size, figure]) => `<circle cx="${x(size)}" cy="${y(figure)}" r="3" fill="${colour}"/>`).join('') +
      `<text x="${WIDTH - RIGHT + 10}" y="${label + 4}" fill="${colour}">${escapeText(name)}` +
      `${wanted ? `<tspan fill="#888" dx="6">${escapeText(wanted)}</tspan>` : ''}</text>`
    )
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#777">`,
    `<text x="${LEFT}" y="20" font-size="15" font-weight="bold">${escapeText(title)}</text>`,
    `<text x="${LEFT}" y="37">${escapeText(unit)}, by number of customers</text>`,
    ...grid,
    ...lines,
    '</svg>',
    '',
  ].join('\n')
}
