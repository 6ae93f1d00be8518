import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { ComponentSearch, EditorSearch, EmailSearch } from './search.ts'

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
    component: lazyPage(() => import('./editor/email-editor.tsx'), 'EmailEditor'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailLinks.pattern,
    validateSearch: EditorSearch,
    component: lazyPage(() => import('./links/email-links.tsx'), 'EmailLinks'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailVersions.pattern,
    component: lazyPage(() => import('./versions/email-versions.tsx'), 'EmailVersions'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailComponents.pattern,
    validateSearch: ComponentSearch,
    component: lazyPage(() => import('./components/component-list.tsx'), 'ComponentList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailComponentNew.pattern,
    component: lazyPage(() => import('./components/component-new.tsx'), 'ComponentNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.emailComponent.pattern,
    validateSearch: EditorSearch,
    component: lazyPage(() => import('./components/component-editor.tsx'), 'ComponentEditor'),
  }),
]
