import { ActionIcon, Button, Kbd, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type SpotlightActionData, type SpotlightActionGroupData, Spotlight, spotlight } from '@mantine/spotlight'
import { listCampaigns } from '@okaeri/contract/campaigns/routes'
import { listCustomers } from '@okaeri/contract/customers/routes'
import { listEmails } from '@okaeri/contract/emails/routes'
import { listScenarios } from '@okaeri/contract/scenarios/routes'
import { listSegments } from '@okaeri/contract/segments/routes'
import {
  IconAddressBook,
  IconFilter,
  IconGitBranch,
  IconLanguage,
  IconMail,
  IconMoon,
  IconPlus,
  IconSearch,
  IconSend,
} from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { queryOf } from '../api/queries.ts'
import { changeLanguage } from './header-controls.tsx'
import { useLanguage, useWords } from './i18n.ts'
import { navigation, settingsPlace } from './navigation.ts'
import { paths } from './paths.ts'

const SEARCH_DELAY_MS = 200
const FOUND_PER_KIND = 4

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

export function PaletteButton() {
  const t = useWords('shell')
  return (
    <>
      <Button
        visibleFrom="lg"
        variant="default"
        size="xs"
        c="dimmed"
        fw={400}
        leftSection={<IconSearch size={15} />}
        rightSection={<Kbd size="xs">{isMac ? '⌘K' : 'Ctrl K'}</Kbd>}
        onClick={spotlight.open}
      >
        {t('palette.open')}
      </Button>
      <ActionIcon
        hiddenFrom="lg"
        variant="subtle"
        color="gray"
        c="dimmed"
        size="lg"
        aria-label={t('palette.open')}
        onClick={spotlight.open}
      >
        <IconSearch size={20} />
      </ActionIcon>
    </>
  )
}

/** Ctrl/⌘-K: finds pages and actions by name, and the merchant's own items while typing. */
export function CommandPalette() {
  const t = useWords('shell')
  const language = useLanguage()
  const navigate = useNavigate()
  const { setColorScheme, colorScheme } = useMantineColorScheme()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS)
  const found = useFound(q, typed.trim())
  const go = (to: string) => () => void navigate({ to })

  const pages = [...navigation, settingsPlace]
    .flatMap((entry) => ('places' in entry ? entry.places.map((place) => ({ ...place, icon: entry.icon })) : [entry]))
    .map(({ label, to, icon: Icon }) => ({
      id: `page ${to}`,
      label: t(label),
      onClick: go(to),
      leftSection: <Icon size={18} />,
    }))
  const plus = <IconPlus size={18} />
  const actions: SpotlightActionData[] = [
    { id: 'new campaign', label: t('palette.newCampaign'), onClick: go(paths.campaignNew()), leftSection: plus },
    { id: 'new scenario', label: t('palette.newScenario'), onClick: go(paths.scenarioNew()), leftSection: plus },
    { id: 'new email', label: t('palette.newEmail'), onClick: go(paths.emailNew()), leftSection: plus },
    { id: 'new segment', label: t('palette.newSegment'), onClick: go(paths.segmentNew()), leftSection: plus },
    {
      id: 'language',
      label: t('palette.switchLanguage'),
      onClick: () => changeLanguage(language === 'ja' ? 'en' : 'ja'),
      leftSection: <IconLanguage size={18} />,
    },
    {
      id: 'theme',
      label: t('palette.switchTheme'),
      onClick: () => setColorScheme(colorScheme === 'dark' ? 'light' : 'dark'),
      leftSection: <IconMoon size={18} />,
    },
  ]

  const groups: SpotlightActionGroupData[] = [
    // These two are available at once and come first, so that nothing moves when the rest is found.
    { group: t('palette.actions'), actions: actions.filter(matches(typed)) },
    { group: t('palette.pages'), actions: pages.filter(matches(typed)) },
    {
      group: t('palette.campaigns'),
      actions: found.campaigns.map((one) => ({
        id: one.id,
        label: one.name,
        onClick: go(paths.campaign(one.id)),
        leftSection: <IconSend size={18} />,
      })),
    },
    {
      group: t('palette.scenarios'),
      actions: found.scenarios.map((one) => ({
        id: one.id,
        label: one.name,
        onClick: go(paths.scenario(one.id)),
        leftSection: <IconGitBranch size={18} />,
      })),
    },
    {
      group: t('palette.customers'),
      actions: found.customers.map((one) => ({
        id: one.id,
        label: one.name,
        ...(one.email && { description: one.email }),
        onClick: go(paths.customer(one.id)),
        leftSection: <IconAddressBook size={18} />,
      })),
    },
    {
      group: t('palette.emails'),
      actions: found.emails.map((one) => ({
        id: one.id,
        label: one.name,
        description: one.subject,
        onClick: go(paths.email(one.id)),
        leftSection: <IconMail size={18} />,
      })),
    },
    {
      group: t('palette.segments'),
      actions: found.segments.map((one) => ({
        id: one.id,
        label: one.name,
        onClick: go(paths.segment(one.id)),
        leftSection: <IconFilter size={18} />,
      })),
    },
  ].filter((group) => group.actions.length > 0)

  return (
    <Spotlight
      actions={groups}
      // Already filtered: by name above, by the server for the rest.
      filter={(_, all) => all}
      query={typed}
      onQueryChange={setTyped}
      shortcut={['mod + K']}
      scrollable
      maxHeight={480}
      nothingFound={t(found.failed ? 'palette.failed' : found.busy ? 'palette.searching' : 'palette.nothing')}
      searchProps={{
        leftSection: <IconSearch size={20} />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
        onKeyDown: chooseFirst,
      }}
    />
  )
}

