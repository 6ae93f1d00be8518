import { z } from 'zod'
import { Instant, line } from '../fields.ts'

/** A picture that a merchant keeps, for mails and LINE messages. */

/** What a file may be, as its bytes say; the name and what the browser says do not count. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]
/** A photo of a phone in full. */
export const MAX_PICTURE_BYTES = 20 * 1024 * 1024
/** Over all frames of an animated one. Phones make 50 million; unpacked, each takes up to four bytes. */
export const MAX_PICTURE_PIXELS = 51_000_000

/** `full`: the picture itself; `mail`: as wide as mails need it; `line`: as wide as LINE takes it in cards; `small`: for the library. */
export const pictureCopies = ['full', 'mail', 'line', 'small'] as const
export type PictureCopy = (typeof pictureCopies)[number]

/** Names the merchant and the picture, and cannot be guessed: who knows it sees the picture. */
export const MediaId = z.string('not_an_id').regex(/^[\w-]{43}$/, 'not_an_id')
export const MediaName = line(1, 200)
export const MediaFolder = line(0, 60)
export const MediaAltText = line(0, 500)

/** `pending`: its bytes were not looked at yet. `missing`: its file is not in the storage, so it cannot be shown. */
export const MediaState = z.enum(['pending', 'ready', 'missing'])
export type MediaState = z.output<typeof MediaState>

export const UserMedia = z
  .object({
    id: MediaId,
    name: MediaName,
    folder: MediaFolder,
    alt_text: MediaAltText,
    state: MediaState,
    /** Null while it is pending, as are the sizes in pixels. */
    type: z.enum(pictureTypes).nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    /** The picture itself, without its copies. */
    size_bytes: z.int(),
    url: z.string(),
    /** The copy for mails, or the picture itself where a copy would save nothing. */
    mail: z.object({ url: z.string(), width: z.int(), height: z.int(), size_bytes: z.int() }).nullable(),
    line_url: z.string(),
    small_url: z.string(),
    created_at: Instant,
  })
  .meta({ id: 'UserMedia' })
export type UserMedia = z.output<typeof UserMedia>

/** What anyone who knows the id may see. */
export const PublicMedia = UserMedia.pick({
  id: true,
  type: true,
  width: true,
  height: true,
  size_bytes: true,
  url: true,
})
export type PublicMedia = z.output<typeof PublicMedia>

export const MediaUse = z.object({
  type: z.enum(['email', 'email_component', 'line_message']),
  id: z.uuid(),
  name: z.string(),
})
export type MediaUse = z.output<typeof MediaUse>
export const MediaUses = z.object({
  uses: z.array(MediaUse),
  /** Messages that were sent with it, or are about to be: what they say was fixed when they were reserved. */
  messages: z.int(),
})
export type MediaUses = z.output<typeof MediaUses>

/** How much of what one merchant may keep is kept. */
export const MediaQuota = z.object({
  count: z.int(),
  max_count: z.int(),
  size_bytes: z.int(),
  max_bytes: z.int(),
})
export type MediaQuota = z.output<typeof MediaQuota>
