import { type NodeKindName, nodeKinds } from '@okaeri/contract/scenarios/node-kinds/index'
import { type EventKind, eventKinds } from '@okaeri/contract/scenarios/trigger-kinds/index'
import {
  IconArrowsSplit2,
  IconBellRinging,
  IconBrandLine,
  IconCake,
  IconCalendarEvent,
  IconClick,
  IconClock,
  IconCreditCard,
  IconCreditCardOff,
  IconEyeDiscount,
  IconEyeOff,
  IconFilter,
  IconFilterOff,
  IconFlag,
  IconGitBranch,
  IconHandClick,
  IconHeart,
  IconHourglass,
  IconMail,
  IconMailCheck,
  IconMessage,
  IconNote,
  IconPackageExport,
  IconPlugConnected,
  IconReceiptOff,
  IconRefresh,
  IconRosetteDiscount,
  IconStackPop,
  IconShoppingBag,
  IconShoppingCartX,
  IconTag,
  IconTicket,
  IconUserPlus,
  IconWebhook,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'

export type Icon = ComponentType<{ size?: number; stroke?: number; className?: string; 'aria-hidden'?: boolean }>

type IconName = (typeof nodeKinds)[NodeKindName]['icon'] | (typeof eventKinds)[EventKind]['icon']

/** The pictures that the kinds of steps and triggers name as theirs. */
const pictures: Record<IconName, Icon> = {
  mail: IconMail,
  line: IconBrandLine,
  clock: IconClock,
  hourglass: IconHourglass,
  click: IconClick,
  branch: IconGitBranch,
  split: IconArrowsSplit2,
  ticket: IconTicket,
  tag: IconTag,
  note: IconNote,
  webhook: IconWebhook,
  flag: IconFlag,
  person_added: IconUserPlus,
  bag: IconShoppingBag,
  card: IconCreditCard,
  parcel: IconPackageExport,
  receipt_off: IconReceiptOff,
  mail_check: IconMailCheck,
  filter: IconFilter,
  filter_off: IconFilterOff,
  heart: IconHeart,
  discount: IconRosetteDiscount,
  bell: IconBellRinging,
  stack: IconStackPop,
  eye_discount: IconEyeDiscount,
  refresh: IconRefresh,
  message: IconMessage,
  plug: IconPlugConnected,
  cart_off: IconShoppingCartX,
  card_off: IconCreditCardOff,
  eye_off: IconEyeOff,
  cake: IconCake,
  calendar: IconCalendarEvent,
  hand: IconHandClick,
}

const iconsOf = <K extends string>(kinds: Readonly<Record<K, { icon: IconName }>>) =>
  Object.fromEntries(
    Object.entries<{ icon: IconName }>(kinds).map(([kind, { icon }]) => [kind, pictures[icon]]),
  ) as Record<K, Icon>
export const nodeIcons = iconsOf<NodeKindName>(nodeKinds)
export const eventIcons = iconsOf<EventKind>(eventKinds)
