import type { Segment } from '@okaeri/contract/segments/segment'
import { deleteSegment, getSegment } from '@okaeri/contract/segments/routes'
import { useQueryClient } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

/** Asks, and says which campaigns stand against it, before a segment is deleted. */
export function useSegmentRemoval(onDone?: () => void): (segment: Segment) => void {
  const t = useWords('segments')
  const format = useFormat()
  const client = useQueryClient()
  const remove = useAction(deleteSegment, { done: 'deleted', ...(onDone && { onDone }) })

  const ask = async (segment: Segment) => {
    const { used_by } = await client.fetchQuery(queryOf(getSegment, { params: { id: segment.id } }))
    if (used_by.length > 0) return toast.error(t('inUse', { names: format.list(used_by.map(({ name }) => name)) }))
    if (await confirmDelete(t('deleteAsk', { name: segment.name }), { body: t('deleteBody') }))
      remove.mutate({ params: { id: segment.id } })
  }
  return (segment) => void ask(segment).catch((error: unknown) => toast.failed(error))
}
