export { storefrontSettingsRoutes } from './routes.ts'
export { getStorefrontSettings, lockStorefrontSettings } from './settings.ts'
