import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { RichMenuSearch, CalendarSearch } from './search.ts'

export const richMenuRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.richMenus.pattern,
    validateSearch: RichMenuSearch,
    component: lazyPage(() => import('./rich-menu-list.tsx'), 'RichMenuList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.segmentRichMenus.pattern,
    validateSearch: RichMenuSearch,
    component: lazyPage(() => import('./rich-menu-list.tsx'), 'SegmentRichMenuList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.segmentRichMenuNew.pattern,
    component: lazyPage(() => import('./rich-menu-pages.tsx'), 'SegmentRichMenuNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.richMenuNew.pattern,
    component: lazyPage(() => import('./rich-menu-pages.tsx'), 'RichMenuNew'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.richMenuCalendar.pattern,
    validateSearch: CalendarSearch,
    component: lazyPage(() => import('./menu-calendar-page.tsx'), 'RichMenuCalendar'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.richMenu.pattern,
    component: lazyPage(() => import('./rich-menu-pages.tsx'), 'RichMenuPage'),
  }),
]
