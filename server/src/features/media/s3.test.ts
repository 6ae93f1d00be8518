import { changeMedia, deleteMedia, presignMedia } from '@okaeri/contract/media/routes'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pngHeader } from '../../../test/picture-files.ts'
import { refusal } from '../../../test/refusal.ts'
import { filesIn, s3OfTests } from '../../../test/s3.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'

const s3 = s3OfTests()
withMerchants({
  env: s3
    ? {
        S3_ENDPOINT: s3.endpoint,
        S3_BUCKET: s3.bucket,
        S3_ACCESS_KEY_ID: s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
        S3_PATH_STYLE: 'true',
      }
    : {},
})

test.skipIf(!s3)(
  'with S3 the file goes to the store directly, is looked at when that is said, and shown by us',
  async () => {
    const { presigned_url, public_url, user_media } = await merchant.call(presignMedia, { body: { name: '新茶.jpg' } })
    expect(presigned_url).toContain(s3?.endpoint)
    const picture = await sharp({ create: { width: 1400, height: 700, channels: 3, background: '#483' } })
      .jpeg()
      .toBuffer()
    const send = (to: string, body: Buffer) =>
      fetch(to, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: new Uint8Array(body) })
    expect((await send(presigned_url, picture)).status).toBe(200)
    expect((await fetch(public_url)).status).toBe(404)
    const { id } = user_media
    const ready = await merchant.call(changeMedia, { body: { user_media: { id } } })
    expect(ready.user_media).toMatchObject({ state: 'ready', width: 1400, mail: { width: 1200 } })
    const shown = Buffer.from(await (await fetch(public_url)).arrayBuffer())
    expect((await sharp(shown).metadata()).width).toBe(1400)
    await merchant.call(deleteMedia, { params: { id } })
    expect((await fetch(public_url)).status).toBe(404)
    const { storage } = okaeri.context.integrations
    expect(await filesIn(storage, `pictures/${merchant.id}/`)).toEqual([])
    const damaged = await merchant.call(presignMedia, { body: { name: 'x' } })
    await send(damaged.presigned_url, pngHeader(10, 10))
    expect(
      await refusal(merchant.call(changeMedia, { body: { user_media: { id: damaged.user_media.id } } })),
    ).toMatchObject({ reason: 'picture_damaged' })
    expect(await filesIn(storage, `incoming/${merchant.id}/`)).toEqual([])
  },
)
