import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ImportedPerson, type KnownPerson, mergeImported } from './imported-person.ts'

const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })
const word = fc.constantFrom('あ', 'い', 'Ａ', 'a', 'zz')
const row: fc.Arbitrary<ImportedPerson> = fc.record({
  storeId: fc.constant(null),
  email: fc.constant('a@example.jp'),
  emailKey: fc.constant('a@example.jp'),
  firstName: maybe(word),
  lastName: maybe(word),
  phone: maybe(word),
  language: maybe(fc.constantFrom('ja', 'en')),
  birthday: maybe(fc.constantFrom('1990-04-01', '1991-01-01')),
  tags: fc.array(fc.constantFrom('VIP', 'vip', '常連', 'x'), { maxLength: 3 }),
  address: maybe(fc.record({ city: word, zip: word }, { requiredKeys: [] })),
  provinceCode: maybe(fc.constantFrom('JP-13', 'JP-27')),
  note: maybe(word),
})
const known: fc.Arbitrary<KnownPerson> = fc.record({
  fields: fc.record({
    firstName: maybe(word),
    lastName: maybe(word),
    phone: maybe(word),
    language: maybe(word),
    birthday: maybe(fc.constant('1980-01-01')),
    tags: fc.uniqueArray(fc.constantFrom('vip', 'old'), { maxLength: 2 }),
    address: maybe(fc.record({ city: word })),
    provinceCode: maybe(word),
    note: maybe(word),
  }),
  marks: fc.constant({}),
  isOfStore: fc.boolean(),
})
const all = (start: KnownPerson, rows: readonly ImportedPerson[]): KnownPerson =>
  rows.reduce((person, one) => mergeImported(person, one, 'keep'), start)
// Tags are sorted the first time; a customer without given tags keeps theirs.
const tidy = (person: KnownPerson) => ({ ...person, fields: { ...person.fields, tags: person.fields.tags.toSorted() } })

test('rows about one customer give the same result in any order, and change nothing when repeated', () => {
  fc.assert(
    fc.property(known, fc.array(row, { maxLength: 6 }), fc.infiniteStream(fc.nat()), (start, rows, random) => {
      const shuffled = rows
        .map((one) => ({ one, at: random.next().value as number }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ one }) => one)
      const ended = all(start, rows)
      expect(tidy(all(start, shuffled))).toEqual(tidy(ended))
      expect(all(ended, shuffled)).toBe(ended)
    }),
    { numRuns: 1000 },
  )
})

test('a known value that no import wrote is kept, and nothing is ever cleared', () => {
  fc.assert(
    fc.property(known, fc.array(row, { maxLength: 6 }), (start, rows) => {
      const { fields } = all(start, rows)
      for (const [name, value] of Object.entries(start.fields))
        if (name !== 'tags' && value !== null && JSON.stringify(value) !== '{}')
          expect(fields[name as keyof typeof fields]).toEqual(value)
      const kept = new Set(fields.tags.map((tag) => tag.toLowerCase()))
      for (const tag of start.fields.tags) expect(kept.has(tag.toLowerCase())).toBe(true)
    }),
  )
})

test('for a customer of the store only birthday and note are filled in', () => {
  fc.assert(
    fc.property(known, row, fc.constantFrom('keep' as const, 'replace' as const), (start, one, knownValues) => {
      const { fields } = mergeImported({ ...start, isOfStore: true }, one, knownValues)
      const { birthday, note, ...rest } = fields
      expect({ ...rest, birthday: null, note: null }).toEqual({ ...start.fields, birthday: null, note: null })
      expect([birthday, note]).not.toContain(undefined)
    }),
  )
})
