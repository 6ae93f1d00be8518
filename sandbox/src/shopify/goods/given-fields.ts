import type { FastifyRequest } from 'fastify'
import { refuse } from '../../http.ts'
import type { StoreScope } from '../platform.ts'

/** How the JSON for tests is read; what cannot be read is refused with a sentence. */

export type Body = Record<string, unknown>
export type StoreRequest = FastifyRequest<{ Params: { shop: string; id?: string }; Body: unknown; Querystring: Body }>

export type MountRoute = (
  method: 'GET' | 'POST',
  path: string,
  answer: (scope: StoreScope, body: Body, request: StoreRequest) => unknown,
) => void

export function invalid(message: string): Error {
  return refuse(422, 'invalid_input', message)
}

export function done<Value>(result: Value | string): Value {
  if (typeof result === 'string') throw invalid(result)
  return result
}

export function text(body: Body, key: string): string | null {
  const value = body[key]
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw invalid(`${key} must be a text.`)
  return value
}

export function texts(body: Body, key: string): string[] | null {
  const value = body[key]
  if (value === undefined || value === null) return null
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw invalid(`${key} must be a list of texts.`)
  return value
}

export function ids(body: Body, key: string): number[] | null {
  const value = body[key]
  if (value === undefined || value === null) return null
  if (!Array.isArray(value)) throw invalid(`${key} must be a list of ids.`)
  return value.map(idOf)
}

export function wholeNumber(body: Body, key: string): number | null {
  const value = body[key]
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalid(`${key} must be a whole number from 0.`)
  return value
}

export function oneOf<Value extends string>(body: Body, key: string, values: readonly Value[]): Value | undefined {
  if (body[key] === undefined) return undefined
  const value = values.find((one) => one === body[key])
  if (value === undefined) throw invalid(`${key} must be one of ${values.join(', ')}.`)
  return value
}

/** A number, its text or a global id. */
export function idOf(value: unknown): number {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const digits = /^(?:gid:\/\/shopify\/[A-Za-z]+\/)?(\d{1,15})$/.exec(text)?.[1]
  if (digits === undefined) throw invalid(`"${text}" is no id.`)
  return Number(digits)
}
