import type { CallInput } from '@okaeri/contract/client'
import type { Endpoint, EndpointTypes } from '@okaeri/contract/endpoint'
import { useMutation } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { refresh } from '../api/queries.ts'
import { toast } from './toast.ts'

interface Options<Reply> {
  /** The toast on success; none by default. */
  done?: 'saved' | 'duplicated' | 'deleted' | { message: string }
  /** Areas to reload besides the endpoint's own. */
  areas?: readonly string[]
  onDone?: (reply: Reply) => void
}

/**
 * Calls an endpoint that changes something: `const cancel = useAction(cancelCampaign, { done: 'saved' })`, then
 * `cancel.mutate({ params: { id } })`. A failure shows 'Error: {error}'. Forms use `useEditForm` instead.
 */
export function useAction<T extends EndpointTypes>(endpoint: Endpoint<T>, options: Options<T['outReply']> = {}) {
  return useMutation<T['outReply'], Error, CallInput<T>>({
    mutationFn: (input) => call(endpoint, input),
    onSuccess: (reply) => {
      if (typeof options.done === 'object') toast.done(options.done.message)
      else if (options.done) toast[options.done]()
      void refresh(endpoint.area, ...(options.areas ?? []))
      options.onDone?.(reply)
    },
    onError: (error) => toast.failed(error),
  })
}
