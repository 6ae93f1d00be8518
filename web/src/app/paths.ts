type Params<P extends string> = P extends `${string}$${string}` ? [id: string] : []
type Path<P extends string> = ((...params: Params<P>) => string) & { readonly pattern: P }

/** One address: called with its id it gives the address to link to, `.pattern` is what the router matches. */
const path = <P extends string>(pattern: P): Path<P> =>
  Object.assign((...params: Params<P>) => pattern.replace('$id', () => encodeURIComponent(params[0] ?? '')), {
    pattern,
  })

/** Every page's address, below `/_app`. Queries are separate: `<TextLink to={paths.campaigns()} search={{ status: 'sent' }}>`. */
export const paths = {
  dashboard: path('/'),

  login: path('/login'),
  signup: path('/signup'),
  forgot: path('/forgot'),
  reset: path('/reset'),
  confirm: path('/confirm'),
  storeAuthorize: path('/store/authorize'),
  storeCallback: path('/store/callback'),

  scenarios: path('/actions'),
  scenarioNew: path('/actions/new'),
  scenarioCreate: path('/actions/new/$id'),
  scenario: path('/actions/view/$id'),
  scenarioEdit: path('/actions/edit/$id'),
  execution: path('/actions/executions/$id'),

  campaigns: path('/campaigns'),
  campaignNew: path('/campaigns/new'),
  campaign: path('/campaigns/$id'),
  campaignEdit: path('/campaigns/$id/edit'),
  campaignReview: path('/campaigns/$id/review'),
  campaignReport: path('/campaigns/$id/report'),

  emails: path('/emails'),
  emailNew: path('/emails/new'),
  email: path('/emails/view/$id'),
  emailProperties: path('/emails/$id/properties'),
  emailEditor: path('/emails/$id/editor'),
  emailLinks: path('/emails/$id/links'),
  emailVersions: path('/emails/$id/versions'),
  emailComponents: path('/email-components'),
  emailComponentNew: path('/email-components/new'),
  emailComponent: path('/email-components/$id'),
  media: path('/media'),
  coupons: path('/coupons'),
  lineMessages: path('/messages/line'),
  lineMessageNew: path('/messages/line/new'),
  lineMessage: path('/messages/line/view/$id'),
  lineMessageEdit: path('/messages/line/$id/editor'),
  lineHistory: path('/messages/line/histories'),
  richMenus: path('/messages/rich-menus'),
  richMenuNew: path('/messages/rich-menus/new'),
  segmentRichMenus: path('/messages/rich-menus/segments'),
  segmentRichMenuNew: path('/messages/rich-menus/segments/new'),
  richMenuCalendar: path('/messages/rich-menus/calendar'),
  richMenu: path('/messages/rich-menus/$id'),

  customers: path('/customers'),
  customerNew: path('/customers/new'),
  customer: path('/customers/$id'),
  customerEdit: path('/customers/$id/edit'),
  suppressions: path('/suppressions'),
  segments: path('/segments'),
  segmentNew: path('/segments/new'),
  segment: path('/segments/$id'),
  segmentEdit: path('/segments/$id/edit'),
  favorites: path('/favorites'),
  favoritesOfProduct: path('/favorites/$id'),
  restock: path('/restock'),
  restockProduct: path('/restock/$id'),
  metafields: path('/metafields'),
  metafieldNew: path('/metafields/new'),
  metafield: path('/metafields/$id'),
  metafieldEdit: path('/metafields/$id/edit'),

  data: path('/data'),
  dataset: path('/data/$id'),
  dataImport: path('/data/import'),
  dataImportOne: path('/data/import/$id'),
  privacy: path('/privacy'),
  reports: path('/reports'),
  deliverability: path('/reports/deliverability'),
  videos: path('/videos'),
  support: path('/support'),

  settings: path('/settings'),
} as const

/** The base path of the application; the router adds it to every address above. */
export const BASE_PATH = '/_app'

/** An address of ours from a query (`next`), or the dashboard: never another host or a sign-in page. */
export function safeNext(next: string | undefined): string {
  if (!next?.startsWith('/') || /^\/[/\\]/.test(next)) return paths.dashboard()
  if (
    [paths.login, paths.signup, paths.forgot, paths.reset, paths.confirm].some(
      (page) => next.split(/[?#]/)[0] === page(),
    )
  )
    return paths.dashboard()
  return next
}
