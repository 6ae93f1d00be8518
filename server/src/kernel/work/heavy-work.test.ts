import os from 'node:os'
import { setImmediate as allThatCanBegins } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { heavyWork } from './heavy-work.ts'

test('one processor stays free; the rest waits in order, also after a failure', async () => {
  const places = Math.max(1, os.availableParallelism() - 1)
  const began: number[] = []
  const ends = Array.from({ length: places + 2 }, () => Promise.withResolvers<void>())
  const works = ends.map(({ promise }, index) =>
    heavyWork(() => {
      began.push(index)
      return promise
    }),
  )
  const inPlaces = Array.from({ length: places }, (_, index) => index)
  await allThatCanBegins()
  expect(began).toEqual(inPlaces)
  ends[0]?.reject(new Error('broken'))
  await expect(works[0]).rejects.toThrow('broken')
  await allThatCanBegins()
  expect(began).toEqual([...inPlaces, places])
  for (const { resolve } of ends) resolve()
  await Promise.allSettled(works)
  expect(began).toEqual([...inPlaces, places, places + 1])
})
