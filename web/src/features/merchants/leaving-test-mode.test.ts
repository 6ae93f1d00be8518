import { expect, test } from 'vitest'
import { underwayIn } from './leaving-test-mode.ts'

const running = (running_count: number, execution_count_exact = true) => ({ running_count, execution_count_exact })

test('the people in enabled scenarios are counted, and it is said where there are more', () => {
  expect(underwayIn([], 0)).toBe(null)
  expect(underwayIn([running(3), running(0)], 2)).toEqual({ scenarios: 2, people: 3, isAtLeast: false })
  expect(underwayIn([running(3)], 2)).toMatchObject({ people: 3, isAtLeast: true })
  expect(underwayIn([running(10_000, false)], 1)).toMatchObject({ isAtLeast: true })
})
