import { revokeToken } from '@okaeri/contract/sessions/routes'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { call, noteCurrency } from '../../api/call.ts'
import { queryClient } from '../../api/queries.ts'
import { clearTokens, refreshTokenKept } from '../../api/session.ts'
import { paths } from '../../app/paths.ts'
import { toast } from '../../ui/toast.ts'

/** Removes the tokens here (spec §7) and ends the session on the server; asks first where a form has unsaved changes. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  return useCallback(() => {
    void (async () => {
      await navigate({ to: paths.login() })
      // Still here: the person chose to stay with the unsaved changes.
      if (!location.pathname.endsWith(paths.login())) return
      const token = refreshTokenKept()
      clearTokens()
      queryClient.clear()
      noteCurrency(null)
      if (token === null) return
      try {
        await call(revokeToken, { body: { token } })
      } catch (error) {
        toast.failed(error)
      }
    })()
  }, [navigate])
}
