import { folderStorage } from './folder.ts'
import type { S3Settings } from './s3.ts'
import type { Storage } from './storage.ts'

export type { S3Settings } from './s3.ts'

declare module '../../kernel/context.ts' {
  interface Integrations {
    storage: Storage
  }
}

/** `s3` null: the folder. The client of S3 is loaded only where it is used: it is larger than all else of the server. */
export async function createStorage({ folder, s3 }: { folder: string; s3: S3Settings | null }): Promise<Storage> {
  return s3 ? (await import('./s3.ts')).s3Storage(s3) : folderStorage(folder)
}
