import type { DatabaseSync } from 'node:sqlite'
import { execute, findRow, listRows } from '../sql.ts'

export const recordTypes = ['TXT', 'CNAME', 'MX', 'A', 'AAAA'] as const
export type RecordType = (typeof recordTypes)[number]

/** One record of the played DNS. The value of MX is the preference and the host (`10 mx.example.jp`). */
export interface DnsRecord {
  id: number
  /** Lower case, without the last dot. */
  name: string
  type: RecordType
  value: string
}

/** All records there are, of all domains. Kept over restarts. */
export interface Zone {
  list(): DnsRecord[]
  find(name: string, type: RecordType): DnsRecord[]
  /** Whether there is a record of any type at the name or below it. */
  knows(name: string): boolean
  /** The same record twice is one. */
  add(record: Omit<DnsRecord, 'id'>): void
  remove(id: number): void
  /** Clears one name, or all there are. */
  clear(name?: string): void
}

/** Always there: where link domains of merchants point to in the sandbox. */
const LINK_TARGET: DnsRecord = { id: 0, name: 'links.okaeri.test', type: 'A', value: '127.0.0.1' }

export const plainName = (name: string): string => name.trim().toLowerCase().replace(/\.$/, '')

export function createZone(database: DatabaseSync): Zone {
  database.exec(`CREATE TABLE IF NOT EXISTS dns_record (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (name, type, value))`)
  return {
    list: () => listRows<DnsRecord>(database)`SELECT * FROM dns_record ORDER BY name, type, id`,
    find: (name, type) =>
      name === LINK_TARGET.name && type === LINK_TARGET.type
        ? [LINK_TARGET]
        : listRows<DnsRecord>(database)`SELECT * FROM dns_record WHERE name = ${name} AND type = ${type} ORDER BY id`,
    knows: (name) =>
      name === LINK_TARGET.name ||
      findRow(database)`SELECT 1 FROM dns_record WHERE name = ${name}
        OR substr(name, -length(${name}) - 1) = '.' || ${name} LIMIT 1` !== undefined,
    add: ({ name, type, value }) =>
      void execute(database)`INSERT INTO dns_record (name, type, value) VALUES (${plainName(name)}, ${type}, ${value})
        ON CONFLICT DO NOTHING`,
    remove: (id) => void execute(database)`DELETE FROM dns_record WHERE id = ${id}`,
    clear: (name) =>
      void (name === undefined
        ? execute(database)`DELETE FROM dns_record`
        : execute(database)`DELETE FROM dns_record WHERE name = ${plainName(name)}`),
  }
}
