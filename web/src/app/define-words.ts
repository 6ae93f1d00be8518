/** A feature's words: nested texts, the same keys in both languages. `x_one` and `x_other` are the plurals of `x`. */
interface Tree {
  readonly [key: string]: string | Tree
}
/** Japanese has no singular: English may add `x_one` to an `x_other`. */
type SameKeys<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> } & {
  readonly [K in keyof T as K extends `${infer Base}_other` ? `${Base}_one` : never]?: string
}

/** English must have exactly the keys of Japanese; a missing one does not compile. */
export const defineWords = <T extends Tree>(words: { ja: T; en: NoInfer<SameKeys<T>> }): { ja: T; en: SameKeys<T> } =>
  words

type PluralBase<K extends string> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K
/** Dotted paths to the texts: `status.draft`. */
export type WordKey<T> = {
  [K in keyof T & string]: T[K] extends string ? PluralBase<K> : `${K}.${WordKey<T[K]>}`
}[keyof T & string]
