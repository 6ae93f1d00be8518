import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow/flow'
import { NODE_WIDTH, STEP_Y } from '@okaeri/contract/scenarios/flow/flow-places'
import type { SchemaField } from '@okaeri/contract/scenarios/template'
import type { Condition } from '@okaeri/contract/segments/condition'
import { lineField, type Template } from './template.ts'

const lineConnected: Condition = {
  type: 'condition',
  id: 'line',
  category: 'consent',
  name: 'line_connected',
  operator: 'is',
  value: true,
}
/** The distance from the middle for two steps beside each other. */
const BESIDE_X = NODE_WIDTH / 2 + 20

/** Beside each email a LINE message can be chosen: sent to friends instead of the email, or to them alone where no email is chosen. */
export function withLineWays(template: Template): Template {
  const mails = template.schema.filter(isMail)
  return {
    ...template,
    schema: template.schema.flatMap((field) =>
      isMail(field) ? [{ ...field, required: false }, lineOf(field)] : [field],
    ),
    makeFlow: (values) =>
      mails.reduce(
        (flow, { slug }) => withLineWay(flow, mailNode(slug), values.id(lineSlug(slug))),
        template.makeFlow(values),
      ),
  }
}

const isMail = ({ type }: SchemaField): boolean => type === 'emailtemplate'
const lineSlug = (slug: string): string => `${slug}_line`
/** The node that sends the email of a field: `email2` for `email2_email`. */
const mailNode = (slug: string): string => slug.replace(/_email$/, '')

const lineOf = ({ slug, nameJa, nameEn, depends }: SchemaField): SchemaField =>
  lineField(lineSlug(slug), {
    nameJa: nameJa.replace('メール', 'LINEメッセージ'),
    nameEn: nameEn.replace(/email/i, 'LINE message'),
    descriptionJa:
      '任意。LINEと連携している友だちには、メールの代わりにこれを配信します。メールを選ばなければ、LINEだけで配信します。',
    descriptionEn:
      'Optional. Friends with a linked LINE account get it instead of the email. Without an email it is sent by LINE only.',
    depends,
  })

function withLineWay(flow: Flow, mailId: string, messageId: string | null): Flow {
  const mail = flow.nodes.find(({ id }) => id === mailId)
  if (mail?.kind !== 'send_email' || messageId === null) return flow
  const line: FlowNode = {
    ...mail,
    id: `${mailId}_line`,
    kind: 'send_line',
    settings: { line_message_id: messageId, tracking_parameters: null },
  }
  if (mail.settings.email_id === null) return replaced(flow, mailId, [line])
  const below = { ...flow, nodes: flow.nodes.map((node) => (isBelow(node, mail) ? moved(node, 0, STEP_Y) : node)) }
  const branch: FlowNode = {
    ...mail,
    id: `${mailId}_branch`,
    kind: 'branch',
    settings: { condition: lineConnected },
    next: { yes: line.id, no: mail.id },
  }
  return replaced(below, mailId, [branch, moved(line, -BESIDE_X, STEP_Y), moved(mail, BESIDE_X, STEP_Y)])
}

const isBelow = (node: FlowNode, other: FlowNode): boolean => node.position.y > other.position.y
const moved = (node: FlowNode, x: number, y: number): FlowNode => ({
  ...node,
  position: { x: node.position.x + x, y: node.position.y + y },
})

/** What led to the node leads to the first of these. */
function replaced(flow: Flow, id: string, by: readonly [FlowNode, ...FlowNode[]]): Flow {
  const led = (target: string | null): string | null => (target === id ? by[0].id : target)
  const nodes = flow.nodes.flatMap((node): readonly FlowNode[] => {
    if (node.id === id) return by
    const next = Object.fromEntries(Object.entries(node.next).map(([port, target]) => [port, led(target)]))
    return [{ ...node, next } as FlowNode]
  })
  return { ...flow, start: led(flow.start), nodes }
}
