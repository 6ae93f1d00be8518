import { z } from 'zod'
import { Id, Instant, line } from '../fields.ts'
import { isWebAddress } from '../web-address.ts'

/** Spec §5 and §9. */
export const MAX_TITLE = 50
export const MAX_CHAT_BAR_TEXT = 14
const MAX_MESSAGE_TEXT = 300
const MAX_URL = 1000
export const picture = {
  minWidth: 800,
  maxWidth: 2500,
  minHeight: 250,
  minAspect: 1.45,
  maxBytes: 1024 * 1024,
} as const
/** The platform's limit for one picture; each tab of the bar is one of them. */
const MAX_AREAS = 20

const segmenter = new Intl.Segmenter()
/** The platform counts characters as people see them (limits.json). */
export const countCharacters = (text: string): number => [...segmenter.segment(text)].length

/** One line whose length is counted as people see it. */
const seenLine = (max: number) => line(1, max * 10).refine((text) => countCharacters(text) <= max, 'too_long')

export const RichMenuAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('message'), text: seenLine(MAX_MESSAGE_TEXT) }),
  z.strictObject({ type: z.literal('link'), url: line(1, MAX_URL).refine(isWebAddress, 'not_a_url') }),
  z.strictObject({ type: z.literal('none') }),
])
export type RichMenuAction = z.output<typeof RichMenuAction>

const Pixels = (min: number) => z.int('not_whole').min(min, 'too_small').max(picture.maxWidth, 'too_big')

/** In pixels of the picture. */
export const RichMenuArea = z.strictObject({
  x: Pixels(0),
  y: Pixels(0),
  width: Pixels(1),
  height: Pixels(1),
  action: RichMenuAction,
})
export type RichMenuArea = z.output<typeof RichMenuArea>

export const RichMenuTab = z.strictObject({
  picture_id: Id.nullable(),
  areas: z.array(RichMenuArea, 'not_a_list').max(MAX_AREAS, 'too_long'),
})
export type RichMenuTab = z.output<typeof RichMenuTab>

/** `null` starts when it is activated, or never ends. */
export const RichMenuPeriod = z
  .strictObject({ starts_at: Instant.nullable(), ends_at: Instant.nullable() })
  .refine(({ starts_at, ends_at }) => !starts_at || !ends_at || Date.parse(starts_at) < Date.parse(ends_at), {
    error: 'too_small',
    path: ['ends_at'],
  })
export type RichMenuPeriod = z.output<typeof RichMenuPeriod>

/** What a person writes. A draft may lack pictures and areas; it is complete when it is activated. */
export const RichMenuDraft = z
  .strictObject({
    title: line(1, MAX_TITLE),
    /** Only its members see it, in place of the menu for all friends; null: all friends do. */
    segment_id: Id.nullable(),
    ...RichMenuPeriod.shape,
    /** Whether it is open when the chat is. */
    is_open: z.boolean('not_a_boolean'),
    chat_bar_text: seenLine(MAX_CHAT_BAR_TEXT),
    /** Links go through an address of ours, so that clicks are counted. */
    tracking_enabled: z.boolean('not_a_boolean').default(true),
    /** How much of the height the bar with the tabs takes, in percent. Without tabs there is no bar. */
    tab_height: z.int('not_whole').min(5, 'too_small').max(50, 'too_big'),
    /** One is a menu without tabs. */
    tabs: z.array(RichMenuTab, 'not_a_list').min(1, 'too_short').max(3, 'too_long'),
  })
  .refine(({ starts_at, ends_at }) => !starts_at || !ends_at || Date.parse(starts_at) < Date.parse(ends_at), {
    error: 'too_small',
    path: ['ends_at'],
  })
  .refine(({ tabs }) => tabs.every(({ areas }) => areas.length + (tabs.length > 1 ? tabs.length : 0) <= MAX_AREAS), {
    error: 'too_long',
    path: ['tabs'],
  })
export type RichMenuDraft = z.output<typeof RichMenuDraft>

export const RichMenuStatus = z.enum(['draft', 'broadcasting', 'ended', 'not_set'])
export type RichMenuStatus = z.output<typeof RichMenuStatus>

const verbs = {
  edit: ['draft'],
  activate: ['draft', 'not_set'],
  deactivate: ['broadcasting', 'ended'],
  delete: ['draft', 'ended', 'not_set'],
} as const satisfies Record<string, readonly RichMenuStatus[]>
export type RichMenuVerb = keyof typeof verbs
export const mayDo = (verb: RichMenuVerb, status: RichMenuStatus): boolean =>
  (verbs[verb] as readonly RichMenuStatus[]).includes(status)

export const RichMenuPicture = z.object({
  id: z.uuid(),
  type: z.enum(['image/png', 'image/jpeg']),
  width: z.int(),
  height: z.int(),
  /** Base64. */
  data: z.string(),
})
export type RichMenuPicture = z.output<typeof RichMenuPicture>

