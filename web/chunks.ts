// Which file of the built application a module goes into. A page asks for some ten of them: what every page stands on, what several
// features share, and its own.

/** The parts of a page that are loaded when they are wanted, by what their address holds; the first that fits. */
const parts: readonly [within: RegExp, part: string][] = [
  [/\/flow-editor\//, 'flow-editor'],
  [/\/code-editor\./, 'code-editor'],
  [/\/captcha\./, 'captcha'],
  [/-chart\.tsx$/, 'charts'],
  [/\/features\/(sessions|store)\//, 'sign-in'],
  [/\/features\/(dashboard)\//, 'dashboard'],
  [/\/features\/(campaigns|emails|scenarios)\//, '$1'],
  [/\/features\/(customers|segments)\//, 'customers'],
  [/\/features\//, 'data'],
]

/** Used by as many parts, a module is loaded with any page. */
const COMMON = 5

interface Graph {
  getModuleInfo(id: string): { importers: string[]; dynamicImporters: string[] } | null
}

const partOf = (id: string): string | undefined => {
  const [within, part] = parts.find(([pattern]) => pattern.test(id)) ?? []
  return within && part && (within.exec(id)?.[1] && part === '$1' ? within.exec(id)?.[1] : part)
}

/** The parts in whose pages the module is. */
function partsUsing(id: string, graph: Graph): Set<string> {
  const found = new Set<string>()
  const seen = new Set<string>()
  const look = (at: string): void => {
    if (seen.has(at)) return
    seen.add(at)
    const module = graph.getModuleInfo(at)
    const part = module && module.dynamicImporters.length > 0 && partOf(at)
    if (part) found.add(part)
    module?.importers.forEach(look)
  }
  look(id)
  return found
}

const CHARTS =
  /\/node_modules\/(recharts|@mantine\/charts|victory-vendor|d3-(array|color|format|interpolate|path|scale|shape|time|time-format))\//

const nameOf = (id: string, graph: Graph): string => {
  if (CHARTS.test(id)) return 'charts'
  const [only = 'shared', ...others] = partsUsing(id, graph)
  return others.length === 0 ? only : others.length + 1 >= COMMON ? 'ui' : 'shared'
}

/** What is taken first takes what it needs with it, so what is shared goes before those who share it. */
const group = (only: readonly string[] | null, priority: number) => ({
  name: (id: string, graph: Graph): string | null => {
    const name = nameOf(id, graph)
    return only === null || only.includes(name) ? name : null
  },
  debugName: only?.join() ?? 'the rest',
  priority,
})

export const groups = [
  { name: 'vendor', test: /[\\/]node_modules[\\/]/, tags: ['$initial' as const], priority: 6 },
  { name: 'app', tags: ['$initial' as const], priority: 5 },
  group(['ui'], 4),
  group(['shared'], 3),
  group(['charts'], 2),
  group(null, 1),
]
