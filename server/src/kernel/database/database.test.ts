import { expect, inject, test, vi } from 'vitest'
import { connect } from './database.ts'

test('an idle process keeps one connection, so that it is seen by who must not run beside it', async () => {
  vi.useFakeTimers({ toNotFake: ['setImmediate', 'nextTick'] })
  const { pool, close } = connect(inject('postgresUrl'), { name: 'okaeri-idle', max: 3 })
  try {
    await Promise.all([pool.query('select 1'), pool.query('select 1')])
    const before = pool.totalCount
    vi.advanceTimersByTime(3_600_000)
    expect([before, pool.totalCount]).toEqual([2, 1])
  } finally {
    vi.useRealTimers()
    await close()
  }
})