/** `name` is null where the segment was deleted since. */
const RichMenuSegment = z.object({ id: z.uuid(), name: z.string().nullable() })
export type RichMenuSegment = z.output<typeof RichMenuSegment>

export const RichMenuSummary = z
  .object({
    id: z.uuid(),
    title: z.string(),
    status: RichMenuStatus,
    starts_at: z.iso.datetime().nullable(),
    ends_at: z.iso.datetime().nullable(),
    chat_bar_text: z.string(),
    /** Null: it is for all friends. */
    segment: RichMenuSegment.nullable(),
    /** How many of the segment are linked to it on the platform. Null where it is for all friends. */
    people: z.int().nullable(),
    tab_count: z.int(),
    /** Friends see it now, as far as the platform has confirmed. */
    is_shown: z.boolean(),
    /** LINE refused the menu when it was last tried: LINE's own words, and when it is tried again. Null: it did not. */
    refusal: z.object({ words: z.string(), retry_at: z.iso.datetime() }).nullable(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'RichMenuSummary' })
export type RichMenuSummary = z.output<typeof RichMenuSummary>

export const RichMenu = RichMenuSummary.extend({
  segment_id: z.uuid().nullable(),
  is_open: z.boolean(),
  /** Those activated before clicks were counted do not. */
  tracking_enabled: z.boolean(),
  tab_height: z.int(),
  tabs: z.array(RichMenuTab),
}).meta({ id: 'RichMenu' })
export type RichMenu = z.output<typeof RichMenu>

/** What activating it would do now. */
export const RichMenuOutlook = z
  .object({
    /** How many would see it now. */
    friends: z.int(),
  })
  .meta({ id: 'RichMenuOutlook' })
export type RichMenuOutlook = z.output<typeof RichMenuOutlook>

/** Clicks on the links of a menu. Who clicked is not known: one person may be counted more than once. */
export const RichMenuClicks = z
  .object({
    /** Over all time, of areas that were clicked. Tabs and areas are counted from 0. */
    areas: z.array(z.object({ tab: z.int(), area: z.int(), human: z.int(), machine: z.int() })),
    /** Of people, the last 30 days in the merchant's zone, the oldest first. */
    days: z.array(z.object({ day: z.iso.date(), human: z.int() })),
  })
  .meta({ id: 'RichMenuClicks' })
export type RichMenuClicks = z.output<typeof RichMenuClicks>

/**
 * An active menu that some of the same people are to see while this one lasts: of the same segment or, like it, for all friends; one for
 * all friends beside a segment's, and the other way round.
 */
export const RichMenuOverlap = z
  .object({
    id: z.uuid(),
    title: z.string(),
    segment: RichMenuSegment.nullable(),
    /** While both last; null: now. */
    from: z.iso.datetime().nullable(),
    /** Null: neither ends. */
    to: z.iso.datetime().nullable(),
    /** Meanwhile the people for whom both are see it, and not this one. */
    comes_first: z.boolean(),
  })
  .meta({ id: 'RichMenuOverlap' })
export type RichMenuOverlap = z.output<typeof RichMenuOverlap>

/** Why the platform does not show what it should; `null` while it does. */
export const RichMenuTrouble = z.enum(['not_connected', 'refused', 'away', 'limited'])
export type RichMenuTrouble = z.output<typeof RichMenuTrouble>

/** `2026-07`. */
export const CalendarMonth = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'not_a_date')

/** What one customer is to see now. */
export const SeenRichMenus = z
  .object({
    /** Why they see none: no LINE account of theirs is known, or it is no friend. */
    why_not: z.enum(['not_linked', 'not_a_friend', 'blocked']).nullable(),
    /** All that are for them now, those that LINE refuses last. As a friend they see the first that is not refused; it hides the others. */
    menus: z.array(RichMenuSummary),
    /** `pending`: the platform has not been sent it yet, so they see what they saw before. `refused`: it did not take this person's menu. */
    state: z.enum(['applied', 'pending', 'refused']),
    trouble: RichMenuTrouble.nullable(),
  })
  .meta({ id: 'SeenRichMenus' })
export type SeenRichMenus = z.output<typeof SeenRichMenus>

export interface PictureSize {
  width: number
  height: number
}
export const tabBarHeight = (size: PictureSize, tabHeight: number): number =>
  Math.round((size.height * tabHeight) / 100)

type PictureFault = 'too_wide_or_narrow' | 'too_low' | 'too_tall'
/** Spec §5: what is wrong with the size of a picture in pixels. */
export function pictureFault({ width, height }: PictureSize): PictureFault | null {
  if (width < picture.minWidth || width > picture.maxWidth) return 'too_wide_or_narrow'
  if (height < picture.minHeight) return 'too_low'
  return width / height < picture.minAspect ? 'too_tall' : null
}