/** The selection for Enter is lost when the list changes a moment later, so the first entry is chosen. */
function chooseFirst({ key, currentTarget, nativeEvent }: KeyboardEvent<HTMLInputElement>): void {
  if (key !== 'Enter' || nativeEvent.isComposing) return
  const palette = currentTarget.closest('[role="dialog"]')
  if (!palette?.querySelector('[data-selected]')) palette?.querySelector<HTMLElement>('[data-action]')?.click()
}

const matches = (typed: string) => (action: SpotlightActionData) =>
  (action.label ?? '').toLowerCase().includes(typed.trim().toLowerCase())

/**
 * A few of each kind whose name (or address) contains the text. Results of an earlier text stay only while they still match, so that Enter
 * never opens anything else.
 */
function useFound(q: string, typed: string) {
  const query = { q, limit: FOUND_PER_KIND }
  // Not refreshed every 30 s like a page, because the palette is open only for a moment.
  const once = { enabled: q !== '', refetchInterval: false, placeholderData: keepPreviousData } as const
  const campaigns = useQuery({ ...queryOf(listCampaigns, { query }), ...once })
  const scenarios = useQuery({ ...queryOf(listScenarios, { query }), ...once })
  const customers = useQuery({ ...queryOf(listCustomers, { query }), ...once })
  const emails = useQuery({ ...queryOf(listEmails, { query }), ...once })
  const segments = useQuery({ ...queryOf(listSegments, { query }), ...once })
  const all = [campaigns, scenarios, customers, emails, segments]
  const wanted = typed.toLowerCase()
  const fitting = <T,>(
    { data, isPlaceholderData }: { data: { data: T[] } | undefined; isPlaceholderData: boolean },
    textsOf: (one: T) => readonly (string | null)[],
  ): T[] =>
    (data?.data ?? []).filter(
      (one) => (typed === q && !isPlaceholderData) || textsOf(one).some((text) => text?.toLowerCase().includes(wanted)),
    )
  return {
    campaigns: fitting(campaigns, ({ name }) => [name]),
    scenarios: fitting(scenarios, ({ name }) => [name]),
    customers: fitting(customers, ({ name, email }) => [name, email]),
    emails: fitting(emails, ({ name, subject }) => [name, subject]),
    segments: fitting(segments, ({ name }) => [name]),
    busy: typed !== q || all.some((one) => one.isFetching),
    failed: all.every((one) => one.isError),
  }
}
