export { metafieldPersonalData } from './personal-data-queries.ts'
export { recountMetafield } from './value-counts.ts'
export {
  forgetMetafields,
  mergeMetafields,
  pushBirthday,
  pushBirthdayLater,
  setCustomerMetafields,
} from './customer-values.ts'
export { advanceMetafieldFill, endFillOfLostStore, fillFromConnectedStore } from './backfill.ts'
export { dropMetafieldValues, readAllBirthdays, rereadMetafield } from './jobs.ts'
export {
  exampleMailMetafields,
  exampleOf,
  type MailMetafields,
  type MetafieldPath,
  readMailMetafields,
} from './mail-values.ts'
export type { SettingRow as MetafieldSettingRow } from './queries.ts'
export { metafieldRoutes } from './routes.ts'
export { metafieldWork } from './schedule.ts'
export { ensureMetafieldSetting } from './setting.ts'
export { upsertStoreMetafields, type MetafieldPayload } from './store-notifications.ts'
export { todayOf } from './value-upsert.ts'
export { makeFillDue as checkBackfillSoon } from './backfill-queries.ts'
export { listSettings as listKeptMetafields } from './queries.ts'
