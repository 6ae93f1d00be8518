import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { LineRelay, LineRelayCall, NewLineRelay } from './relay.ts'

const area = 'line'
const IdParams = z.object({ id: z.uuid('not_an_id') })
const Reply = z.object({ relays: z.array(LineRelay) })

export const listLineRelays = endpoint('GET', '/line/relays', {
  area,
  summary: 'Addresses that LINE’s webhooks are passed on to',
  access: 'member',
  reply: Reply,
})

export const addLineRelay = endpoint('POST', '/line/relays', {
  area,
  summary: 'Pass LINE’s webhooks on to another address too, body and signature untouched',
  access: 'owner',
  status: 201,
  body: z.strictObject({ relay: NewLineRelay }),
  reply: Reply,
})

export const deleteLineRelay = endpoint('DELETE', '/line/relays/{id}', {
  area,
  summary: 'Pass nothing on to this address any more; what waits for it is dropped',
  access: 'owner',
  params: IdParams,
  reply: Reply,
})

export const listLineRelayCalls = endpoint('GET', '/line/relay_calls', {
  area,
  summary: 'What was passed on in the last seven days, and what came of it; the newest first',
  access: 'member',
  query: PageQuery,
  reply: pageOf(LineRelayCall),
})

export const replayLineRelayCall = endpoint('POST', '/line/relay_calls/{id}/replay', {
  area,
  summary: 'Pass it on once more, as it came',
  access: 'owner',
  params: IdParams,
  reply: z.object({ call: LineRelayCall }),
})
