import { getLineMessage } from '@okaeri/contract/line-messages/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/queries.ts'
import { Loading, LoadFailed } from '../../../ui/states.tsx'
import { LinePreview } from './line-preview.tsx'

export function ChosenLineMessage({ id }: { id: string }) {
  const query = useQuery(queryOf(getLineMessage, { params: { id } }))
  if (query.error) return <LoadFailed error={query.error} retry={() => void query.refetch()} />
  return query.data ? <LinePreview content={query.data.line_message} /> : <Loading lines={6} />
}
