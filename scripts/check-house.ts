import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { allEndpoints } from '../contract/src/all-endpoints.ts'
import type { Endpoint } from '../contract/src/endpoint.ts'
import { jobs } from '../server/src/app/jobs.ts'
import { featureRoutes } from '../server/src/app/routes.ts'
import { schedule } from '../server/src/app/schedule.ts'
import { floors } from '../server/src/features/floors.ts'
import { distributionOf, ofNoMerchant } from '../server/src/kernel/database/distribution.ts'
import { citusJoinOffences, citusOffences, citusOffencesOfMigration } from './citus-shapes.ts'

// Keeps the laws of the house (ARCHITECTURE.md). An offence is mended, or the law is changed here for everyone. The few exceptions stand in
// `readsUpward` and `longFunctions`, each with its reason.

const root = path.join(import.meta.dirname, '..')
const offences = new Map<string, string[]>()
const offend = (law: string, where: string, what: string): void =>
  void offences.set(law, [...(offences.get(law) ?? []), `  ${where}: ${what}`])

interface Source {
  /** Relative to the root. */
  file: string
  text: string
  isTest: boolean
  imports: string[]
}
const rooms = ['contract', 'server', 'web', 'widget', 'sandbox', 'e2e'] as const
const sources: Source[] = rooms.flatMap((room) =>
  fs
    .readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((name) => {
      const file = `${room}/${name}`
      const text = fs
        .readFileSync(path.join(root, file), 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/^\s*\/\/.*$/gm, '')
      const isTest = /\.(test|spec)\.tsx?$/.test(file) || /^server\/(test|bench)\//.test(file) || room === 'e2e'
      const imports = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, target = '']) =>
        target.startsWith('.') ? path.join(path.dirname(file), target) : target,
      )
      return { file, text, isTest, imports }
    }),
)
const serverCode = sources.filter(({ file, isTest }) => file.startsWith('server/src/') && !isTest)
/** `server/src/features/orders/order.ts` is of layer `features` and feature `orders`. */
const placeOf = (file: string): { layer: string; feature: string | null } => {
  const [, , layer = '', feature = ''] = file.split('/')
  if (!file.startsWith('server/src/')) return { layer: '', feature: null }
  return { layer: layer.endsWith('.ts') ? 'app' : layer, feature: layer === 'features' ? feature : null }
}

// Rooms.
const knows: Record<string, readonly string[]> = {
  contract: [],
  web: ['contract'],
  // It weighs nothing because it stands on nothing.
  widget: [],
  server: ['contract'],
  sandbox: [],
  // Journeys find things on the pages by the words the pages say.
  e2e: ['web'],
}
for (const { file, isTest, imports } of sources) {
  const room = file.split('/')[0] ?? ''
  const allowed = [room, ...(knows[room] ?? []), ...(room === 'server' && isTest ? ['sandbox'] : [])]
  for (const target of imports) {
    const other = target.match(/^@okaeri\/([^/]+)/)?.[1] ?? rooms.find((name) => target.startsWith(`${name}/`))
    if (other && !allowed.includes(other))
      offend('Rooms: server and web know the contract; the journeys know the words of the pages.', file, target)
  }
  if (/^(utils?|helpers?|types|common)\.tsx?$/.test(path.basename(file)))
    offend('Files are named after a noun or a phase of work, never after a kind.', file, 'find out what it is about')
}

