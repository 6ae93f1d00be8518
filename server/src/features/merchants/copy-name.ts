import type { Locale } from '@okaeri/contract/locale'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from './merchant.ts'

/** Of everything that can be duplicated. */
const MAX_NAME_LENGTH = 100

/** The name of a copy, in the language of the member who copies; otherwise in the merchant's. */
export async function nameOfCopy(scope: MerchantScope, name: string, language: Locale | undefined): Promise<string> {
  return copyName(name, language ?? (await getMerchant(scope)).language)
}

/** Cut where it would become too long; what marks it as a copy stays. */
export function copyName(name: string, language: Locale): string {
  const markedCopy = (name: string): string => ({ ja: `${name}のコピー`, en: `Copy of ${name}` })[language]
  const room = MAX_NAME_LENGTH - markedCopy('').length
  return markedCopy([...name].slice(0, room).join('').trim())
}
