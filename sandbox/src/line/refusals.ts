import type { FastifyError, FastifyInstance } from 'fastify'
import { isObject, type Problem } from './shapes/shapes.ts'

/** A refusal of the Messaging API: `{message, details}`. */
export class LineRefusal extends Error {
  readonly statusCode: number
  readonly details: Problem[] | undefined
  readonly more: Record<string, unknown>
  readonly headers: Record<string, string>
  constructor(
    statusCode: number,
    message: string,
    details?: Problem[],
    more: { body?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.statusCode = statusCode
    this.details = details
    this.more = more.body ?? {}
    this.headers = more.headers ?? {}
  }
}

/** A refusal of the OAuth calls: `{error, error_description}`. */
export class OauthRefusal extends Error {
  readonly statusCode: number
  readonly code: string
  constructor(statusCode: number, code: string, description: string) {
    super(description)
    this.statusCode = statusCode
    this.code = code
  }
}

export const isBodyError = (error: unknown): boolean => error instanceof LineRefusal && error.statusCode === 400

export function parseJson(bytes: Buffer): unknown {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new LineRefusal(400, 'The request body could not be parsed as JSON (line: 1, column: 1)')
  }
  if (!isObject(value)) throw new LineRefusal(400, 'The request body could not be parsed as JSON (line: 1, column: 1)')
  return value
}

/** Bodies as they came, and errors in the platform's own form. */
export function speakAsLine(app: FastifyInstance, log: (line: string) => void): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof OauthRefusal)
      return reply.code(error.statusCode).send({ error: error.code, error_description: error.message })
    if (error instanceof LineRefusal) {
      for (const [name, value] of Object.entries(error.headers)) reply.header(name, value)
      const { message, details, more } = error
      return reply.code(error.statusCode).send({ message, ...(details && { details }), ...more })
    }
    const status = error.statusCode ?? 500
    if (status >= 500) log(`${request.method} ${request.url}: ${error.stack ?? error.message}`)
    const message =
      status === 413 ? 'Request Entity Too Large' : status >= 500 ? 'Internal Server Error' : error.message
    return reply.code(status).send({ message })
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'Not found' }))
}
