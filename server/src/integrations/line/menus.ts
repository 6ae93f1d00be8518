import { z } from 'zod'
import type { LineProblem } from './answer.ts'
import { type Call, type LineConnection, orNull, path, problemsIn } from './connection.ts'

const Size = z.object({ width: z.number().int(), height: z.number().int() })
const Area = z.object({
  bounds: z.object({ ...Size.shape, x: z.number().int(), y: z.number().int() }),
  action: z.looseObject({ type: z.string() }),
})
const Menu = z.object({
  size: Size,
  /** Whether it is open when the chat is. */
  selected: z.boolean(),
  name: z.string(),
  chatBarText: z.string(),
  areas: z.array(Area),
})
export type LineMenu = z.infer<typeof Menu>

const Alias = z.object({ richMenuAliasId: z.string(), richMenuId: z.string() })
export type LineMenuAlias = z.infer<typeof Alias>

const MenuId = z.object({ richMenuId: z.string() })
const Menus = z.object({ richmenus: z.array(z.object({ ...MenuId.shape, ...Menu.shape })) })
const Aliases = z.object({ aliases: z.array(Alias) })

/**
 * Rich menus, in the platform's order: create, upload the picture once, then alias, default or link. A menu is never changed: another is
 * made. An account makes 100 an hour and has 1,000. Every function throws {@link LineError}.
 */
export interface LineMenus {
  /** What the platform finds wrong; empty when it would take it. */
  validate(token: string, menu: LineMenu): Promise<LineProblem[]>
  create(token: string, menu: LineMenu): Promise<string>
  /** 1 MB at most, of the menu's size in pixels. */
  uploadPicture(token: string, id: string, picture: NonNullable<Call['picture']>): Promise<void>
  list(token: string): Promise<({ richMenuId: string } & LineMenu)[]>
  /** Deleting what is gone is no error. */
  delete(token: string, id: string): Promise<void>
  /** Null: friends without a menu of their own see none. */
  setDefault(token: string, id: string | null): Promise<void>
  findDefault(token: string): Promise<string | null>
  /** To up to 500 people at once; accepted, and done within moments. */
  link(token: string, id: string, userIds: readonly string[]): Promise<void>
  unlink(token: string, userIds: readonly string[]): Promise<void>
  /** The menu of this person's own. */
  findLinked(token: string, userId: string): Promise<string | null>
  listAliases(token: string): Promise<LineMenuAlias[]>
  createAlias(token: string, alias: LineMenuAlias): Promise<void>
  /** Points an alias at another menu. */
  changeAlias(token: string, alias: LineMenuAlias): Promise<void>
  deleteAlias(token: string, id: string): Promise<void>
}

export function lineMenus({ ask, tell }: LineConnection): LineMenus {
  const menus = '/v2/bot/richmenu'
  const everybody = '/v2/bot/user/all/richmenu'
  const post = (token: string, place: string, json?: unknown): Promise<void> =>
    tell({ method: 'POST', path: place, token, ...(json === undefined ? {} : { json }) })
  // What is gone was deleted before, perhaps by a call of ours whose answer was lost.
  const remove = async (token: string, place: string): Promise<void> =>
    void (await orNull(tell({ method: 'DELETE', path: place, token })))
  const findId = async (token: string, place: string): Promise<string | null> =>
    (await orNull(ask({ method: 'GET', path: place, token }, MenuId)))?.richMenuId ?? null
  return {
    validate: (token, menu) => problemsIn(post(token, `${menus}/validate`, menu)),
    async create(token, menu) {
      return (await ask({ method: 'POST', path: menus, token, json: menu }, MenuId)).richMenuId
    },
    uploadPicture: (token, id, picture) =>
      tell({ method: 'POST', host: 'data', path: path`/v2/bot/richmenu/${id}/content`, token, picture }),
    async list(token) {
      return (await ask({ method: 'GET', path: `${menus}/list`, token }, Menus)).richmenus
    },
    delete: (token, id) => remove(token, path`/v2/bot/richmenu/${id}`),
    setDefault: (token, id) =>
      id === null ? remove(token, everybody) : post(token, path`/v2/bot/user/all/richmenu/${id}`),
    findDefault: (token) => findId(token, everybody),
    link: (token, richMenuId, userIds) => post(token, `${menus}/bulk/link`, { richMenuId, userIds }),
    unlink: (token, userIds) => post(token, `${menus}/bulk/unlink`, { userIds }),
    findLinked: (token, userId) => findId(token, path`/v2/bot/user/${userId}/richmenu`),
    async listAliases(token) {
      return (await ask({ method: 'GET', path: `${menus}/alias/list`, token }, Aliases)).aliases
    },
    createAlias: (token, alias) => post(token, `${menus}/alias`, alias),
    changeAlias: (token, { richMenuAliasId, richMenuId }) =>
      post(token, path`/v2/bot/richmenu/alias/${richMenuAliasId}`, { richMenuId }),
    deleteAlias: (token, id) => remove(token, path`/v2/bot/richmenu/alias/${id}`),
  }
}
