import { checkEmailAddresses, listEmailAddresses } from '@okaeri/contract/emails/address-routes'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../../api/call.ts'
import { queryOf, refresh } from '../../../api/queries.ts'
import { toast } from '../../../ui/toast.ts'

const LOOKED_EVERY_MS = 1_500
/** Slower than any answer is waited for: whatever holds it up, the page need not ask that often. */
const LOOKED_SELDOM_MS = 10_000
const OFTEN = 40

/**
 * What the links of a saved email lead to. Has those looked at that are not known, once for each text (`savedAt`), and asks until all are. What is
 * found in the mail is asked for again then.
 */
export function useLinkChecks(emailId: string | null, savedAt: string | undefined) {
  const looks = useRef(0)
  const query = useQuery({
    ...queryOf(listEmailAddresses, { params: { id: emailId ?? '' } }),
    enabled: emailId !== null,
    refetchInterval: ({ state }) => {
      if (!state.data || state.data.waiting === 0) return false
      looks.current += 1
      return looks.current > OFTEN ? LOOKED_SELDOM_MS : LOOKED_EVERY_MS
    },
    refetchOnWindowFocus: false,
  })
  const check = useMutation({
    mutationFn: async (again: boolean) => {
      const known = JSON.stringify(query.data?.addresses)
      await call(checkEmailAddresses, { params: { id: emailId ?? '' }, body: { again } })
      const { data } = await query.refetch()
      // Looked at so soon that nothing was seen to wait: what the page shows may be from before.
      if (data?.waiting === 0 && JSON.stringify(data.addresses) !== known) void refresh('campaigns', 'emails')
    },
    onError: (error, again) => {
      // A check that started automatically fails silently: the page shows the link as not checked.
      if (again) toast.failed(error)
    },
  })
  const { mutate } = check
  useEffect(() => {
    looks.current = 0
    if (emailId !== null && savedAt !== undefined) mutate(false)
  }, [emailId, savedAt, mutate])

  const waiting = query.data?.waiting ?? 0
  const before = useRef(0)
  useEffect(() => {
    if (before.current > 0 && waiting === 0) void refresh('campaigns', 'emails')
    before.current = waiting
  }, [waiting])
  return {
    addresses: query.data?.addresses,
    waiting,
    isChecking: waiting > 0 || check.isPending,
    error: query.error,
    refetch: () => void query.refetch(),
    checkAgain: () => {
      looks.current = 0
      mutate(true)
    },
  }
}
