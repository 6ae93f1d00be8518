/** The specification's own sentences, word for word. */
export const ofTheSpecification: readonly string[] = [
  'A reservation date cannot be in the past',
  'Public mail services are not permitted as the sender domain',
  'Remote segments from the store platform cannot be edited',
  'Logging in...',
]

/** Files with words nobody reads on a page. */
export const notRead: Readonly<Record<string, string>> = {
  'server/src/features/data-import/headings.ts': 'headings of the files of other applications, as they write them',
  'server/src/features/data-import/cells.ts': 'values in the files of other applications',
  'server/src/features/data-import/countries.ts': 'names of countries in the files of other applications',
}

export interface Exception {
  file: string
  /** Of the text; all of the file where it is not said. */
  key?: string
  word: string
  why: string
}
export const exceptions: readonly Exception[] = [
  { file: 'server/src/features/subscriptions/words.ts', word: 'お客様', why: 'customers read it' },
  { file: 'contract/src/emails/starters.ts', word: 'お客様', why: 'customers read it' },
  { file: 'server/src/features/email-rendering/message-data.ts', word: 'お客様', why: 'how mails address customers' },
  { file: 'server/src/features/privacy/words.ts', key: 'fileWords.heldBy', word: 'お客様', why: 'customers read it' },
  {
    file: 'server/src/features/channels/email/composing.ts',
    word: 'ト:',
    why: 'the beginning of a subject, in signs that every mail system and every filter of an inbox takes as they are',
  },
  {
    file: 'server/src/features/data-import/words.ts',
    key: 'importWords.reasons.unknown_country',
    word: '日',
    why: 'an example of a name that may stand in the file',
  },
  { file: 'web/src/app/shell-words.ts', key: 'product', word: 'お', why: 'the name of the product' },
  {
    file: 'web/src/app/shell-words.ts',
    key: 'palette.switchLanguage',
    word: '日',
    why: 'the other language, in itself',
  },
  {
    file: 'web/src/features/scenarios/flow-editor/words.ts',
    key: 'webhook.secretHelp',
    word: '秒,',
    why: 'as it stands in the header',
  },
  {
    file: 'web/src/features/metafields/words.ts',
    key: 'setting.unreadableText',
    word: '年',
    why: 'a form of date that may stand in the store',
  },
]

/** Folders and files whose code may still use words that GLOSSARY.md retired, and why. */
export const codeNotRead: Readonly<Record<string, string>> = {
  'server/src/features/scenarios/': 'is renamed together with its move to several features',
  'scripts/words/': 'the check itself, with its examples',
}
