import { lateBefore } from '@okaeri/contract/late'
import {
  contentOf,
  emailOf,
  type Flow,
  type FlowNode,
  lineMessageOf,
  nextOf,
  portsOf,
} from '@okaeri/contract/scenarios/flow/flow'
import type { Outlook } from '@okaeri/contract/scenarios/outlook'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type EmailContent, listEmailContents } from '../emails/index.ts'
import { getScenarioRow, selectActiveOf } from '../flows/index.ts'
import { listLineContents } from '../line-messages/index.ts'
import { getMerchant, senderOf } from '../merchants/index.ts'
import { addDays, localDay } from '../segments/index.ts'
import { countOfDay, isDaily, timeOn } from '../triggers/index.ts'
import { countStopped } from './outlook-queries.ts'

/** Bounded, however many customers there are: a member waits for the answer. */
export async function getOutlook(scope: MerchantScope, id: string): Promise<Outlook> {
  const { flow } = await getScenarioRow(scope, id)
  const merchant = await getMerchant(scope)
  const { nodes, trigger } = flow
  const ids = nodes.flatMap((node) => emailOf(node) ?? [])
  const contents = await listEmailContents(scope, [...new Set(ids)])
  const senders = new Map(
    contents.map((written) => {
      const { name, email } = senderOf(written, merchant)
      return [`${name} ${email}`, { name, email }]
    }),
  )
  const stopped = await countStopped(scope, id, lateBefore('scenario', scope.now))
  return {
    held: stopped.held,
    held_late: stopped.late,
    waiting: stopped.waiting,
    next_day: isDaily(trigger) ? await nextDay(scope, id, { trigger, timezone: merchant.timezone }) : null,
    emails: nodes.filter(({ kind }) => kind === 'send_email').length,
    line_messages: nodes.filter(({ kind }) => kind === 'send_line').length,
    senders: [...senders.values()],
    coupons: nodes.flatMap((node) => (node.kind === 'issue_coupon' ? [node.settings.coupon] : [])),
    without_cancel_link: trigger.kind === 'product_restocked' ? await countWithoutCancelLink(scope, flow, contents) : 0,
    also_active: await listAboutTheSame(scope, trigger.kind),
  }
}

/** Those who registered and have it among their favorites get one of the two messages (decision 204). */
async function listAboutTheSame(scope: MerchantScope, kind: Trigger['kind']): Promise<Outlook['also_active']> {
  if (kind === 'product_restocked') return selectActiveOf(scope, 'favorite_back_in_stock')
  return kind === 'favorite_back_in_stock' ? selectActiveOf(scope, 'product_restocked') : []
}

const CANCEL_LINK = /\bevent\s*\.\s*cancel_url\b/

/** Those notified that a product is back asked for it, and find in the message how to stop that. */
async function countWithoutCancelLink(
  scope: MerchantScope,
  flow: Flow,
  emails: readonly EmailContent[],
): Promise<number> {
  const answers = firstSending(flow).flatMap((node) => contentOf(node)?.toLowerCase() ?? [])
  const lines = await listLineContents(
    scope,
    flow.nodes.flatMap((node) => lineMessageOf(node) ?? []),
  )
  const lacking = new Set([
    ...emails
      .filter(({ variants, ...base }) =>
        [base, ...variants].some(({ content, plain_text }) => ![content, plain_text ?? content].every(hasCancelLink)),
      )
      .map(({ id }) => id),
    ...lines.filter(({ messages }) => !hasCancelLink(JSON.stringify(messages))).map(({ id }) => id),
  ])
  return answers.filter((id) => lacking.has(id)).length
}
const hasCancelLink = (text: string): boolean => CANCEL_LINK.test(text)

/** What an execution sends first, on each of its ways; what follows is no answer to the registration. */
function firstSending({ start, nodes }: Flow): FlowNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const seen = new Set<string>()
  const found: FlowNode[] = []
  const ahead = [start]
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const node = id === null || seen.has(id) ? undefined : byId.get(id)
    if (!node) continue
    seen.add(node.id)
    if (contentOf(node) !== null) found.push(node)
    else ahead.push(...portsOf(node).map((port) => nextOf(node, port)))
  }
  return found
}

async function nextDay(
  scope: MerchantScope,
  id: string,
  { trigger, timezone }: { trigger: Parameters<typeof countOfDay>[2]; timezone: string },
): Promise<NonNullable<Outlook['next_day']>> {
  const today = localDay(scope.now, timezone)
  // Today counts only if its time is still to come.
  const day = timeOn(today, trigger.time, timezone) > scope.now ? today : addDays(today, 1)
  const people = await countOfDay(scope, id, trigger, { day, timezone })
  return { at: timeOn(day, trigger.time, timezone).toISOString(), people }
}