// Layers and floors.
const layers = ['kernel', 'integrations', 'features', 'app']
const floorOf = new Map(floors.flatMap((features, floor) => features.map((feature) => [feature, floor] as const)))
const folders = fs
  .readdirSync(path.join(root, 'server/src/features'), { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
for (const folder of folders.filter((name) => !floorOf.has(name)))
  offend('Every feature stands on a floor (features/floors.ts).', `server/src/features/${folder}`, 'is on none')
for (const { file, imports } of serverCode) {
  const here = placeOf(file)
  for (const target of imports) {
    const there = placeOf(target)
    if (layers.indexOf(there.layer) > layers.indexOf(here.layer))
      offend('Layers: kernel ← integrations ← features ← app.', file, target)
    if (!there.feature || there.feature === here.feature || there.feature.endsWith('.ts')) continue
    if (here.feature && (floorOf.get(there.feature) ?? 0) >= (floorOf.get(here.feature) ?? 0))
      offend('Floors: a feature calls lower floors only; upward goes a fact or a port.', file, target)
    if (!target.endsWith(`/${there.feature}/index.ts`))
      offend('A feature is entered through its index.ts.', file, target)
  }
}

// What people write in Liquid, and the text parts of their mails, are computed in a thread: the program itself never comes to these.
const inThreadsOnly = ['liquidjs', 'html-to-text']
const runtimeImports = new Map(
  serverCode.map(({ file, text }) => [
    file,
    [...text.matchAll(/(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'"]*?\bfrom\s*)?['"]([^'"]+)['"]/g)].map(
      ([, target = '']) => (target.startsWith('.') ? path.join(path.dirname(file), target) : target),
    ),
  ]),
)
const reached = new Map<string, string>([['server/src/main.ts', '']])
for (const [file] of reached)
  for (const target of runtimeImports.get(file) ?? []) if (!reached.has(target)) reached.set(target, file)
for (const library of inThreadsOnly)
  if (reached.has(library))
    offend(
      'What people write is computed in a thread, never by the program itself.',
      reached.get(library) ?? '',
      library,
    )
if (!serverCode.some(({ file }) => (runtimeImports.get(file) ?? []).includes('liquidjs')))
  offend(
    'What people write is computed in a thread, never by the program itself.',
    'scripts/check-house.ts',
    'finds no liquidjs',
  )

// Habits of the server.
const writers = new Map<string, Set<string>>()
const tables = new Map(
  [
    ...fs
      .readFileSync(path.join(root, 'server/schema.sql'), 'utf8')
      .matchAll(/create table (\w+) \(\n([\s\S]*?)\n\);/g),
  ].map(([, name = '', body = '']) => [name, body] as const),
)
const writes =
  /(?:\binsert\s+into|\bupdate|\bdelete\s+from|\bmerge\s+into)\s+(\w+)|\bcopy\s+(\w+)\s+\(|(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/gi
for (const { file, text } of serverCode) {
  const { layer, feature } = placeOf(file)
  if (layer !== 'kernel' && /\bsql(<[^`]*>)?`|\.(insertInto|selectFrom|updateTable|deleteFrom)\(/.test(text)) {
    if (!feature || !/\/(queries|[\w-]+-(queries|sql))\.ts$/.test(file))
      offend(
        'SQL lives in queries.ts, <phase>-queries.ts or, for pieces of it, <what>-sql.ts of a feature.',
        file,
        'has SQL',
      )
  }
  for (const [, tag, bulk, builder] of text.matchAll(writes)) {
    const table = tag ?? bulk ?? builder ?? ''
    if (tables.has(table)) writers.set(table, (writers.get(table) ?? new Set()).add(feature ?? layer))
  }
  if (file !== 'server/src/kernel/clock.ts' && /\bnew Date\(\s*\)|\bDate\.now\(/.test(text))
    offend('One clock: scope.now, or the context’s clock.', file, 'asks the system for the time')
  if (file !== 'server/src/app/config.ts' && /\bprocess\.env\s*[.[]/.test(text))
    offend('The environment is read in app/config.ts alone.', file, 'reads a variable')
}
const readsUpward: Readonly<Record<string, string>> = {
  'server/src/features/customers/list/list-filter-sql.ts suppressions':
    'the list of customers filters by it, and pages and counts 100,000 rows in one statement',
}
const usedExceptions = new Set<string>()
const reads = /\b(?:from|join)\s+(?:only\s+)?(\w+)|(?:selectFrom|[jJ]oin|using)\(\s*\[?'(\w+)/g
for (const { file, text } of serverCode) {
  const { feature } = placeOf(file)
  if (!feature) continue
  for (const [, tag, builder] of text.matchAll(reads)) {
    const table = tag ?? builder ?? ''
    const [owner = ''] = writers.get(table) ?? []
    if (owner === feature || (floorOf.get(owner) ?? -1) < (floorOf.get(feature) ?? 0)) continue
    const read = `${file} ${table}`
    if (read in readsUpward) usedExceptions.add(read)
    else
      offend(
        'Tables are read downwards: a feature reads its own and those of lower floors.',
        file,
        `${table} of ${owner}`,
      )
  }
}
for (const exception of Object.keys(readsUpward).filter((name) => !usedExceptions.has(name)))
  offend('An exception is there as long as it is needed.', exception, 'is not read')
for (const [table, who] of writers)
  if (who.size > 1)
    offend('A table is written by one feature.', table, `is written by ${[...who].sort().join(' and ')}`)

// Tests settle, or wait for a signal (decision 63). Only whether a statement has begun to wait has to be polled: PostgreSQL sends no signal.
const asksAgain =
  /\bvi\s*\.\s*wait(?:For|Until)\b|\bexpect\s*\.\s*poll\b|(?<!\.)\bset(?:Timeout|Interval)\b|\{[^}]*\buntil\b[^}]*\} from '[^']*installation/
for (const { file, text } of sources)
  if ((/\.test\.tsx?$/.test(file) || file.startsWith('server/test/')) && file !== 'server/test/locks.ts')
    for (const [found] of text.matchAll(new RegExp(asksAgain, 'g')))
      offend('Tests neither sleep nor ask again and again.', file, found)
// On a busy machine everything takes longer; what was computed stays about the same.
for (const { file, text } of sources)
  if (/\.test\.tsx?$/.test(file))
    for (const [found] of text.matchAll(
      /(?:performance\s*\.\s*now|\bDate\s*\.\s*now|elapsed\w*|since)\([^)]*\)[^;\n]*\.toBeLessThan/g,
    ))
      offend('Tests bound what was computed (process.cpuUsage), not the time that passed.', file, found)

// The kernel serves every feature and knows none: what is due, whose rows are old, who is who is said by the features and collected in app.
const namedInKernel: Readonly<Record<string, string>> = {
  merchants: 'the tenant: every scope is of one, and rows are distributed by its id',
  installation: 'the kernel’s own: which secrets the database belongs to, and the last sign of life',
  rate_limits: 'the kernel’s own: attempts are counted there',
}
const knowsAllTables: Readonly<Record<string, string>> = {
  'server/src/kernel/database/schema.ts': 'made from the migrations',
  'server/src/kernel/database/distribution.ts':
    'the migrations, which run before any feature, must know what is not distributed',
}
const notOfTheKernel = [...tables.keys(), ...folders].filter((name) => !(name in namedInKernel))
for (const { file, text, imports } of serverCode.filter(({ file }) => placeOf(file).layer === 'kernel')) {
  if (file in knowsAllTables) continue
  const said = text.replace(/\b(?:import|export)\b[^'"`]*\bfrom '[^']*'/g, '')
  for (const name of notOfTheKernel)
    if (
      imports.some((target) => target.includes(`/${name}/`)) ||
      new RegExp(`['"\`]${name}['"\`]|\\b(?:from|join|into|update|table)\\s+${name}\\b`).test(said) ||
      (name.includes('_') && new RegExp(`\\b${name}\\b`).test(said))
    )
      offend('The kernel names no feature and no table of one.', file, name)
}

// Everything is in its table of contents, once.
const mounted = new Map<Endpoint, number>()
const record = (endpoint: Endpoint) => () => void mounted.set(endpoint, (mounted.get(endpoint) ?? 0) + 1)
for (const mount of featureRoutes)
  mount({ open: record, lean: record, merchant: record, visitor: record } as Parameters<typeof mount>[0])
for (const { endpoint, module, name } of allEndpoints)
  if (mounted.get(endpoint) !== 1)
    offend(
      'Every endpoint of the contract is answered, once.',
      `${endpoint.method} ${endpoint.path}`,
      `${module}.${name} is mounted ${mounted.get(endpoint) ?? 0} times`,
    )
const registered = new Set([...jobs, ...schedule].map(({ name }: { name: string }) => name))
for (const { file, text } of serverCode.filter(({ file }) => placeOf(file).feature))
  for (const [, name = ''] of text.matchAll(
    /(?:\bjob(?:<[^(]*>)?\(\s*|: Recurring = \{\s*name: |\brecurring\(\{\s*name: )'([^']+)'/g,
  ))
    if (!registered.has(name))
      offend('Every job is in app/jobs.ts, all clock-driven work in app/schedule.ts.', file, name)

// Tenant tables: what is distributed by merchant_id on Citus. The others are how the tenant is found, before it is known.
const uniqueIndexes = [
  ...fs
    .readFileSync(path.join(root, 'server/schema.sql'), 'utf8')
    .matchAll(/CREATE UNIQUE INDEX \w+ ON public\.(\w+) USING btree (\([^)]*\))/g),
]
for (const table of ofNoMerchant.filter((name) => name !== 'migrations' && !tables.has(name)))
  offend('kernel/database/distribution.ts names tables there are.', table, 'is none')
for (const [table, body] of [...tables].filter(([name]) => distributionOf(name) === 'merchant_id'))
  for (const key of [
    ...(body.match(/^ *(PRIMARY KEY|UNIQUE|FOREIGN KEY) .*$/gm) ?? ['no key']),
    ...uniqueIndexes.filter(([, on]) => on === table).map(([, , columns = '']) => columns),
  ])
    if (!key.includes('(merchant_id'))
      offend('In a tenant table merchant_id stands first in every key.', table, key.trim())

// Statements and migrations that do on a Citus cluster what they do on one PostgreSQL.
const migrations = path.join(root, 'server/migrations')
for (const { file, text } of serverCode.filter(({ file }) => /queries\.ts$|-sql\.ts$|\/kernel\//.test(file)))
  for (const what of citusOffences(text)) offend('Statements do the same on Citus (decision 135).', file, what)
const distributed = new Set([...tables.keys()].filter((name) => distributionOf(name) === 'merchant_id'))
for (const { file, text } of sources.filter(({ file }) => file.startsWith('server/')))
  for (const what of citusJoinOffences(text, distributed))
    offend('Statements do the same on Citus (decision 135).', file, what)
for (const name of fs.readdirSync(migrations))
  for (const what of citusOffencesOfMigration(name, fs.readFileSync(path.join(migrations, name), 'utf8')))
    offend('Migrations can be applied on Citus (decision 135).', name, what)

// A folder is seen whole with `ls`: above this size its files are parted into rooms with names.
const MOST_FILES = 25
const inFolder = Map.groupBy(
  sources.filter(({ file, isTest }) => !isTest && /^[^/]+\/src\//.test(file)),
  ({ file }) => path.dirname(file),
)
for (const [folder, files] of inFolder)
  if (files.length > MOST_FILES)
    offend(`A folder of the product holds at most ${MOST_FILES} files, its tests apart.`, folder, `has ${files.length}`)

// A function is read whole: a longer one is parted where a reader would. Those of tests are tables of cases, and may be longer.
const longFunctions: Readonly<Record<string, string>> = {}
const { stdout } = spawnSync(
  path.join(root, 'node_modules/.bin/oxlint'),
  [
    '--config=scripts/function-lengths.oxlintrc.json',
    '--disable-nested-config',
    '--format=json',
    'scripts',
    ...rooms.filter((room) => room !== 'e2e').map((room) => `${room}/src`),
  ],
  { cwd: root, encoding: 'utf8' },
)
const { diagnostics: tooLong, number_of_files: measured } = JSON.parse(stdout) as {
  diagnostics: { filename: string; message: string }[]
  number_of_files: number
}
const SHORT = 'Functions of the product are at most 120 lines long.'
if (measured < 1000) offend(SHORT, 'scripts/check-house.ts', `measured ${measured} files`)
const longOnes = tooLong
  .filter(({ filename }) => !/\.test\.tsx?$/.test(filename))
  .map(({ filename, message }) => {
    const [, name = 'a function without a name'] = /`(\w+)`/.exec(message) ?? []
    const [, lines = ''] = /\((\d+)\)/.exec(message) ?? []
    return { place: `${filename} ${name}`, lines }
  })
for (const { place, lines } of longOnes) if (!(place in longFunctions)) offend(SHORT, place, `has ${lines}`)
for (const place of Object.keys(longFunctions))
  if (!longOnes.some((one) => one.place === place))
    offend('An exception is there as long as it is needed.', place, 'is not that long')

// Documents lead to files there are, and the operator's guide names lines that the program logs.
const documents = [
  ...fs.readdirSync(root),
  ...['docs', ...rooms].flatMap((room) =>
    fs.readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
  ),
].filter((file) => file.endsWith('.md') && !/(^|\/)(node_modules|dist)\//.test(file))
for (const document of documents)
  for (const [, target = ''] of fs
    .readFileSync(path.join(root, document), 'utf8')
    .matchAll(/\]\(([^)\s#:]+)(?:#[^)\s]*)?\)/g))
    if (!fs.existsSync(path.join(root, path.dirname(document), target)))
      offend('Links of documents lead to files there are.', document, target)
// A file named in words too, by the end of its path: `orders/queries.ts`, `emails/{design,starters}.ts`. The glossary names those that are gone.
const files = [
  ...fs.readdirSync(root).map((file) => `/${file}`),
  ...[...rooms, 'scripts'].flatMap((room) =>
    fs
      .readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
      .map((file) => `/${room}/${file}`),
  ),
]
const alternatives = (named: string): string[] => {
  const [, before = '', choices, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(named) ?? []
  return choices === undefined ? [named] : choices.split(',').map((choice) => before + choice + after)
}
for (const document of documents.filter((document) => document !== 'GLOSSARY.md'))
  for (const [, named = ''] of fs
    .readFileSync(path.join(root, document), 'utf8')
    .matchAll(/`(?:\.{1,2}\/)*([\w{},./-]*\w[},]*\.(?:tsx?|mjs|sql))`/g))
    for (const file of alternatives(named))
      if (!files.some((each) => each.endsWith(`/${file}`))) offend('Documents name files there are.', document, file)
const guide = fs.readFileSync(path.join(root, 'docs/operating.md'), 'utf8')
const logTable = /\n\| line \|[^]*?\n\n/.exec(guide)?.[0] ?? ''
const logLines = [...logTable.matchAll(/^\| (`.*?`) \|/gm)].flatMap(
  ([, cell = '']) => cell.match(/(?<=`)[^`,][^`]*(?=`)/g) ?? [],
)
if (logLines.length < 10)
  offend('The operator’s guide names lines of the log.', 'docs/operating.md', `${logLines.length} found`)
for (const line of logLines.map((each) => each.replace(/…$/, '')))
  if (!serverCode.some(({ text }) => text.includes(line)))
    offend('The operator’s guide names lines of the log.', 'docs/operating.md', line)

// The specification's routes, where its list is at hand.
const list = path.join(root, '../shared/spec/routes.json')
const wanted = (area: string, route: string): boolean =>
  ['auth', 'system', 'subscription', 'segments', 'campaigns', 'emails'].includes(area) ||
  (area === 'customers' && route.startsWith('/customers')) ||
  (area === 'reports' && route.startsWith('/stats/')) ||
  ['/shopify', '/shopify/callback', '/user/me', '/user/me/settings', '/user/change_password'].includes(route)
const known = new Set(allEndpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`))
if (fs.existsSync(list))
  for (const { method, path: route, area } of JSON.parse(fs.readFileSync(list, 'utf8')) as {
    method: string
    path: string
    area: string
  }[])
    if (wanted(area, route) && !known.has(`${method} ${route}`))
      offend('The specification’s routes exist.', `${method} ${route}`, 'is not in the contract')

for (const [law, found] of offences) console.error(`${law}\n${found.join('\n')}`)
if (offences.size === 0) console.log(`The house is in order (${sources.length} files).`)
else process.exitCode = 1
