import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { ComingPage, comingPages } from './coming-page.tsx'

/** A page leaves this table when its feature arrives. */
export const comingRoutes = (shell: AnyRoute) =>
  (Object.keys(comingPages) as (keyof typeof comingPages)[]).map((page) =>
    createRoute({
      getParentRoute: () => shell,
      path: comingPages[page].path.pattern,
      component: () => <ComingPage page={page} />,
    }),
  )
