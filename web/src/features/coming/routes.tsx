import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { ComingPage, comingPages } from './coming-page.tsx'

/** A page leaves this table when its feature arrives. */
export const comingRoutes = (shell: AnyRoute) =>
  (Object.keys(comingPages) as (keyof typeof comingPages)[]).flatMap((page) => {
    const coming = comingPages[page]
    return [coming.path, ...('alsoAt' in coming ? coming.alsoAt : [])].map(({ pattern }) =>
      createRoute({ getParentRoute: () => shell, path: pattern, component: () => <ComingPage page={page} /> }),
    )
  })
