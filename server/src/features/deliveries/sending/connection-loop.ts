import { crashPoint, crashPointSoon } from '../../../kernel/crash-point.ts'
import { type ComposedBatch, type Connection, isWithheld } from '../channel.ts'
import type { ClaimBuffer } from './claim-buffer.ts'
import type { Lease } from './lease.ts'
import type { ClaimedRow } from '../rows.ts'
import { insertPause } from '../pause-queries.ts'
import type { TimeSlice } from './time-slice.ts'

/** One connection's share: batch after batch, until there is no next or the connection's fate says stop. */
export async function runConnectionLoop(slice: TimeSlice, buffer: ClaimBuffer): Promise<void> {
  const { outgoing, lease, channel, route, composer } = slice
  const { scope } = outgoing
  const { context } = scope
  const connection = composer.acquireConnection()
  try {
    for (let batch = await composeNext(slice, buffer, connection); batch && !buffer.halted; ) {
      const { rows } = batch
      let following: ComposedBatch | null = null
      const answer = await connection.handOver(
        batch,
        () => mayTransmit(lease, rows),
        () => {
          // Composed while the provider works on this one.
          following = composeNow(slice, buffer, connection)
          return following
        },
      )
      if (isWithheld(answer)) return
      crashPoint('answered')
      const { results, pause, isOneTooMany } = connection.judge(answer, batch, context.clock.now())
      for (const result of results) lease.report(result)
      if (pause) {
        buffer.halt()
        const until = new Date(context.clock.now().getTime() + pause.ms)
        const { detail, byQuota = false, unlessOthersSend } = pause
        const of = { channel: channel.name, route: route.name }
        await insertPause(scope, { ...of, until, detail, byQuota, ifSoleLease: unlessOthersSend ? lease.id : null })
        return
      }
      if (isOneTooMany) return
      batch = following ?? (await composeNext(slice, buffer, connection))
    }
  } finally {
    connection.close()
  }
}

async function composeNext(
  slice: TimeSlice,
  buffer: ClaimBuffer,
  connection: Connection,
): Promise<ComposedBatch | null> {
  for (let next = await buffer.take(); next; next = await buffer.take()) {
    const batch = connection.compose(next, slice.lease.report)
    if (batch) return batch
  }
  return null
}

function composeNow(slice: TimeSlice, buffer: ClaimBuffer, connection: Connection): ComposedBatch | null {
  for (let next = buffer.takeNow(); next; next = buffer.takeNow()) {
    const batch = connection.compose(next, slice.lease.report)
    if (batch) return batch
  }
  return null
}

/** Asked when the provider is ready for the body, which is written in this turn of the event loop. */
function mayTransmit(lease: Lease, rows: readonly ClaimedRow[]): boolean {
  crashPoint('before_leaving')
  const may = lease.mayTransmit(rows.map(entryOf))
  crashPoint('leaving')
  crashPointSoon('body_sent')
  return may
}

const entryOf = ({ id, customer_id: customer, execution_id: execution, round }: ClaimedRow) => ({
  delivery: id,
  customer,
  execution,
  round,
})
