import { getRestockOutlook } from '@okaeri/contract/restocks/wave-routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { SeveralScenarios } from './restock-notices.tsx'

/** On the pages of scenarios, spec §9. */
export function RestockAlert() {
  const outlook = useQuery({ ...queryOf(getRestockOutlook, {}), retry: false }).data?.outlook
  return outlook ? <SeveralScenarios scenarios={outlook.scenarios} /> : null
}
