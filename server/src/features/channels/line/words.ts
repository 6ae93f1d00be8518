import { type Localized, toLocale } from '@okaeri/contract/locale'

const intendedFor = { ja: '【テスト】本来の宛先：{{name}}', en: '[Test] Meant for {{name}}' } satisfies Localized

/** The line that stands before a message of test mode. */
export const testLine = (language: string, name: string): string =>
  intendedFor[toLocale(language)].replace('{{name}}', () => name)
