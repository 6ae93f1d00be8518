export { forgetBirthdayEntries, mergeBirthdayEntries } from './birthday.ts'
export { birthdayPersonalData } from './personal-data-queries.ts'
export { birthdayRoutes } from './routes.ts'
