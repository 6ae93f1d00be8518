import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'

/** A file being made: its name, and its text piece by piece as it is read from the database. */
export interface Download {
  fileName: string
  mediaType: string
  content: AsyncIterable<string>
}

/** Sends it as it is made, at the speed of the reader. Browsers save it and never show it. */
export function sendDownload(reply: FastifyReply, { fileName, mediaType, content }: Download): FastifyReply {
  // What does not know the second form of the name still gets one that a program is found by.
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

/** Of a name people gave, what no file system refuses. */
export const inFileName = (name: string): string => name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '_').slice(0, 80)
