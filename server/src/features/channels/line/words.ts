import type { Locale, Localized } from '@okaeri/contract/locale'

const intendedFor = { ja: '【テスト】本来の宛先：{{name}}', en: '[Test] Meant for {{name}}' } satisfies Localized

/** The line that stands before a message of test mode. */
export const testLine = (language: Locale, name: string): string =>
  intendedFor[language].replace('{{name}}', () => name)
