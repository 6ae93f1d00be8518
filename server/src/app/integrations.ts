import type { Integrations } from '../kernel/context.ts'
import type { Config } from './config.ts'

/** The clients for the outside world, made from the configuration. */
export function createIntegrations(_config: Config): Integrations {
  return {}
}
