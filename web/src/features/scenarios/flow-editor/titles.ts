import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow/flow'
import { nodeTitle } from '@okaeri/contract/scenarios/words'
import { useMemo } from 'react'
import { useLanguage, useWords } from '../../../app/i18n.ts'

/** Names of the steps in a list, each different. */
export function useTitles(flow: Flow): ReadonlyMap<string, string> {
  const t = useWords('flow')
  const language = useLanguage()
  return useMemo(() => {
    const titles = titlesOf(flow, (node) => nodeTitle(node, language))
    return new Map(
      [...titles].map(([id, { title, count }]) => [id, count === 1 ? title : t('panel.position', { title, n: count })]),
    )
  }, [flow, language, t])
}

/** Names of the nodes for lists. A repeated name gets a number. */
function titlesOf(flow: Flow, titleOf: (node: FlowNode) => string): Map<string, { title: string; count: number }> {
  const seen = new Map<string, number>()
  return new Map(
    flow.nodes.map((node) => {
      const title = titleOf(node)
      const count = (seen.get(title) ?? 0) + 1
      seen.set(title, count)
      return [node.id, { title, count }]
    }),
  )
}
