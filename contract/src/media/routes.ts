import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { PageQuery, pageOf } from '../paging.ts'
import {
  MAX_PICTURE_BYTES,
  MediaAltText,
  MediaFolder,
  MediaId,
  MediaName,
  MediaQuota,
  MediaUses,
  PublicMedia,
  pictureTypes,
  UserMedia,
} from './media.ts'

const area = 'media'
const params = z.object({ id: MediaId })

export const listMedia = endpoint('GET', '/user_media', {
  area,
  summary: 'Pictures of the merchant, the newest first unless asked otherwise',
  access: 'member',
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    /** Without it: of all folders; empty: those in none. */
    folder: z.string().max(60, 'too_long').optional(),
    /** Only those LINE shows: JPEG and PNG of 10 MB at most. */
    for: z.enum(['line'], 'not_allowed').optional(),
    sort: z.enum(['created_at', 'name', 'size_bytes']).default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(UserMedia).extend({
    folders: z.array(z.object({ name: z.string(), count: z.int() })),
    quota: MediaQuota,
  }),
})

export const presignMedia = endpoint('POST', '/user_media/presigned', {
  area,
  summary:
    'Begin an upload. The file is then sent by PUT to presigned_url, with an image content type and no authorization header. It can be seen at public_url once it was looked at',
  access: 'marketer',
  status: 201,
  body: z.strictObject({
    name: MediaName,
    folder: MediaFolder.default(''),
    /** What will be sent; then nothing else is taken. */
    type: z.enum(pictureTypes, 'not_allowed').optional(),
    size_bytes: z.int('not_whole').min(1, 'too_small').max(MAX_PICTURE_BYTES, 'too_big').optional(),
  }),
  reply: z.object({ presigned_url: z.string(), public_url: z.string(), user_media: UserMedia }),
})

export const receiveMedia = endpoint('PUT', '/user_media/upload/{token}', {
  area,
  summary: 'The file of an upload that was begun, where pictures are kept in a folder of this server. Taken once',
  access: 'public',
  bodyKind: 'stream',
  params: z.object({ token: z.string().max(200, 'too_long') }),
  bodyLimitBytes: MAX_PICTURE_BYTES,
  reply: z.object({ user_media: UserMedia }),
})

export const changeMedia = endpoint('PUT', '/user_media', {
  area,
  summary:
    'Finish an upload: its bytes are looked at, and copies are made. Also changes what a picture is called, where it is kept, and its text for those who do not see it',
  access: 'marketer',
  body: z.strictObject({
    user_media: z.strictObject({
      id: MediaId,
      name: MediaName.optional(),
      folder: MediaFolder.optional(),
      alt_text: MediaAltText.optional(),
    }),
  }),
  reply: z.object({ user_media: UserMedia }),
})

export const getMedia = endpoint('GET', '/user_media/{id}', {
  area,
  summary: 'What a picture is, for anyone who knows its id',
  access: 'public',
  params,
  reply: z.object({ user_media: PublicMedia }),
})

export const getMediaUses = endpoint('GET', '/user_media/{id}/uses', {
  area,
  summary: 'Which emails, email components and LINE messages show a picture',
  access: 'member',
  params,
  reply: MediaUses,
})

export const deleteMedia = endpoint('DELETE', '/user_media/{id}', {
  area,
  summary: 'Delete a picture with its file. One that is in use only if that is said',
  access: 'marketer',
  params,
  query: z.object({ in_use: z.enum(['refuse', 'delete'], 'not_allowed').default('refuse') }),
  status: 204,
  replyKind: 'empty',
})

export const showImage = endpoint('GET', '/image/{slug}', {
  area,
  summary: 'A picture: its id, with -mail, -line or -small behind it for its copies',
  access: 'public',
  params: z.object({ slug: z.string().max(60, 'too_long') }),
  replyKind: 'file',
  mediaTypes: pictureTypes,
})
