import { lazyRouteComponent } from '@tanstack/react-router'
import { BASE_PATH } from './paths.ts'

/** Whether the server answers at all. */
export const isServerThere = (): Promise<boolean> =>
  fetch(`${BASE_PATH}/`, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )

/**
 * If a page cannot be loaded, the router assumes an older version and reloads. Without a network that would end on the browser's own error
 * page, so it gets another error and shows our page.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        throw (await isServerThere()) ? error : new Error('the server does not answer', { cause: error })
      }),
    name,
  )
