import { type RawBuilder, sql } from 'kysely'

/** Of a customer `c`: `en` of `en-US`; null where nothing is known. The same as `primaryLanguage` in contract/src/locale.ts. */
export const primaryLanguageOf: RawBuilder<string | null> =
  sql`nullif(lower(split_part(split_part(btrim(c.language), '-', 1), '_', 1)), '')`

/** Of a customer `c`: they get the variant in this language; null: none of these, but the base. */
export const receivesVariant = (languages: readonly string[], language: string | null): RawBuilder<boolean> =>
  language === null
    ? sql`coalesce(${primaryLanguageOf} <> all(${[...languages]}::text[]), true)`
    : sql`${primaryLanguageOf} = ${language}`
