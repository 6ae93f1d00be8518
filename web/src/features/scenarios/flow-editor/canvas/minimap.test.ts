import { expect, it } from 'vitest'
import { minimapOf, type Spot } from './minimap.tsx'

it('the minimap shows every card in its tone, with a margin', () => {
  const card = (x: number, y: number, tone: Spot['tone']): Spot => ({ x, y, width: 200, height: 100, tone })
  const { shapes, area } = minimapOf([card(0, 0, 'start'), card(-300, 200, 'plain'), card(300, 900, 'wrong')])
  expect(shapes).toEqual({
    start: 'M0 0h200v100h-200z',
    plain: 'M-300 200h200v100h-200z',
    wrong: 'M300 900h200v100h-200z',
  })
  // The cards take 800 by 1,000.
  expect(area).toEqual({ x: -360, y: -60, width: 920, height: 1120 })
})
