import { Group, List, Stack, Text } from '@mantine/core'
import type { RichMenu, RichMenuSummary, SeenRichMenus } from '@okaeri/contract/rich-menus/menu'
import { getRichMenu, getSeenRichMenus } from '@okaeri/contract/rich-menus/routes'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { FIRST_SIZE } from './area-layout.ts'
import { PhonePreview } from './phone-preview.tsx'
import { useMenuPicture } from './picture-field.tsx'

const useSeen = (customerId: string) => useQuery(queryOf(getSeenRichMenus, { params: { id: customerId } }))

/** On a customer's page; nothing where there is neither a menu nor a LINE account. */
export function SeenMenuCard({ customerId }: { customerId: string }) {
  const t = useWords('richMenus')
  const seen = useSeen(customerId).data?.seen
  if (!seen || (seen.menus.length === 0 && seen.why_not === 'not_linked')) return null
  return (
    <Card title={t('seen.title')}>
      {/* Most customers are no friends: their page is not about a menu they do not see. */}
      <Seen seen={seen} hasPhone={seen.why_not === null} />
    </Card>
  )
}

/** The menu that a customer sees now, and what it hides. */
export function SeenMenu({ customerId }: { customerId: string }) {
  const query = useSeen(customerId)
  if (query.data) return <Seen seen={query.data.seen} hasPhone />
  return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={5} />
}

function Seen({ seen, hasPhone }: { seen: SeenRichMenus; hasPhone: boolean }) {
  const t = useWords('richMenus')
  const { why_not, menus, state, trouble } = seen
  const first = menus.find(({ refusal }) => refusal === null)
  const hidden = menus.filter((menu) => menu !== first)
  return (
    <Stack gap="md">
      {why_not && <Notice>{t(`seen.whyNot.${why_not}`)}</Notice>}
      {!why_not && state === 'pending' && (
        <Notice tone="warning">
          {t('seen.pending')} {trouble && t(`trouble.${trouble}`)}
        </Notice>
      )}
      {!why_not && state === 'refused' && <Notice tone="warning">{t('seen.refused')}</Notice>}
      {!first ? (
        <div>
          <Text size="sm">{t('seen.none')}</Text>
          <Hidden menus={hidden} />
        </div>
      ) : (
        <Group align="flex-start" gap="lg" wrap="wrap">
          {hasPhone && <MenuOnPhone id={first.id} />}
          <Stack gap="xs" style={{ flex: '1 1 200px' }}>
            <Text size="sm" c="dimmed">
              {t(why_not ? 'seen.would' : 'seen.now')}
            </Text>
            <TextLink to={paths.richMenu(first.id)} fw={600} style={{ overflowWrap: 'anywhere' }}>
              {first.title}
            </TextLink>
            <For menu={first} />
            <Hidden menus={hidden} first={first} />
          </Stack>
        </Group>
      )}
    </Stack>
  )
}

/** What they do not see, though it is for them. */
function Hidden({ menus, first }: { menus: readonly RichMenuSummary[]; first?: RichMenuSummary }) {
  const t = useWords('richMenus')
  if (menus.length === 0) return null
  return (
    <div>
      <Text size="sm" c="dimmed" mt="xs">
        {t('seen.hidden')}
      </Text>
      <List size="sm" spacing={6}>
        {menus.map((menu) => (
          <List.Item key={menu.id}>
            <TextLink to={paths.richMenu(menu.id)} underline="always">
              {menu.title}
            </TextLink>
            <Why menu={menu} first={first} />
          </List.Item>
        ))}
      </List>
    </div>
  )
}

/** For whom it is, and since when. */
function For({ menu: { segment, starts_at } }: { menu: RichMenuSummary }) {
  const t = useWords('richMenus')
  const format = useFormat()
  return (
    <Text size="sm">
      {t('seen.for', {
        who: segment ? t('seen.segment', { name: segment.name ?? t('segmentDeleted') }) : t('kind.all'),
        start: starts_at ? format.dateTime(starts_at) : '',
      })}
    </Text>
  )
}

/** Why it is hidden. */
function Why({ menu, first }: { menu: RichMenuSummary; first: RichMenuSummary | undefined }) {
  const t = useWords('richMenus')
  const byFirst = !menu.segment && first?.segment ? 'seen.why.forAll' : 'seen.why.earlier'
  return (
    <Text size="sm" c="dimmed">
      {t(menu.refusal ? 'seen.why.refused' : byFirst)}
    </Text>
  )
}

function MenuOnPhone({ id }: { id: string }) {
  const query = useQuery(queryOf(getRichMenu, { params: { id } }))
  if (query.data) return <Phone menu={query.data.richmenu} />
  return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={5} />
}

function Phone({ menu }: { menu: RichMenu }) {
  const [tab, setTab] = useState(0)
  const picture = useMenuPicture(menu.tabs[tab]?.picture_id ?? null)
  return (
    <PhonePreview
      picture={picture}
      size={picture ?? FIRST_SIZE}
      tabCount={menu.tabs.length}
      tabHeight={menu.tab_height}
      chatBarText={menu.chat_bar_text}
      onTab={setTab}
    />
  )
}
