import { pictureFault, picture as rules, type RichMenuPicture } from '@okaeri/contract/rich-menus/menu'
import { pictureFacts } from '@okaeri/contract/media/picture-facts'
import type { Reason } from '@okaeri/contract/errors'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deleteUnusedPictures, insertPicture, listPictures } from './queries.ts'

/** A member may be about to save a menu with a picture of the last day. */
const UNUSED_KEPT_MS = 86_400_000
const MAX_PICTURES = 3000

const faultReasons = {
  too_wide_or_narrow: 'picture_width',
  too_low: 'picture_height',
  too_tall: 'picture_aspect',
  animated: 'picture_animated',
  cmyk: 'picture_cmyk',
  rotated: 'picture_rotated',
} as const satisfies Record<string, Reason>

export async function addPicture(scope: MerchantScope, data: string): Promise<Omit<RichMenuPicture, 'data'>> {
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length > rules.maxBytes) throw invalid({ data: 'too_long' }, 'picture_too_large')
  const facts = pictureFacts(bytes)
  if (!facts || facts.endsAt === null) throw invalid({ data: 'invalid' }, 'picture_unreadable')
  const fault = facts.flaw ?? pictureFault(facts)
  if (fault) throw invalid({ data: 'invalid' }, faultReasons[fault])
  const { type, width, height } = facts
  const whole = bytes.subarray(0, facts.endsAt)
  const id = newId()
  return scope.transaction(async (scope) => {
    const kept = await deleteUnusedPictures(scope, new Date(scope.now.getTime() - UNUSED_KEPT_MS))
    if (kept >= MAX_PICTURES) throw conflict('too_many_pictures', `${MAX_PICTURES} pictures at most`)
    await insertPicture(scope, { id, bytes: whole, type, width, height })
    return { id, type, width, height }
  })
}

export async function getPicture(scope: MerchantScope, id: string): Promise<RichMenuPicture> {
  const [picture] = await listPictures(scope, [id])
  if (!picture) throw notFound('there is no such picture')
  const { bytes, ...facts } = picture
  return { ...facts, data: bytes.toString('base64') }
}
