import { reasons } from '@okaeri/contract/errors'
import type { Locale } from '@okaeri/contract/locale'
import { reasonText } from '../../app/reasons.ts'

/** Why fetching failed: our own reasons as sentences, the store's words as they came. */
export const reasonTextOr = (error: string | null, language: Locale): string =>
  error !== null && !reasons.some((reason) => reason === error) ? error : reasonText(error ?? 'internal', language)
