import * as contract from '@okaeri/contract/media/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { beginUpload, changeMedia, deleteMedia, getPublicMedia, getUses, listMedia } from './media.ts'
import { showImage } from './showing.ts'
import { receiveUpload } from './upload.ts'

export function mediaRoutes(on: Routes): void {
  on.merchant(contract.listMedia)(({ scope, query }) => listMedia(scope, query))
  on.merchant(contract.presignMedia)(({ scope, body }) => beginUpload(scope, body))
  on.open(contract.receiveMedia)(async ({ context, params, request }) => ({
    user_media: await receiveUpload(context, params.token, request),
  }))
  on.merchant(contract.changeMedia)(async ({ scope, body }) => ({
    user_media: await changeMedia(scope, body.user_media),
  }))
  on.open(contract.getMedia)(async ({ context, params }) => ({ user_media: await getPublicMedia(context, params.id) }))
  on.merchant(contract.getMediaUses)(({ scope, params }) => getUses(scope, params.id))
  on.merchant(contract.deleteMedia)(async ({ scope, params, query }) => {
    await deleteMedia(scope, params.id, { evenInUse: query.in_use === 'delete' })
    return undefined
  })
  on.lean(contract.showImage)(({ context, params, request, reply }) =>
    showImage(context, params.slug, { request, reply }),
  )
}
