import type { Readable } from 'node:stream'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { IntegrationError } from '../../kernel/errors.ts'
import type { Storage, StoredFile } from './storage.ts'

export interface S3Settings {
  /** Null: Amazon's own, by region. */
  endpoint: string | null
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** The bucket is in the path instead of the host's name, as most servers of one's own want it. */
  usesPath: boolean
}

/** Until an answer begins (four times as long with a picture before it), and each silence in it. Pages wait for it, and the client asks three times. */
const ANSWER_TIMEOUT_MS = 15_000
/** S3 takes so many in one request. */
const DELETED_AT_ONCE = 1000

/** Any store that speaks S3, by Amazon's own client. */
export function s3Storage(settings: S3Settings, timeoutMs = ANSWER_TIMEOUT_MS): Storage {
  const { bucket: Bucket } = settings
  const client = new S3Client({
    region: settings.region,
    ...(settings.endpoint && { endpoint: settings.endpoint }),
    forcePathStyle: settings.usesPath,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    // Other stores do not know the checksums that Amazon's takes since 2025.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The second is only a warning in the log unless the third says otherwise; it ends with the first bytes of an answer, and the last begins.
    requestHandler: {
      connectionTimeout: 5000,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
    },
  })
  async function* filesBelow(prefix: string): AsyncIterable<StoredFile> {
    let ContinuationToken: string | undefined
    do {
      const page = await asked(() =>
        client.send(
          new ListObjectsV2Command({ Bucket, Prefix: prefix, ...(ContinuationToken && { ContinuationToken }) }),
        ),
      )
      for (const { Key, Size, LastModified } of page.Contents ?? [])
        if (Key && LastModified) yield { key: Key, sizeBytes: Size ?? 0, storedAt: LastModified }
      ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (ContinuationToken)
  }
  const presign: Storage['presign'] = (key, { type, sizeBytes, endsInSeconds }) =>
    getSignedUrl(
      client,
      new PutObjectCommand({
        Bucket,
        Key: key,
        ...(type && { ContentType: type }),
        ...(sizeBytes !== null && { ContentLength: sizeBytes }),
      }),
      {
        expiresIn: endsInSeconds,
        signableHeaders: new Set(['host', ...(type ? ['content-type'] : []), 'content-length']),
      },
    )
  return {
    async put(Key, { content, type, sizeBytes }) {
      await asked(() =>
        client.send(new PutObjectCommand({ Bucket, Key, Body: content, ContentType: type, ContentLength: sizeBytes }), {
          requestTimeout: 4 * timeoutMs,
        }),
      )
    },
    async get(Key) {
      try {
        const { Body, ContentLength } = await asked(() => client.send(new GetObjectCommand({ Bucket, Key })))
        return { content: Body as Readable, sizeBytes: ContentLength ?? 0 }
      } catch (error) {
        if (error instanceof IntegrationError && error.detail === 'NoSuchKey') return null
        throw error
      }
    },
    async delete(keys) {
      for (let at = 0; at < keys.length; at += DELETED_AT_ONCE) {
        const Objects = keys.slice(at, at + DELETED_AT_ONCE).map((Key) => ({ Key }))
        const { Errors = [] } = await asked(() =>
          client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })),
        )
        if (Errors[0]) throw new IntegrationError('storage', true, Errors[0].Code ?? 'not deleted')
      }
    },
    list: filesBelow,
    presign,
    async uploadOrigin() {
      const address = await presign('x', { type: null, sizeBytes: null, endsInSeconds: 60 })
      return address === null ? null : new URL(address).origin
    },
    async ping() {
      await asked(() => client.send(new HeadBucketCommand({ Bucket })))
    },
    close: () => client.destroy(),
  }
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    // The client tried again already where that could help. A bucket that is not there or a wrong key is for the operator.
    const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 500) : 500
    // An answer to HEAD has no body that could name it.
    const detail = error instanceof Error && error.name !== 'Unknown' ? error.name : `HTTP ${status}`
    throw new IntegrationError('storage', status >= 500 || status === 429, detail, { cause: error })
  }
}
