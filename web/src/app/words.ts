import { words as campaigns } from '../features/campaigns/words.ts'
import { words as coming } from '../features/coming/words.ts'
import { words as coupons } from '../features/coupons/words.ts'
import { words as customers } from '../features/customers/words.ts'
import { words as dashboard } from '../features/dashboard/words.ts'
import { words as datasets } from '../features/datasets/words.ts'
import { words as deliveries } from '../features/deliveries/words.ts'
import { words as deliverability } from '../features/deliverability/words.ts'
import { words as emails } from '../features/emails/words.ts'
import { words as design } from '../features/emails/visual-editor/words.ts'
import { words as favorites } from '../features/favorites/words.ts'
import { words as imports } from '../features/imports/words.ts'
import { words as richMenus } from '../features/rich-menus/words.ts'
import { words as lineAccounts } from '../features/line-accounts/words.ts'
import { words as lineMessages } from '../features/line-messages/words.ts'
import { words as lineRelays } from '../features/line-relays/words.ts'
import { words as media } from '../features/media/words.ts'
import { words as merchants } from '../features/merchants/words.ts'
import { words as metafields } from '../features/metafields/words.ts'
import { words as restocks } from '../features/restocks/words.ts'
import { words as ownMailers } from '../features/own-mailers/words.ts'
import { words as privacy } from '../features/privacy/words.ts'
import { words as reports } from '../features/reports/words.ts'
import { words as flow } from '../features/scenarios/flow-editor/words.ts'
import { words as rehearsal } from '../features/scenarios/rehearsals/rehearsal-words.ts'
import { words as scenarios } from '../features/scenarios/words.ts'
import { words as visitors } from '../features/visitors/words.ts'
import { words as senderDomains } from '../features/sender-domains/words.ts'
import { words as segments } from '../features/segments/words.ts'
import { words as sessions } from '../features/sessions/words.ts'
import { words as store } from '../features/store/words.ts'
import { words as ui } from '../ui/words.ts'
import { words as shell } from './shell-words.ts'

/** Every word of the application by feature. A new feature adds its line here. */
export const words = {
  ui,
  shell,
  sessions,
  store,
  merchants,
  lineAccounts,
  lineMessages,
  lineRelays,
  richMenus,
  media,
  dashboard,
  coupons,
  customers,
  datasets,
  favorites,
  metafields,
  restocks,
  privacy,
  segments,
  ownMailers,
  visitors,
  senderDomains,
  scenarios,
  rehearsal,
  flow,
  deliveries,
  emails,
  design,
  campaigns,
  imports,
  reports,
  deliverability,
  coming,
}
export type Namespace = keyof typeof words
