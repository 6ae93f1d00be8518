import type { Segment, SegmentUse } from '@okaeri/contract/segments/segment'
import { deleteSegment, getSegment } from '@okaeri/contract/segments/routes'
import { useQueryClient } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { confirmDelete, showInUse, type Use } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

/** The uses of a segment, with name and link. */
export function useSegmentUses(): (uses: readonly SegmentUse[]) => Use[] {
  const t = useWords('segments')
  return (uses) =>
    uses.map(({ type, id, name }) => {
      if (type === 'campaign') return { label: t('usedByCampaign', { name }), to: paths.campaign(id) }
      if (type === 'scenario') return { label: t('usedByScenario', { name }), to: paths.scenario(id) }
      if (type === 'rich_menu') return { label: t('usedByRichMenu', { name }), to: paths.richMenu(id) }
      if (type === 'email') return { label: t('usedByEmail', { name }), to: paths.email(id) }
      if (type === 'email_component') return { label: t('usedByComponent', { name }), to: paths.emailComponent(id) }
      return { label: t('usedBySegment', { name }), to: paths.segment(id) }
    })
}

/** Asks before a segment is deleted, or shows its uses. */
export function useSegmentRemoval(onDone?: () => void): (segment: Segment) => void {
  const t = useWords('segments')
  const usesOf = useSegmentUses()
  const client = useQueryClient()
  const remove = useAction(deleteSegment, { done: 'deleted', ...(onDone && { onDone }) })

  const ask = async (segment: Segment) => {
    const { used_by } = await client.fetchQuery(queryOf(getSegment, { params: { id: segment.id } }))
    if (used_by.length > 0) return showInUse(segment.name, usesOf(used_by))
    if (await confirmDelete(t('deleteAsk', { name: segment.name }), { body: t('deleteBody') }))
      remove.mutate({ params: { id: segment.id } })
  }
  return (segment) => void ask(segment).catch((error: unknown) => toast.failed(error))
}
