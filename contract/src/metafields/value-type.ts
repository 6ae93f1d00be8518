/** How values of a type are compared: a list by its members, a measure by its number in one unit. */
export type MetafieldKind = 'text' | 'number' | 'boolean' | 'date' | 'list'

interface TypeWords {
  kind: MetafieldKind
  name_ja: string
  name_en: string
  /** A list of it exists too (`list.color`). */
  listed?: true
  /** The unit the number is compared in; values in other units are converted. */
  unit?: string
}

/** The platform's metafield types, by its names. */
const single = {
  single_line_text_field: { kind: 'text', name_ja: '1行テキスト', name_en: 'Single line text', listed: true },
  multi_line_text_field: { kind: 'text', name_ja: '複数行テキスト', name_en: 'Multi-line text' },
  rich_text_field: { kind: 'text', name_ja: 'リッチテキスト', name_en: 'Rich text' },
  number_integer: { kind: 'number', name_ja: '整数', name_en: 'Integer', listed: true },
  number_decimal: { kind: 'number', name_ja: '小数', name_en: 'Decimal', listed: true },
  boolean: { kind: 'boolean', name_ja: 'はい・いいえ', name_en: 'True or false' },
  date: { kind: 'date', name_ja: '日付', name_en: 'Date', listed: true },
  date_time: { kind: 'date', name_ja: '日時', name_en: 'Date and time', listed: true },
  money: { kind: 'number', name_ja: '金額', name_en: 'Money' },
  rating: { kind: 'number', name_ja: '評価', name_en: 'Rating', listed: true },
  dimension: { kind: 'number', name_ja: '長さ', name_en: 'Dimension', listed: true, unit: 'cm' },
  weight: { kind: 'number', name_ja: '重さ', name_en: 'Weight', listed: true, unit: 'g' },
  volume: { kind: 'number', name_ja: '容積', name_en: 'Volume', listed: true, unit: 'ml' },
  color: { kind: 'text', name_ja: '色', name_en: 'Color', listed: true },
  url: { kind: 'text', name_ja: 'URL', name_en: 'URL', listed: true },
  link: { kind: 'text', name_ja: 'リンク', name_en: 'Link', listed: true },
  id: { kind: 'text', name_ja: 'ID', name_en: 'ID' },
  language: { kind: 'text', name_ja: '言語', name_en: 'Language' },
  json: { kind: 'text', name_ja: 'JSON', name_en: 'JSON' },
  article_reference: { kind: 'text', name_ja: 'ブログ記事の参照', name_en: 'Article reference', listed: true },
  collection_reference: { kind: 'text', name_ja: 'コレクションの参照', name_en: 'Collection reference', listed: true },
  company_reference: { kind: 'text', name_ja: '会社の参照', name_en: 'Company reference', listed: true },
  customer_reference: { kind: 'text', name_ja: '顧客の参照', name_en: 'Customer reference', listed: true },
  file_reference: { kind: 'text', name_ja: 'ファイルの参照', name_en: 'File reference', listed: true },
  metaobject_reference: {
    kind: 'text',
    name_ja: 'メタオブジェクトの参照',
    name_en: 'Metaobject reference',
    listed: true,
  },
  mixed_reference: { kind: 'text', name_ja: '混合参照', name_en: 'Mixed reference', listed: true },
  order_reference: { kind: 'text', name_ja: '注文の参照', name_en: 'Order reference', listed: true },
  page_reference: { kind: 'text', name_ja: 'ページの参照', name_en: 'Page reference', listed: true },
  product_reference: { kind: 'text', name_ja: '商品の参照', name_en: 'Product reference', listed: true },
  product_taxonomy_value_reference: {
    kind: 'text',
    name_ja: '商品分類の参照',
    name_en: 'Product taxonomy value reference',
    listed: true,
  },
  variant_reference: {
    kind: 'text',
    name_ja: 'バリエーションの参照',
    name_en: 'Product variant reference',
    listed: true,
  },
} as const satisfies Record<string, TypeWords>

export type SingleType = keyof typeof single
type ListedType = { [K in SingleType]: (typeof single)[K] extends { listed: true } ? K : never }[SingleType]
export type MetafieldType = SingleType | `list.${ListedType}`

const wordsOfSingle: Record<SingleType, TypeWords> = single
const singles = Object.keys(single) as SingleType[]

/** Every type by the platform's name, single values first. */
export const metafieldTypes = [
  ...singles,
  ...singles.filter((type) => wordsOfSingle[type].listed).map((type) => `list.${type}` as MetafieldType),
] as readonly MetafieldType[]

const known: ReadonlySet<string> = new Set(metafieldTypes)
/** Whether it is one of {@link metafieldTypes}. */
export const isMetafieldType = (type: string): type is MetafieldType => known.has(type)

/** Whether its values are lists (`list.single_line_text_field`). */
export const isListType = (type: MetafieldType): boolean => type.startsWith('list.')
/** The member type of a list. */
export const memberTypeOf = (type: MetafieldType): SingleType => type.replace(/^list\./, '') as SingleType

/** How the values of a metafield are compared in conditions. */
export const metafieldKindOf = (type: MetafieldType): MetafieldKind =>
  isListType(type) ? 'list' : wordsOfSingle[memberTypeOf(type)].kind

/** The unit in which a measure is stored and compared: `cm`, `g`, `ml`; null for everything else. */
export const metafieldUnitOf = (type: MetafieldType): string | null =>
  isListType(type) ? null : (wordsOfSingle[memberTypeOf(type)].unit ?? null)

/** The type's name for a person. */
export function metafieldTypeName(type: MetafieldType, locale: 'ja' | 'en'): string {
  const name = wordsOfSingle[memberTypeOf(type)][`name_${locale}`]
  if (!isListType(type)) return name
  return { ja: `${name}のリスト`, en: `List of ${name.charAt(0).toLowerCase()}${name.slice(1)}` }[locale]
}
