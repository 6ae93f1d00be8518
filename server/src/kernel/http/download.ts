import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'

/** A streamed file: its name, and its text in pieces as they are read from the database. */
export interface Download {
  fileName: string
  mediaType: string
  content: AsyncIterable<string>
}

/** Streams it at the speed of the reader. Browsers save it and never show it. */
export function sendDownload(reply: FastifyReply, { fileName, mediaType, content }: Download): FastifyReply {
  // Clients that do not know the second form of the name still get one with the right extension.
  const plain = `data${/\.\w+$/.exec(fileName)?.[0] ?? ''}`
  return reply
    .type(mediaType)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${rfc5987(fileName)}`)
    .send(Readable.from(content, { objectMode: false }))
}

const rfc5987 = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** A name that people gave, without characters that file systems refuse. */
export const inFileName = (name: string): string => name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_').slice(0, 80)
