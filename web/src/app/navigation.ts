import {
  IconAddressBook,
  IconChartBar,
  IconDatabase,
  IconGitBranch,
  IconHome,
  IconMailCheck,
  IconMessage,
  IconSend,
  IconSettings,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { WordKey } from './word-tree.ts'
import { paths } from './paths.ts'
import type { words } from './shell-words.ts'

type Label = Extract<WordKey<typeof words>, `nav.${string}`>
type Icon = ComponentType<{ size?: number; stroke?: number }>

interface Place {
  label: Label
  to: string
}
interface Group {
  label: Label
  icon: Icon
  places: readonly Place[]
}

/** The side navigation in the order of spec §2: single places, and groups that open. Pages that do not exist yet are missing. */
export const navigation: readonly ((Place & { icon: Icon }) | Group)[] = [
  { label: 'nav.dashboard', icon: IconHome, to: paths.dashboard() },
  { label: 'nav.scenarios', icon: IconGitBranch, to: paths.scenarios() },
  { label: 'nav.campaigns', icon: IconSend, to: paths.campaigns() },
  {
    label: 'nav.messages',
    icon: IconMessage,
    places: [
      { label: 'nav.emails', to: paths.emails() },
      { label: 'nav.emailComponents', to: paths.emailComponents() },
      { label: 'nav.lineMessages', to: paths.lineMessages() },
      { label: 'nav.richMenus', to: paths.richMenus() },
      { label: 'nav.media', to: paths.media() },
      { label: 'nav.coupons', to: paths.coupons() },
    ],
  },
  {
    label: 'nav.customerGroup',
    icon: IconAddressBook,
    places: [
      { label: 'nav.customers', to: paths.customers() },
      { label: 'nav.segments', to: paths.segments() },
      { label: 'nav.favorites', to: paths.favorites() },
      { label: 'nav.restock', to: paths.restock() },
      { label: 'nav.metafields', to: paths.metafields() },
      { label: 'nav.suppressions', to: paths.suppressions() },
    ],
  },
  {
    label: 'nav.dataGroup',
    icon: IconDatabase,
    places: [
      { label: 'nav.data', to: paths.data() },
      { label: 'nav.dataImport', to: paths.dataImport() },
      { label: 'nav.privacy', to: paths.privacy() },
    ],
  },
  { label: 'nav.reports', icon: IconChartBar, to: paths.reports() },
  { label: 'nav.deliverability', icon: IconMailCheck, to: paths.deliverability() },
]

/** At the bottom of the navigation. */
export const settingsPlace: Place & { icon: Icon } = {
  label: 'nav.settings',
  icon: IconSettings,
  to: paths.settings(),
}

const everyPlace = [...navigation, settingsPlace].flatMap((entry) => ('places' in entry ? entry.places : [entry]))

/** The place a page belongs to: the longest one that is a prefix of its address (`/emails/view/1` belongs to `/emails`). */
export function placeOf(pathname: string): string | null {
  if (pathname === paths.dashboard()) return pathname
  const within = everyPlace.filter(
    ({ to }) => to !== paths.dashboard() && (pathname === to || pathname.startsWith(`${to}/`)),
  )
  return within.toSorted((a, b) => b.to.length - a.to.length)[0]?.to ?? null
}
