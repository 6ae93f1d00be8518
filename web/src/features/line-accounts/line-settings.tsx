import { Stack } from '@mantine/core'
import { getLineAccount } from '@okaeri/contract/line-accounts/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { LineRelays } from '../line-relays/line-relays.tsx'
import { LineChannels } from './line-channels.tsx'
import { LineConnection } from './line-connection.tsx'
import { LineQuotaFigures } from './line-quota.tsx'
import { LineTesters } from './line-testers.tsx'

/** Settings, LINE (spec §2): the channels with their secrets, and how it stands with them at the platform. */
export function LineSettings() {
  const t = useWords('lineAccounts')
  const query = useQuery(queryOf(getLineAccount, {}))
  const account = query.data?.line_account
  if (!account)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={8} />
  return (
    <Stack gap="lg">
      <LineChannels account={account} />
      <LineConnection account={account} />
      {account.channel_id !== null && (
        <EditSection title={t('quota.title')} description={t('quota.text')}>
          <LineQuotaFigures />
        </EditSection>
      )}
      <LineTesters />
      <LineRelays />
    </Stack>
  )
}
