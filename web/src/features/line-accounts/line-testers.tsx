import { Button, Group, Stack, Text } from '@mantine/core'
import { type LineFriend, MAX_TESTERS } from '@okaeri/contract/line-friends/friend'
import { addLineTester, findLineFriends, listLineTesters, removeLineTester } from '@okaeri/contract/line-friends/routes'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { SearchSelect } from '../../ui/search-select.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useAction } from '../../ui/use-action.ts'

/** The friends who get test sends, and the messages of test mode. */
export function LineTesters() {
  const t = useWords('lineAccounts')
  const { mayChange } = useMerchant()
  const query = useQuery(queryOf(listLineTesters, {}))
  const testers = query.data?.testers
  return (
    <EditSection title={t('testers.title')} description={t('testers.text')}>
      {!testers ? (
        query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading lines={2} />
        )
      ) : (
        <>
          {testers.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('testers.none')}
            </Text>
          ) : (
            <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {testers.map((tester) => (
                <Tester key={tester.line_user_id} tester={tester} />
              ))}
            </Stack>
          )}
          {mayChange &&
            (testers.length < MAX_TESTERS ? (
              // Empty again after each choice.
              <AddTester key={testers.length} testers={testers} />
            ) : (
              <Text size="sm" c="dimmed">
                {t('testers.full')}
              </Text>
            ))}
        </>
      )}
    </EditSection>
  )
}

function Tester({ tester }: { tester: LineFriend }) {
  const t = useWords('lineAccounts')
  const { mayChange } = useMerchant()
  const remove = useAction(removeLineTester, { done: 'saved' })
  const { line_user_id: lineUserId, display_name, customer_id, customer_name, is_friend } = tester
  const name = display_name ?? customer_name ?? t('testers.unnamed')
  return (
    <Group component="li" gap="sm" justify="space-between" wrap="nowrap">
      <Group gap="xs" miw={0}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {customer_id && customer_name && customer_name !== name && (
          <TextLink to={paths.customer(customer_id)} fz="sm">
            {customer_name}
          </TextLink>
        )}
        {!is_friend && <StatusBadge tone="warning">{t('testers.notAFriend')}</StatusBadge>}
      </Group>
      {mayChange && (
        <Button
          variant="default"
          size="xs"
          style={{ flex: 'none' }}
          leftSection={<IconX size={16} aria-hidden />}
          aria-label={t('testers.removeNamed', { name })}
          loading={remove.isPending}
          onClick={() => remove.mutate({ params: { lineUserId } })}
        >
          {t('testers.remove')}
        </Button>
      )}
    </Group>
  )
}

function AddTester({ testers }: { testers: readonly LineFriend[] }) {
  const t = useWords('lineAccounts')
  const add = useAction(addLineTester, { done: 'saved' })
  const [chosen, setChosen] = useState<string | null>(null)
  const known = new Set(testers.map(({ line_user_id: id }) => id))
  return (
    <SearchSelect
      label={t('testers.add')}
      placeholder={t('testers.addPlaceholder')}
      w={{ base: '100%', xs: 360 }}
      area={findLineFriends.area}
      among="friends"
      disabled={add.isPending}
      value={chosen}
      find={async (q) =>
        (await call(findLineFriends, { query: { q } })).friends
          .filter(({ line_user_id: id }) => !known.has(id))
          .map(({ line_user_id: value, display_name, customer_name }) => ({
            value,
            label: display_name ?? customer_name ?? t('testers.unnamed'),
            ...(customer_name && customer_name !== display_name && { note: customer_name }),
          }))
      }
      onChange={(lineUserId) => {
        setChosen(lineUserId)
        if (lineUserId) add.mutate({ params: { lineUserId } }, { onError: () => setChosen(null) })
      }}
    />
  )
}
