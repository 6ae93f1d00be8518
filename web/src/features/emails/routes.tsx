import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/list-state.ts'

export const EmailSearch = listSearch({
  sorts: ['created_at', 'name', 'sent_count', 'open_rate', 'click_rate', 'revenue'],
})

export const emailRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.emails.pattern,
    validateSearch: EmailSearch,
    component: lazyRouteComponent(() => import('./email-list.tsx'), 'EmailList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailNew.pattern,
    component: lazyRouteComponent(() => import('./email-form.tsx'), 'EmailNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailProperties.pattern,
    component: lazyRouteComponent(() => import('./email-form.tsx'), 'EmailProperties'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.email.pattern,
    component: lazyRouteComponent(() => import('./email-page.tsx'), 'EmailPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailEditor.pattern,
    component: lazyRouteComponent(() => import('./email-editor.tsx'), 'EmailEditor'),
  }),
]
