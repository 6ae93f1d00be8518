import { ApiError } from '@okaeri/contract/client'
import type { Condition } from '@okaeri/contract/segments/condition'
import { getEmail } from '@okaeri/contract/emails/routes'
import { getLineMessage } from '@okaeri/contract/line-messages/routes'
import {
  conditionOf,
  contentOf,
  emailOf,
  type Flow,
  type FlowNode,
  lineMessageOf,
} from '@okaeri/contract/scenarios/flow/flow'
import type { FlowSaying } from '@okaeri/contract/scenarios/flow/phrases'
import { getSegment } from '@okaeri/contract/segments/routes'
import { useQueries } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { useCategories, useNames } from '../../segments/editor/condition-names.ts'

const noCondition = { type: 'group', id: 'none', operator: 'and', children: [] as Condition[] } as const

interface NamedIn {
  emails: string[]
  lineMessages: string[]
  /** Of other steps asked about: id, the merchant's name, what they send. */
  steps: string[]
  segments: string[]
  conditions: { type: 'group'; id: string; operator: 'and' | 'or'; children: Condition[] }
}
const isSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at])

function idsIn(flow: Flow | null): NamedIn {
  if (!flow) return { emails: [], lineMessages: [], steps: [], segments: [], conditions: noCondition }
  const emails = new Set<string>()
  const lineMessages = new Set<string>()
  const conditions = flow.condition ? [flow.condition] : []
  for (const node of flow.nodes) {
    const [email, lineMessage, condition] = [emailOf(node), lineMessageOf(node), conditionOf(node)]
    if (email) emails.add(email)
    if (lineMessage) lineMessages.add(lineMessage)
    if (condition) conditions.push(condition)
  }
  const { trigger } = flow
  const segment = 'segment_id' in trigger ? trigger.segment_id : null
  return {
    emails: [...emails],
    lineMessages: [...lineMessages],
    steps: flow.nodes.flatMap((node) => stepsNamedBy(flow, node)),
    segments: segment ? [segment] : [],
    conditions: { ...noCondition, children: conditions },
  }
}

function stepsNamedBy(flow: Flow, node: FlowNode): string[] {
  if (node.kind !== 'wait_for_reaction') return []
  const asked = flow.nodes.find(({ id }) => id === node.settings.node_id)
  return asked ? [[asked.id, contentOf(asked) ?? '', asked.name].join(' ')] : []
}

const isGone = (error: Error | null): boolean => error instanceof ApiError && error.status === 404

const seldom = { refetchInterval: false, retry: false } as const

/** How to describe a flow in the current language: with the names of its emails, LINE messages, segments and products once they are loaded. */
export function useFlowSaying(flow: Flow | null): FlowSaying {
  const t = useWords('scenarios')
  const language = useLanguage()
  const { currency } = useMerchant()
  const { categories } = useCategories()
  const found = useMemo(() => idsIn(flow), [flow])
  const last = useRef(found)
  // A moved step changes no text; otherwise every card would be drawn again.
  const same =
    isSame(last.current.emails, found.emails) &&
    isSame(last.current.lineMessages, found.lineMessages) &&
    isSame(last.current.steps, found.steps) &&
    isSame(last.current.segments, found.segments) &&
    isSame(last.current.conditions.children, found.conditions.children)
  if (!same) last.current = found
  const ids = last.current
  const nameOf = useNames(ids.conditions)
  const emails = useQueries({
    queries: ids.emails.map((id) => ({ ...queryOf(getEmail, { params: { id } }), ...seldom })),
    combine: (found) =>
      found.map(({ data, error }) => data?.email.name ?? (isGone(error) ? t('names.emailGone') : null)),
  })
  const lineMessages = useQueries({
    queries: ids.lineMessages.map((id) => ({ ...queryOf(getLineMessage, { params: { id } }), ...seldom })),
    combine: (found) =>
      found.map(({ data, error }) => data?.line_message.name ?? (isGone(error) ? t('names.lineMessageGone') : null)),
  })
  const segments = useQueries({
    queries: ids.segments.map((id) => ({ ...queryOf(getSegment, { params: { id } }), ...seldom })),
    combine: (found) =>
      found.map(({ data, error }) => data?.customer_segment.name ?? (isGone(error) ? t('names.segmentGone') : null)),
  })
  return useMemo(() => {
    const contentNames = new Map([
      ...ids.emails.map((id, at) => [id, emails[at]] as const),
      ...ids.lineMessages.map((id, at) => [id, lineMessages[at]] as const),
    ])
    const stepNames = new Map(
      ids.steps.map((step) => {
        const [id = '', content = '', ...name] = step.split(' ')
        return [id, name.join(' ') || contentNames.get(content)] as const
      }),
    )
    const segmentNames = new Map(ids.segments.map((id, at) => [id, segments[at]]))
    return {
      language,
      names: {
        categories,
        currency,
        contentName: (id) => contentNames.get(id),
        stepName: (id) => stepNames.get(id),
        nameOf: (kind, id) => (kind === 'segments' ? segmentNames.get(id) : null) ?? nameOf(kind, id)?.name,
      },
    }
  }, [language, currency, categories, ids, emails, lineMessages, segments, nameOf])
}
