/** The specification's own sentences, word for word. */
export const ofTheSpecification: readonly string[] = [
  'A reservation date cannot be in the past',
  'Public mail services are not permitted as the sender domain',
  'Remote segments from the store platform cannot be edited',
  'Logging in...',
]

/** Files whose texts are shown on no page. */
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
  { file: 'server/src/features/line-login/words.ts', word: 'お客様', why: 'customers read it' },
  { file: 'contract/src/emails/starters.ts', word: 'お客様', why: 'customers read it' },
  {
    file: 'server/src/features/email-rendering/data/message-data.ts',
    word: 'お客様',
    why: 'how mails address customers',
  },
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
    file: 'web/src/features/scenarios/flow-editor/node-kinds/call-webhook.tsx',
    key: 'useText.secretHelp',
    word: '秒,',
    why: 'as it stands in the header',
  },
  {
    file: 'web/src/features/metafields/words.ts',
    key: 'setting.unreadableText',
    word: '年',
    why: 'a form of date that may stand in the store',
  },
  { file: 'contract/src/segments/condition-types/mails.ts', word: '通', why: 'units are only said in Japanese' },
  { file: 'contract/src/segments/condition-types/scenarios.ts', word: '回', why: 'units are only said in Japanese' },
  { file: 'contract/src/segments/condition-types/ordered.ts', word: '回', why: 'units are only said in Japanese' },
  { file: 'contract/src/segments/condition-types/ordered.ts', word: '点', why: 'units are only said in Japanese' },
  { file: 'contract/src/segments/condition-types/ordered.ts', word: '注文', why: 'a piece of the Japanese sentence' },
  {
    file: 'contract/src/segments/condition-types/ordered.ts',
    word: '{{what}}の',
    why: 'a piece of the Japanese sentence',
  },
  {
    file: 'contract/src/segments/condition-types/ordered.ts',
    word: '{{what}}の購入',
    why: 'a piece of the Japanese sentence',
  },
  { file: 'server/src/features/demo/demo.ts', word: 'おかえり商店', why: 'names of the demo’s shop' },
  { file: 'server/src/features/demo/demo.ts', word: '山田 花子', why: 'names of the demo’s shop' },
  { file: 'server/src/features/demo/demo.ts', word: '連携', why: 'what a friend of the demo’s shop writes' },
  {
    file: 'server/src/features/demo/demo.ts',
    word: '〒150-0001 東京都渋谷区神宮前1-2-3 おかえりビル4F',
    why: 'names of the demo’s shop',
  },
  { file: 'web/src/features/sessions/auth-page.tsx', word: 'お帰り Okaeri', why: 'the name of the product' },
]

/** Folders and files whose code may still use words that GLOSSARY.md retired, and why. */
export const codeNotRead: Readonly<Record<string, string>> = {
  'scripts/words/': 'the check itself, with its examples',
}
