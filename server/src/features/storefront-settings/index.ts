export { storefrontSettingsRoutes } from './routes.ts'
export { getStorefrontSettings } from './settings.ts'
