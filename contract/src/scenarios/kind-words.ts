/** A name and one line that says what it does, in both languages. */
export interface KindWords {
  name_ja: string
  name_en: string
  description_ja: string
  description_en: string
}
