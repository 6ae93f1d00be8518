import * as endpoints from '@okaeri/contract/rich-menus/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { followMenuLink } from './clicks.ts'
import {
  activateMenu,
  changeMenu,
  changePeriod,
  createMenu,
  deactivateMenu,
  deleteMenu,
  duplicateMenu,
  getClicks,
  getMenu,
  getOutlook,
  listMenus,
} from './menu.ts'
import { getCalendar, getSeenBy, listOverlaps } from './priority.ts'
import { addPicture, getPicture } from './picture.ts'

export function richMenuRoutes(on: Routes): void {
  on.merchant(endpoints.listRichMenus)(async ({ scope, query }) => {
    return listMenus(scope, { ...query, ofSegments: false })
  })
  on.merchant(endpoints.listSegmentRichMenus)(async ({ scope, query }) => {
    const { segment_id: segmentId, ...rest } = query
    return listMenus(scope, { ...rest, segmentId, ofSegments: true })
  })
  on.merchant(endpoints.createRichMenu)(async ({ scope, body }) => ({
    richmenu: await createMenu(scope, body.richmenu),
  }))
  on.merchant(endpoints.getRichMenu)(async ({ scope, params }) => ({ richmenu: await getMenu(scope, params.id) }))
  on.merchant(endpoints.changeRichMenu)(async ({ scope, params, body }) => ({
    richmenu: await changeMenu(scope, params.id, body),
  }))
  on.merchant(endpoints.changeRichMenuPeriod)(async ({ scope, params, body }) => ({
    richmenu: await changePeriod(scope, params.id, body.period),
  }))
  on.merchant(endpoints.listRichMenuOverlaps)(async ({ scope, query }) => listOverlaps(scope, query))
  on.merchant(endpoints.getRichMenuCalendar)(async ({ scope, query }) => getCalendar(scope, query.month))
  on.merchant(endpoints.getSeenRichMenus)(async ({ scope, params }) => ({ seen: await getSeenBy(scope, params.id) }))
  on.merchant(endpoints.getRichMenuOutlook)(async ({ scope, params }) => ({
    outlook: await getOutlook(scope, params.id),
  }))
  on.merchant(endpoints.getRichMenuClicks)(async ({ scope, params }) => ({ clicks: await getClicks(scope, params.id) }))
  on.lean(endpoints.followRichMenuLink)(async ({ params, context, request, reply }) =>
    followMenuLink(context, { token: params.token, request, reply }),
  )
  on.merchant(endpoints.activateRichMenu)(async ({ scope, params }) => ({
    richmenu: await activateMenu(scope, params.id),
  }))
  on.merchant(endpoints.deactivateRichMenu)(async ({ scope, params }) => ({
    richmenu: await deactivateMenu(scope, params.id),
  }))
  on.merchant(endpoints.deleteRichMenu)(async ({ scope, params }) => {
    await deleteMenu(scope, params.id)
    return undefined
  })
  on.merchant(endpoints.duplicateRichMenu)(async ({ scope, params }) => ({
    richmenu: await duplicateMenu(scope, params.id),
  }))
  on.merchant(endpoints.addRichMenuPicture)(async ({ scope, body }) => ({
    picture: await addPicture(scope, body.data),
  }))
  on.merchant(endpoints.getRichMenuPicture)(async ({ scope, params }) => ({
    picture: await getPicture(scope, params.id),
  }))
}
