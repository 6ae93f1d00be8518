import { describe, expect, it } from 'vitest'
import { backgroundFor } from './background.tsx'

describe('the background of the picture', () => {
  it('covers the visible part and much more', () => {
    for (let zoom = 0.1; zoom <= 1.6; zoom += 0.003) {
      const [x, y, width, height] = [-1234, 777, 820, 700]
      const background = backgroundFor({ transform: [x, y, zoom], width, height }, null)
      const seen = { left: -x / zoom, top: -y / zoom, width: width / zoom, height: height / zoom }
      expect(background.left).toBeLessThanOrEqual(seen.left - seen.width)
      expect(background.top).toBeLessThanOrEqual(seen.top - seen.height)
      expect(background.left + background.width).toBeGreaterThanOrEqual(seen.left + 2 * seen.width)
      expect(background.top + background.height).toBeGreaterThanOrEqual(seen.top + 2 * seen.height)
    }
  })
  it('covers all cards, wherever they are', () => {
    const seen = { transform: [0, 0, 1] as const, width: 800, height: 600 }
    const { left, top, width, height } = backgroundFor(seen, { x: -9000, y: 100, width: 256, height: 30_000 })
    expect(left).toBeLessThanOrEqual(-9000)
    expect(top + height).toBeGreaterThanOrEqual(30_100)
    expect(left + width).toBeGreaterThanOrEqual(1600)
  })
  it('keeps its dots in the same places in every view, and never too close together', () => {
    for (const zoom of [0.1, 0.13, 0.25, 0.5, 0.7, 1, 1.6])
      for (const x of [0, -333, 4711]) {
        const { left, top, gap } = backgroundFor({ transform: [x, -x, zoom], width: 800, height: 600 }, null)
        expect(Math.abs(left % gap)).toBe(0)
        expect(Math.abs(top % gap)).toBe(0)
        expect(gap * zoom).toBeGreaterThan(16)
        expect(gap * zoom).toBeLessThan(39)
      }
  })
})
