import type { PictureCopy } from '@okaeri/contract/media/media'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { PersonalFiles } from '../../kernel/personal-data.ts'

// How the storage's keys are made: a merchant's are found by their beginning.

type Owner = Pick<MerchantScope, 'merchantId'>

export const incomingPrefix = ({ merchantId }: Owner): string => `incoming/${merchantId}/`
/** The uploaded bytes, unchanged; they are never shown. */
export const incomingKey = (scope: Owner, id: string): string => `${incomingPrefix(scope)}${id}`

export const picturePrefix = ({ merchantId }: Owner): string => `pictures/${merchantId}/`
export const pictureKey = (scope: Owner, id: string, copy: PictureCopy): string =>
  `${picturePrefix(scope)}${id}/${copy}`

/** What belongs to a picture: the id in a key of its prefix. */
export const idInKey = (prefix: string, key: string): string => key.slice(prefix.length).split(/[/.]/)[0] ?? ''

/** A merchant's pictures go with the merchant. Only the merchant knows whom a picture shows. */
export const mediaFiles: PersonalFiles = {
  files: 'media',
  forget: () => Promise.resolve(0),
  async erase(scope) {
    const { storage } = scope.context.integrations
    let erased = 0
    for (const prefix of [incomingPrefix(scope), picturePrefix(scope)]) {
      const keys: string[] = []
      for await (const { key } of storage.list(prefix)) keys.push(key)
      await storage.delete(keys)
      erased += keys.length
    }
    return erased
  },
}
