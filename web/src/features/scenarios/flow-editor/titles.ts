import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { nodeTitle } from '@okaeri/contract/scenarios/words'
import { useMemo } from 'react'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { titlesOf } from './flow-model.ts'

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
