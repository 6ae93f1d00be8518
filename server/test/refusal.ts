import { ApiError } from '@okaeri/contract/client'

/** What a call was refused with; it is a mistake of the test where it was answered, or failed otherwise. */
export async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => new Error('it was not refused'),
    (error: unknown) => error,
  )
  if (!(error instanceof ApiError)) throw error
  return error
}
