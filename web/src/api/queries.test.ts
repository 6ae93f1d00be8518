import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from './queries.ts'

afterEach(() => onlineManager.setOnline(true))

test('what is pressed without a network fails at once, and is not done by itself when it is back', async () => {
  let tries = 0
  const send = queryClient.getMutationCache().build(queryClient, {
    mutationFn: async () => {
      tries += 1
      throw new TypeError('Failed to fetch')
    },
  })
  onlineManager.setOnline(false)
  await expect(send.execute(undefined)).rejects.toThrow('Failed to fetch')
  onlineManager.setOnline(true)
  await queryClient.resumePausedMutations()
  expect(tries).toBe(1)
})
