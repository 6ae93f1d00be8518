import { type ErrorCode, errorStatus, type FieldReason, type Reason } from '@okaeri/contract/errors'

/** A mistake of the caller, or something they cannot have, with the contract's reasons. Every other error is a fault of ours (500). */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly reason: Reason
  readonly fields: Record<string, FieldReason> | undefined
  constructor(code: ErrorCode, reason: Reason, message: string = reason, fields?: Record<string, FieldReason>) {
    super(message)
    this.code = code
    this.reason = reason
    this.fields = fields
  }
  get status(): number {
    return errorStatus[this.code]
  }
}

/** 404: does not exist, or belongs to another merchant. */
export const notFound = (message = 'not found'): AppError => new AppError('not_found', 'not_found', message)
/** 409: the present state does not allow it. */
export const conflict = (reason: Reason, message?: string): AppError => new AppError('conflict', reason, message)
/** 400: the fields that are wrong, each with its reason. */
export const invalid = (fields: Record<string, FieldReason>, reason: Reason = 'validation'): AppError =>
  new AppError('invalid', reason, `invalid: ${Object.keys(fields).join(', ')}`, fields)
/** 403: known, but not allowed (role, plan). */
export const forbidden = (reason: Reason, message?: string): AppError => new AppError('forbidden', reason, message)
/** 401: the caller is unknown; signing in may help. */
export const unauthorized = (reason: Reason, message?: string): AppError =>
  new AppError('unauthorized', reason, message)

/** An outside service failed. `retryable`: the same call may succeed later. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError'
  readonly service: string
  readonly retryable: boolean
  /** The service's own code (HTTP status, GraphQL code, SMTP reply). */
  readonly detail: string
  constructor(service: string, retryable: boolean, detail: string, options?: ErrorOptions) {
    super(`${service}: ${detail}`, options)
    this.service = service
    this.retryable = retryable
    this.detail = detail
  }
}

/** A reason not to start, one sentence for the operator. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError'
}

/** The start has to wait for what the error names; a retry may succeed. */
export class NotReadyError extends StartupError {
  override readonly name = 'NotReadyError'
}
