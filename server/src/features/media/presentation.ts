import type { PictureCopy, UserMedia } from '@okaeri/contract/media/media'
import { type AppError, conflict } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { mediaIdOf, slugOf } from './media-id.ts'
import type { MediaRow } from './queries.ts'

const addressOf = ({ context, merchantId }: MerchantScope, id: string, copy: PictureCopy): string =>
  `${context.settings.publicUrl}/image/${slugOf({ merchantId, id }, copy)}`

export function presentMedia(scope: MerchantScope, row: MediaRow): UserMedia {
  const { id, name, folder, alt_text } = row
  const copyOf = (copy: PictureCopy) => row.copies.find((one) => one.copy === copy)
  const full = copyOf('full')
  const mail = copyOf('mail') ?? full
  return {
    id: mediaIdOf({ merchantId: scope.merchantId, id }),
    name,
    folder,
    alt_text,
    state: row.state === 'deleted' ? 'missing' : row.state,
    type: full?.type ?? null,
    width: full?.width ?? null,
    height: full?.height ?? null,
    size_bytes: full?.size_bytes ?? 0,
    url: addressOf(scope, id, 'full'),
    mail: mail
      ? { url: addressOf(scope, id, 'mail'), width: mail.width, height: mail.height, size_bytes: mail.size_bytes }
      : null,
    line_url: addressOf(scope, id, 'line'),
    small_url: addressOf(scope, id, 'small'),
    created_at: row.created_at.toISOString(),
  }
}

export const mediaFull = (): AppError => conflict('media_full', 'no more pictures can be kept')
