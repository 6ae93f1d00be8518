import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { LoginSearch, ResetSearch, SignupSearch, ConfirmSearch } from './search.ts'

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
