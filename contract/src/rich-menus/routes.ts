import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams, Instant } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'
import {
  CalendarMonth,
  picture,
  RichMenu,
  RichMenuClicks,
  RichMenuDraft,
  RichMenuOutlook,
  RichMenuOverlap,
  RichMenuPeriod,
  RichMenuPicture,
  RichMenuStatus,
  RichMenuSummary,
  RichMenuTrouble,
  SeenRichMenus,
} from './menu.ts'

const area = 'rich_menus'
const reply = z.object({ richmenu: RichMenu })
const change = { area, access: 'marketer', params: IdParams, reply } as const
/** Base64 and the JSON around it. */
const PICTURE_BODY_BYTES = Math.ceil((picture.maxBytes * 4) / 3) + 1024

const ListQuery = PageQuery.extend({ q: z.string().max(200, 'too_long').optional(), status: RichMenuStatus.optional() })
const listReply = pageOf(RichMenuSummary).extend({ trouble: RichMenuTrouble.nullable() })

export const listRichMenus = endpoint('GET', '/line/richmenu/list', {
  area,
  summary: 'Rich menus for all friends, the one with the latest start first',
  access: 'member',
  query: ListQuery,
  reply: listReply,
})

export const listSegmentRichMenus = endpoint('GET', '/line/richmenu/segment/list', {
  area,
  summary: 'Rich menus for segments, the one with the latest start first',
  access: 'member',
  query: ListQuery.extend({ segment_id: Id.optional() }),
  reply: listReply,
})

export const createRichMenu = endpoint('POST', '/line/richmenu/draft', {
  area,
  summary: 'Begin a rich menu',
  access: 'marketer',
  status: 201,
  body: z.strictObject({ richmenu: RichMenuDraft }),
  reply,
})

export const getRichMenu = endpoint('GET', '/line/richmenu/draft/{id}', {
  area,
  summary: 'One rich menu',
  access: 'member',
  params: IdParams,
  reply,
})

export const changeRichMenu = endpoint('PUT', '/line/richmenu/draft/{id}', {
  ...change,
  summary: 'Change a rich menu that is a draft',
  body: z.strictObject({
    richmenu: RichMenuDraft,
    /** What the person began from. Of a field that another member has changed since, that is kept; where both changed it, nothing is saved. */
    began: RichMenuDraft.optional(),
  }),
})

export const changeRichMenuPeriod = endpoint('PUT', '/line/richmenu/period/{id}', {
  ...change,
  summary: 'Change when a rich menu is shown, whatever its status',
  body: z.strictObject({ period: RichMenuPeriod }),
})

export const listRichMenuOverlaps = endpoint('GET', '/line/richmenu/overlaps', {
  area,
  summary:
    'Active rich menus for the same people whose periods overlap this one: those of its own kind or segment, then the others, the one with the latest start first',
  access: 'member',
  query: z.object({
    /** The menu itself, which is left out. */
    id: Id.optional(),
    /** Without it: those for all friends. */
    segment_id: Id.optional(),
    /** Without it: now. */
    starts_at: Instant.optional(),
    ends_at: Instant.optional(),
  }),
  reply: z.object({
    overlaps: z.array(RichMenuOverlap),
    /** How many there are; not all of many are listed. */
    total: z.int(),
    /** For a segment's menu: how many active ones for other segments overlap it. Friends in both see the one with the nearest start. */
    of_other_segments: z.int(),
  }),
})

export const getRichMenuCalendar = endpoint('GET', '/line/richmenu/calendar', {
  area,
  summary:
    'Active rich menus whose period, as it is set now, touches a month in the merchant’s zone, the one with the latest start first',
  access: 'member',
  /** Without it: the month it is. */
  query: z.object({ month: CalendarMonth.optional() }),
  reply: z.object({
    month: CalendarMonth,
    /** The day it is for the merchant, by the clock of the server. */
    today: z.iso.date(),
    menus: z.array(RichMenuSummary),
  }),
})

export const getSeenRichMenus = endpoint('GET', '/line/richmenu/customer/{id}', {
  area,
  summary: 'The rich menu a customer is to see now, and those that it hides',
  access: 'member',
  params: IdParams,
  reply: z.object({ seen: SeenRichMenus }),
})

export const getRichMenuOutlook = endpoint('GET', '/line/richmenu/outlook/{id}', {
  area,
  summary: 'Whom a rich menu would reach if it were activated now',
  access: 'member',
  params: IdParams,
  reply: z.object({ outlook: RichMenuOutlook }),
})

export const getRichMenuClicks = endpoint('GET', '/line/richmenu/clicks/{id}', {
  area,
  summary: 'How often the links of a rich menu were clicked, by area and by day',
  access: 'member',
  params: IdParams,
  reply: z.object({ clicks: RichMenuClicks }),
})

export const followRichMenuLink = endpoint('GET', '/m/{token}', {
  area,
  summary: 'A link of a rich menu: the click is counted, then the browser sent on, only to the link of the menu',
  access: 'public',
  params: z.object({ token: z.string().max(200, 'too_long') }),
  replyKind: 'redirect',
  status: 302,
})

export const activateRichMenu = endpoint('PUT', '/line/richmenu/activation/{id}', {
  ...change,
  summary:
    'Show a complete rich menu in its period. Of several that a person may see, the one with the nearest start is shown',
})

export const deactivateRichMenu = endpoint('PUT', '/line/richmenu/deactivation/{id}', {
  ...change,
  summary: 'Show a rich menu no more',
})

export const deleteRichMenu = endpoint('PUT', '/line/richmenu/deletion/{id}', {
  area,
  access: 'marketer',
  params: IdParams,
  summary: 'Delete a rich menu that is not shown',
  status: 204,
  replyKind: 'empty',
})

export const duplicateRichMenu = endpoint('POST', '/line/richmenu/duplication/{id}', {
  ...change,
  summary: 'A draft like it, without a period',
  status: 201,
})

export const addRichMenuPicture = endpoint('POST', '/line/richmenu/picture', {
  area,
  summary: 'Store a picture for a rich menu: PNG or JPEG, 1 MB at most. What no menu uses is forgotten after a day',
  access: 'marketer',
  status: 201,
  body: z.strictObject({ data: z.base64('invalid').min(1, 'required') }),
  bodyLimitBytes: PICTURE_BODY_BYTES,
  reply: z.object({ picture: RichMenuPicture.omit({ data: true }) }),
})

export const getRichMenuPicture = endpoint('GET', '/line/richmenu/picture/{id}', {
  area,
  summary: 'A picture of a rich menu',
  access: 'member',
  params: IdParams,
  reply: z.object({ picture: RichMenuPicture }),
})
