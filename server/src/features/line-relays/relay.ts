import { type LineRelay, type LineRelayCall, MAX_RELAYS } from '@okaeri/contract/line-relays/relay'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  type CallRow,
  type CameWebhook,
  deleteRelay,
  findCall,
  insertCalls,
  insertRelay,
  listRelayIds,
  lockRelays,
  makeDue,
  selectCalls,
  selectRelays,
} from './queries.ts'

export const listRelays = async (scope: MerchantScope): Promise<LineRelay[]> =>
  (await selectRelays(scope)).map((row) => ({ ...row, created_at: row.created_at.toISOString() }))

/** The same address twice is one. */
export function addRelay(scope: MerchantScope, given: string): Promise<LineRelay[]> {
  const { href: url } = new URL(given)
  if (url.startsWith(`${new URL(scope.context.settings.publicUrl).origin}/line/webhook/`))
    throw invalid({ 'relay.url': 'circular' })
  return scope.transaction(async (scope) => {
    await lockRelays(scope)
    await insertRelay(scope, url)
    const relays = await listRelays(scope)
    if (relays.length > MAX_RELAYS) throw conflict('too_many_line_relays', `${MAX_RELAYS} addresses at most`)
    return relays
  })
}

export function removeRelay(scope: MerchantScope, id: string): Promise<LineRelay[]> {
  return scope.transaction(async (scope) => {
    if (!(await deleteRelay(scope, id))) throw notFound('there is no such relay')
    return listRelays(scope)
  })
}

/** What came and is new is passed on to every relay, later. */
export async function passOnLater(scope: MerchantScope, { came }: { came: readonly CameWebhook[] }): Promise<void> {
  const relayIds = await listRelayIds(scope)
  if (relayIds.length > 0) await insertCalls(scope, relayIds, came)
}

export async function listCalls(scope: MerchantScope, page: { limit: number; offset: number }) {
  const { rows, total } = await selectCalls(scope, page)
  return { data: rows.map(presentCall), ...page, total }
}

export function replayCall(scope: MerchantScope, id: string): Promise<LineRelayCall> {
  return scope.transaction(async (scope) => {
    if (!(await makeDue(scope, id))) throw notFound('there is no such call')
    const call = await findCall(scope, id)
    if (!call) throw notFound('its address is gone')
    return presentCall(call)
  })
}

const presentCall = (row: CallRow): LineRelayCall => ({
  ...row,
  received_at: row.received_at.toISOString(),
  next_try_at: row.next_try_at?.toISOString() ?? null,
})
