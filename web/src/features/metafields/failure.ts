import { reasons } from '@okaeri/contract/errors'
import type { Locale } from '@okaeri/contract/locale'
import { reasonText } from '../../app/reasons.ts'

/** Why fetching failed: our reasons as sentences, the store's messages unchanged. */
export const reasonTextOr = (error: string | null, language: Locale): string =>
  error !== null && !reasons.some((reason) => reason === error) ? error : reasonText(error ?? 'internal', language)
