import { type RawBuilder, sql } from 'kysely'

/** The language of a customer `c`: `en` of `en-US`; null where it is not known. The same as `primaryLanguage` in contract/src/locale.ts. */
export const primaryLanguageOf: RawBuilder<string | null> =
  sql`nullif(lower(split_part(split_part(btrim(c.language), '-', 1), '_', 1)), '')`

/** Whether a customer `c` gets the variant in this language; null: they get none of these, but the base. */
export const receivesVariant = (languages: readonly string[], language: string | null): RawBuilder<boolean> =>
  language === null
    ? sql`coalesce(${primaryLanguageOf} <> all(${[...languages]}::text[]), true)`
    : sql`${primaryLanguageOf} = ${language}`
