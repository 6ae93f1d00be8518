import type { z } from 'zod'

type Schema = z.core.$ZodType
type MaybeSchema = Schema | undefined
type Out<S> = S extends { _zod: { output: infer O } } ? O : undefined
type In<S> = S extends { _zod: { input: infer I } } ? I : undefined

/** What the type level knows about one endpoint. The `in*` side is what a client may send (defaults not yet applied). */
export interface EndpointTypes {
  params: unknown
  query: unknown
  body: unknown
  reply: unknown
  inParams: unknown
  inQuery: unknown
  inBody: unknown
  outReply: unknown
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** `form` is a few texts, as `application/x-www-form-urlencoded` or as `multipart/form-data`; `raw` hands the handler the untouched bytes (signatures), `stream` hands them on as they arrive. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'raw' | 'stream' | 'none'
/** `page` is HTML, `file` a download, `redirect` answers 302. Only `json` replies have a schema. */
export type ReplyKind = 'json' | 'page' | 'file' | 'redirect' | 'empty'
/**
 * Who may call. `public`: anyone. `member`: a signed-in member of a merchant. `marketer`: a member who may change data (a viewer may not).
 * `owner`: the owner alone. `operator`: a caller with the operator key (open in a local sandbox). `storefront`: a visitor of a shop, by the
 * short token. `connected`: a page of a shop, by the longer token that it trades for a short one. `extension`: a customer on a page of the store
 * platform (after checkout, in their account), by the short token that our extension there got for the platform's session token.
 */
export type Access = 'public' | 'member' | 'marketer' | 'owner' | 'operator' | 'storefront' | 'connected' | 'extension'

export interface Endpoint<T extends EndpointTypes = EndpointTypes> {
  readonly method: Method
  /** Written as in the specification: `/customers/{id}`. */
  readonly path: string
  readonly area: string
  readonly summary: string
  readonly access: Access
  readonly status: number
  readonly bodyKind: BodyKind
  readonly replyKind: ReplyKind
  /** What the answer that is a file may be; more than one where the caller chooses. */
  readonly mediaTypes: readonly string[]
  readonly params: MaybeSchema
  readonly query: MaybeSchema
  readonly body: MaybeSchema
  /** Describes a multipart form only: the handler reads its parts as they arrive. */
  readonly form: MaybeSchema
  readonly reply: MaybeSchema
  /** Largest body taken, in bytes. */
  readonly bodyLimitBytes: number
  /** Carries the types; never a value. */
  readonly '~types'?: T
}

interface EndpointInit<P, Q, B, R> {
  area: string
  summary: string
  access: Access
  status?: number
  bodyKind?: BodyKind
  replyKind?: ReplyKind
  mediaTypes?: readonly string[]
  params?: P
  query?: Q
  body?: B
  form?: Schema
  reply?: R
  bodyLimitBytes?: number
}

const DEFAULT_BODY_LIMIT_BYTES = 1024 * 1024

/**
 * Declares one endpoint once, for the server that answers it, the client that calls it and the description at
 * `/openapi.json`.
 */
export function endpoint<
  P extends MaybeSchema = undefined,
  Q extends MaybeSchema = undefined,
  B extends MaybeSchema = undefined,
  R extends MaybeSchema = undefined,
>(
  method: Method,
  path: string,
  init: EndpointInit<P, Q, B, R>,
): Endpoint<{
  params: Out<P>
  query: Out<Q>
  body: Out<B>
  reply: In<R>
  inParams: In<P>
  inQuery: In<Q>
  inBody: In<B>
  outReply: Out<R>
}> {
  return {
    method,
    path,
    area: init.area,
    summary: init.summary,
    access: init.access,
    status: init.status ?? 200,
    bodyKind: init.bodyKind ?? (init.body ? 'json' : 'none'),
    replyKind: init.replyKind ?? 'json',
    mediaTypes: init.mediaTypes ?? ['application/octet-stream'],
    params: init.params,
    query: init.query,
    body: init.body,
    form: init.form,
    reply: init.reply,
    bodyLimitBytes: init.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES,
  }
}
