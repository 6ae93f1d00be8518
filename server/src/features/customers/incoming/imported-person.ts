/** A row of an import. Null and empty values are ignored. */
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

/** The fields an import may write. */
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
/** By field, a hash of the value an import wrote. */
export type ImportMarks = Readonly<Record<string, number>>
export interface KnownPerson {
  fields: ImportableFields
  marks: ImportMarks
  /** The store owns this customer's data; its next update would overwrite ours. */
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

/** The form that is compared and hashed: the order of an address's parts makes no difference. */
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
 * A customer after a row of an import. `keep`: empty fields are filled in and known values stay. If an import wrote the known value, rows
 * contradict each other, and the greater text wins, so that neither their order nor their split into files matters. `replace`: the row is
 * newer. Tags are only added. For a customer of the store only fields that the store does not have are written. Returns the same object if
 * nothing changes.
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

/** Tags that differ only in letter case are the same; the smaller spelling is kept, whichever came first. */
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
