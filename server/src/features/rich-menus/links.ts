import { LineError } from '../../integrations/line/index.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { findMenuMadeAs, forgetRecorded, keepRefusal, type Look, scheduleLook } from './look-queries.ts'
import { refusalOf } from './refusal.ts'
import { listPending, markAllPending, markRefused, markDone } from './link-queries.ts'

/**
 * Reaction to `line.connected`. On another channel than before nothing that is recorded holds: all is made there again. On the same one
 * every link is sent again, as it may have been changed elsewhere meanwhile.
 */
export async function checkNewChannel(scope: MerchantScope, { formerId }: { formerId: string | null }): Promise<void> {
  await scheduleLook(scope)
  await (formerId === null ? markAllPending(scope) : forgetRecorded(scope))
}

/** The database was put back, and the platform may be in a later state than it knows. Returns whether there is anything to compare. */
export const checkRestoredMenus = (scope: MerchantScope): Promise<boolean> =>
  scope.transaction((scope) => forgetRecorded(scope))

/** The platform's limit (limits.json). */
const MOST_IN_A_CALL = 500
/** Then it is another merchant's turn. */
const CALLS_A_TURN = 20

export interface LinkProgress {
  hasMore: boolean
  /** How many people the next call names. */
  size: number
  /** The platform refused to give people a menu: they are to have another. */
  isRefused: boolean
}

/**
 * Links people on the platform to the menus they should have. Linking twice changes nothing, so what was cut off is sent again. A call
 * fails whole for one id that the platform does not take: calls become smaller until that id is found. A menu that it does not take does not
 * stop the others.
 */
export async function sendLinks(scope: MerchantScope, token: string, look: Look): Promise<LinkProgress> {
  const { menus } = scope.context.integrations.line
  const size = look.linkSize
  const pending = await listPending(scope, size * CALLS_A_TURN + 1)
  const calls = callsOf(pending, size).slice(0, CALLS_A_TURN)
  const refused = new Set<string | null>()
  let linked = 0
  for (const { lineMenuId, userIds } of calls) {
    if (refused.has(lineMenuId)) continue
    try {
      await (lineMenuId === null ? menus.unlink(token, userIds) : menus.link(token, lineMenuId, userIds))
    } catch (error) {
      if (error instanceof LineError && error.outcome.kind === 'bad_request') {
        const [only] = userIds
        if (userIds.length === 1 && only) await markRefused(scope, only)
        return { hasMore: true, size: Math.max(1, Math.floor(userIds.length / 2)), isRefused: refused.size > 0 }
      }
      const words = refusalOf(error)
      if (words === null || lineMenuId === null) throw error
      refused.add(lineMenuId)
      const menu = await findMenuMadeAs(scope, lineMenuId)
      if (menu) await keepRefusal(merchantScope(scope.context, scope.merchantId), look, { menu, words })
      continue
    }
    await markDone(scope, { lineMenuId, userIds })
    linked += userIds.length
  }
  return { hasMore: linked < pending.length, size: Math.min(MOST_IN_A_CALL, size * 2), isRefused: refused.size > 0 }
}

interface Call {
  lineMenuId: string | null
  userIds: string[]
}

/** Neighbours with the same menu share a call. */
function callsOf(pending: readonly { line_user_id: string; line_menu_id: string | null }[], size: number): Call[] {
  const calls: Call[] = []
  for (const { line_user_id, line_menu_id } of pending) {
    const last = calls.at(-1)
    if (last?.lineMenuId === line_menu_id && last.userIds.length < size) last.userIds.push(line_user_id)
    else calls.push({ lineMenuId: line_menu_id, userIds: [line_user_id] })
  }
  return calls
}
