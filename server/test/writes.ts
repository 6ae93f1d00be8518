import { on } from 'node:events'
import pg from 'pg'
import type { TestOkaeri } from './harness.ts'

/** From now on, what workers say they have written (kernel/work/wake-ups.ts). */
export async function listenForWrites({ databaseUrl }: TestOkaeri): Promise<{
  /** Until this table is among it. */
  next(table: string): Promise<void>
  end(): Promise<void>
}> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const notifications = on(client, 'notification') as AsyncIterator<[pg.Notification]>
  await client.query('listen okaeri_written')
  return {
    async next(table) {
      for (;;) {
        const { value } = await notifications.next()
        if (value[0].payload?.split(' ').includes(table)) return
      }
    },
    end: () => client.end(),
  }
}
