/** What the stand-in received about rich menus. */
export interface LineMenuReport {
  /** Calls that gave people a menu, and that took it away. */
  links: number
  unlinks: number
  /** The size of the largest of them. */
  mostPeople: number
  /** People with a menu of their own now. */
  linked: number
}

interface Answer {
  status: number
  body: unknown
}

/** The rich menus of the stand-in: as much of the platform as a worker asks of it, without its checks. */
export function createMenuSink(): {
  answer: (method: string, url: string, body: string) => Answer | null
  report: () => LineMenuReport
} {
  const menus = new Map<string, object>()
  const links = new Map<string, string>()
  let shown: string | null = null
  const counted = { links: 0, unlinks: 0, mostPeople: 0 }

  const change = (body: string): void => {
    const { richMenuId, userIds } = JSON.parse(body) as { richMenuId?: string; userIds: string[] }
    if (richMenuId === undefined) counted.unlinks += 1
    else counted.links += 1
    counted.mostPeople = Math.max(counted.mostPeople, userIds.length)
    for (const id of userIds)
      if (richMenuId === undefined) links.delete(id)
      else links.set(id, richMenuId)
  }
  const create = (body: string): Answer => {
    const richMenuId = `richmenu-${menus.size + 1}`
    menus.set(richMenuId, { richMenuId, ...(JSON.parse(body) as object) })
    return { status: 200, body: { richMenuId } }
  }
  const place = '/v2/bot/richmenu'
  const everybody = '/v2/bot/user/all/richmenu'
  return {
    report: () => ({ ...counted, linked: links.size }),
    answer(method, url, body) {
      if (url === `${place}/bulk/link` || url === `${place}/bulk/unlink`) change(body)
      else if (method === 'POST' && url === place) return create(body)
      else if (url === `${place}/list`) return { status: 200, body: { richmenus: [...menus.values()] } }
      else if (url === `${place}/alias/list`) return { status: 200, body: { aliases: [] } }
      else if (url === everybody && method === 'GET')
        return shown === null ? { status: 404, body: {} } : { status: 200, body: { richMenuId: shown } }
      else if (url.startsWith(everybody)) shown = method === 'POST' ? url.slice(everybody.length + 1) : null
      else if (method === 'DELETE' && url.startsWith(place)) menus.delete(url.slice(place.length + 1))
      else if (!url.startsWith(place)) return null
      return { status: 202, body: {} }
    },
  }
}
