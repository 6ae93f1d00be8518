import { Locale } from '@okaeri/contract/locale'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/list-state.ts'

export const EmailSearch = listSearch({
  sorts: ['created_at', 'name', 'sent_count', 'open_rate', 'click_rate', 'revenue'],
})

export const ComponentSearch = listSearch({ sorts: ['created_at', 'updated_at', 'name'] })

/** Which of the email's languages. */
export const EditorSearch = z.object({ language: Locale.optional().catch(undefined) })

export const emailRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.emails.pattern,
    validateSearch: EmailSearch,
    component: lazyPage(() => import('./email-list.tsx'), 'EmailList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailNew.pattern,
    component: lazyPage(() => import('./email-form.tsx'), 'EmailNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailProperties.pattern,
    component: lazyPage(() => import('./email-form.tsx'), 'EmailProperties'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.email.pattern,
    component: lazyPage(() => import('./email-page.tsx'), 'EmailPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailEditor.pattern,
    validateSearch: EditorSearch,
    component: lazyPage(() => import('./email-editor.tsx'), 'EmailEditor'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailVersions.pattern,
    component: lazyPage(() => import('./email-versions.tsx'), 'EmailVersions'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailComponents.pattern,
    validateSearch: ComponentSearch,
    component: lazyPage(() => import('./component-list.tsx'), 'ComponentList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailComponentNew.pattern,
    component: lazyPage(() => import('./component-new.tsx'), 'ComponentNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailComponent.pattern,
    component: lazyPage(() => import('./component-editor.tsx'), 'ComponentEditor'),
  }),
]
