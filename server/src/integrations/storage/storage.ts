import type { Readable } from 'node:stream'

export interface StoredFile {
  key: string
  sizeBytes: number
  /** By the storage's own clock, which is the real one. */
  storedAt: Date
}

/** What is put is whole or not there at all. */
export interface StoredContent {
  content: Readable
  type: string
  /** Known beforehand for what we made ourselves; S3 wants to know. */
  sizeBytes: number
}

export interface Upload {
  type: string | null
  sizeBytes: number | null
  endsInSeconds: number
}

/** Where files are kept that belong to no database. Keys are names with slashes between them, made by us alone. Throws `IntegrationError`. */
export interface Storage {
  put(key: string, file: StoredContent): Promise<void>
  /** Null where there is none. */
  get(key: string): Promise<{ content: Readable; sizeBytes: number } | null>
  /** Those that are not there are none's concern. */
  delete(keys: readonly string[]): Promise<void>
  /** All whose keys begin so, in no order. */
  list(prefix: string): AsyncIterable<StoredFile>
  /** Where a browser puts a file directly; null: this storage takes none, they come through us. */
  presign(key: string, upload: Upload): Promise<string | null>
  /** The origin of those addresses, for the pages' policy; null as above. */
  uploadOrigin(): Promise<string | null>
  /** Throws where it cannot be used. */
  ping(): Promise<void>
  close(): void
}
