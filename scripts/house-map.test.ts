import { expect, test } from 'vitest'
import { aboutOf, houseMap } from './house-map.ts'

test('a feature is about what its title says behind the colon, else about its first sentence', () => {
  expect(aboutOf('# coupons: discount codes on the platform\n\nMore.\n')).toBe('Discount codes on the platform')
  expect(aboutOf('# consent\n\nWho may be **mailed**, and\nwhen. Two permissions.\n\nInvariants\n')).toBe(
    'Who may be mailed, and when',
  )
  expect(aboutOf(`# stats\n\nCounts of what happened: ${'of every kind, '.repeat(10)}and more.\n`)).toBe(
    'Counts of what happened',
  )
})

test('the map goes up the floors and names what each feature calls, once', () => {
  const [low, high] = [
    { name: 'orders', readme: '# orders\n\nWhat was bought.\n', imports: ['../../kernel/ids.ts', './queries.ts'] },
    {
      name: 'steps',
      readme: '# steps\n\nMoves on.\n',
      imports: ['../orders/index.ts', '../../orders/index.ts', '../../integrations/mail/index.ts', '../steps/index.ts'],
    },
  ]
  expect(houseMap([['orders'], ['steps']], [high, low])).toBe(
    [
      '| floor | feature | about | calls |',
      '|---|---|---|---|',
      '| 0 | [orders](server/src/features/orders/README.md) | What was bought | – |',
      '| 1 | [steps](server/src/features/steps/README.md) | Moves on | orders |',
    ].join('\n'),
  )
  expect(() => houseMap([['gone']], [low])).toThrow('gone')
})
