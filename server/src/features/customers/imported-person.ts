/** What a row of an import says about a person. Null and empty say nothing. */
export interface ImportedPerson {
  storeId: number | null
  email: string | null
  emailKey: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  language: string | null
  /** `YYYY-MM-DD` */
  birthday: string | null
  tags: readonly string[]
  address: Readonly<Record<string, string>> | null
  provinceCode: string | null
  note: string | null
}

/** What an import may write of a customer. */
export interface ImportableFields {
  firstName: string | null
  lastName: string | null
  phone: string | null
  language: string | null
  birthday: string | null
  tags: readonly string[]
  address: Readonly<Record<string, string | null>> | null
  provinceCode: string | null
  note: string | null
}
/** By field, a hash of what an import wrote there. */
export type ImportMarks = Readonly<Record<string, number>>
export interface KnownPerson {
  fields: ImportableFields
  marks: ImportMarks
  /** The store keeps this customer's data; its next word would undo ours. */
  isOfStore: boolean
}

type SingleField = Exclude<keyof ImportableFields, 'tags'>
const ours: readonly SingleField[] = ['birthday', 'note']
const all: readonly SingleField[] = [
  'firstName',
  'lastName',
  'phone',
  'language',
  'birthday',
  'address',
  'provinceCode',
  'note',
]

/** As it is compared and hashed: the order of an address's parts makes no difference. */
const textOf = (value: ImportableFields[SingleField]): string | null => {
  if (value === null || typeof value === 'string') return value || null
  const parts = Object.entries(value).filter(([, part]) => part)
  return parts.length === 0 ? null : JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

/**
 * A customer after a row of an import. `keep`: what is empty is filled in and what is known stays; where the known value is an import's
 * own, rows contradict each other, and the greater text stands, so that neither their order nor their split into files makes a
 * difference. `replace`: the row is newer. Tags are only ever added. Of a customer of the store only what the store does not keep is
 * written. Answers the same object where nothing changes.
 */
export function mergeImported(known: KnownPerson, row: ImportedPerson, knownValues: 'keep' | 'replace'): KnownPerson {
  let merged: { fields: ImportableFields; marks: Record<string, number> } | null = null
  const change = () => (merged ??= { fields: { ...known.fields }, marks: { ...known.marks } })
  for (const name of known.isOfStore ? ours : all) {
    const given = textOf(row[name])
    if (given === null) continue
    const present = textOf(known.fields[name])
    if (present === given) continue
    const isImports = present !== null && known.marks[name] === hash(present)
    if (present !== null && knownValues === 'keep' && !(isImports && given > present)) continue
    const { fields, marks } = change()
    Object.assign(fields, { [name]: row[name] })
    marks[name] = hash(given)
  }
  if (!known.isOfStore && row.tags.length > 0) {
    const tags = joinTags(known.fields.tags, row.tags)
    if (tags !== known.fields.tags) change().fields.tags = tags
  }
  return merged === null ? known : { isOfStore: known.isOfStore, ...(merged as Pick<KnownPerson, 'fields' | 'marks'>) }
}

/** Letter case makes no other tag; of two spellings the smaller text is kept, whichever came first. */
function joinTags(known: readonly string[], given: readonly string[]): readonly string[] {
  const spelled = new Map(known.map((tag) => [tag.toLowerCase(), tag]))
  let changed = false
  for (const tag of given) {
    const present = spelled.get(tag.toLowerCase())
    if (present !== undefined && present <= tag) continue
    spelled.set(tag.toLowerCase(), tag)
    changed = true
  }
  return changed ? [...spelled.values()].sort() : known
}
