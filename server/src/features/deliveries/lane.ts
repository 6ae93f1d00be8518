import type { SmtpEnvelope } from '../../integrations/mail/smtp-session.ts'
import { crashPoint, crashPointSoon } from '../../kernel/crash-point.ts'
import type { Lease } from './lease.ts'
import type { ClaimedRow } from './lease-queries.ts'
import { failed, judge } from './outcome.ts'
import { insertMailerPause } from './queries.ts'
import { isRedirected, recipientPart } from './recipient.ts'
import type { Supplied, Supply } from './supply.ts'
import type { Turn } from './turn.ts'

/** Most mails fit: Gmail clips them at 102 kB of HTML. */
const SCRATCH_BYTES = 192 * 1024

/** A claimed row with everything its connection needs. */
interface Ready {
  row: ClaimedRow
  envelope: SmtpEnvelope
  body: Buffer
  /** As this recipient gets it, where it is not the same for everybody. */
  subject: string | null
}

/** Memory of a lane for the mail on its way and the one composed meanwhile. */
interface Scratch {
  now: Buffer
  next: Buffer
}

/** One connection's share: message after message, until there is no next or the connection's fate says stop. */
export async function sendInLane(turn: Turn, supply: Supply): Promise<void> {
  const { scope, mailer, lease } = turn
  const { context } = scope
  const line = mailer.openLine()
  // One mail is on its way while the next is composed; a third begins when the first was answered, so is out of memory's use.
  const scratch = { now: Buffer.allocUnsafe(SCRATCH_BYTES), next: Buffer.allocUnsafe(SCRATCH_BYTES) }
  try {
    for (let ready = await makeNext(turn, supply, scratch); ready && !supply.halted; ) {
      const { row, envelope, body, subject } = ready
      let following: Ready | null = null
      const outcome = await line.send(
        envelope,
        body,
        () => letLeave(lease, row),
        () => {
          // Composed while the server works on this one.
          following = makeReadyNow(turn, supply, scratch)
          return following?.envelope ?? null
        },
      )
      if (outcome.kind === 'withheld') return
      crashPoint('answered')
      const { result, pause } = judge(outcome, row, context.clock.now())
      lease.report({ ...result, filledSubject: subject })
      if (pause) {
        supply.halt()
        const until = new Date(context.clock.now().getTime() + pause.ms)
        await insertMailerPause(scope, { mailer: mailer.name, until, detail: pause.detail })
        return
      }
      ready = following ?? (await makeNext(turn, supply, scratch))
    }
  } finally {
    line.close()
  }
}

async function makeNext(turn: Turn, supply: Supply, scratch: Scratch): Promise<Ready | null> {
  for (let next = await supply.take(); next; next = await supply.take()) {
    const ready = makeReady(turn, next, scratch)
    if (ready) return ready
  }
  return null
}

function makeReadyNow(turn: Turn, supply: Supply, scratch: Scratch): Ready | null {
  for (let next = supply.takeNow(); next; next = supply.takeNow()) {
    const ready = makeReady(turn, next, scratch)
    if (ready) return ready
  }
  return null
}

/** Composes the mail; one that cannot be composed has failed, and says why. */
function makeReady(turn: Turn, { row, filled }: Supplied, scratch: Scratch): Ready | null {
  const { scope, message, merchant, compose, lease, mail } = turn
  const { clock } = scope.context
  const redirected = isRedirected(row, turn)
  const to = redirected ? merchant.confirmed_test_emails : [row.address]
  try {
    const part = filled ?? recipientPart(turn, row)
    const data = { ...mail.shared, ...part.data }
    // A guest, or a customer without an address, can be tested with too.
    const intendedFor = redirected ? row.address || row.display_name || null : null
    const { body, subject } = compose(
      { deliveryId: row.id, token: part.token, to, intendedFor, data, texts: filled?.texts ?? [] },
      clock.now(),
      scratch.next,
    )
    ;[scratch.now, scratch.next] = [scratch.next, scratch.now]
    return { row, envelope: { from: message.from_email, to }, body, subject }
  } catch (error) {
    lease.report(failed(row.id, 'content', error instanceof Error ? error.message : String(error)))
    return null
  }
}

/** Asked when the server is ready for the body, which is written in this turn of the event loop. */
function letLeave(lease: Lease, { id, customer_id: customer, execution_id: execution, round }: ClaimedRow): boolean {
  crashPoint('before_leaving')
  const may = lease.leaves({ delivery: id, customer, execution, round })
  crashPoint('leaving')
  crashPointSoon('body_sent')
  return may
}
