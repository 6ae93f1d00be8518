import { FIGURES_HEIGHT, NODE_HEIGHT, STEP_Y } from '@okaeri/contract/scenarios/flow/flow-places'
import { expect, test } from 'vitest'
import { chain, mail, wait } from './template.ts'

test('the steps of a template have the same distances as in the flow editor, figures included', () => {
  const places = chain(mail('first', null), wait('pause', 3, 'days'), mail('second', null)).nodes.map(
    ({ position }) => position.y,
  )
  expect(places).toEqual([0, STEP_Y, 2 * STEP_Y])
  expect(STEP_Y).toBeGreaterThan(NODE_HEIGHT + FIGURES_HEIGHT)
})
