import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'

const text = z.string().optional().catch(undefined)
export const LoginSearch = z.object({
  next: text,
  notice: z.enum(['expired', 'password_changed']).optional().catch(undefined),
})
export const ResetSearch = z.object({ token: text })
export const SignupSearch = z.object({ email: text, invitation: text })
export const ConfirmSearch = z.object({ token: text })

/** Before sign-in; outside the shell. */
export const sessionRoutes = (root: AnyRoute) => [
  createRoute({
    getParentRoute: () => root,
    path: paths.login.pattern,
    validateSearch: LoginSearch,
    component: lazyPage(() => import('./login-page.tsx'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.signup.pattern,
    validateSearch: SignupSearch,
    component: lazyPage(() => import('./signup-page.tsx'), 'SignupPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.forgot.pattern,
    component: lazyPage(() => import('./forgot-page.tsx'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.reset.pattern,
    validateSearch: ResetSearch,
    component: lazyPage(() => import('./reset-page.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: paths.confirm.pattern,
    validateSearch: ConfirmSearch,
    component: lazyPage(() => import('./confirm-page.tsx'), 'ConfirmPage'),
  }),
]
