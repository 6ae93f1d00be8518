import type { StoreScope } from './platform.ts'
import { execute } from '../sql.ts'
import { refreshed } from './stores.ts'
import type { Look, Network } from './rows.ts'

/** How the storefront looks, and how the app gets into it. Only what is given changes. */
export interface ThemeSwitches {
  look?: Look
  /** The app embed of the theme's settings: loads the script on every page. */
  embed?: boolean
  /** The app's blocks in the theme: places for its parts. */
  blocks?: boolean
  /** Places and script tag put into the theme by hand. */
  script_tag?: boolean
  /** The app's block, added in the checkout and accounts editor. */
  checkout_block?: boolean
  strict_csp?: boolean
  network?: Network
}

export function setTheme(scope: StoreScope, switches: ThemeSwitches): void {
  const { store } = refreshed(scope)
  const flag = (given: boolean | undefined, now: number): number => (given === undefined ? now : Number(given))
  execute(scope.database)`UPDATE store SET look = ${switches.look ?? store.look},
    has_embed = ${flag(switches.embed, store.has_embed)}, has_blocks = ${flag(switches.blocks, store.has_blocks)},
    has_script_tag = ${flag(switches.script_tag, store.has_script_tag)},
    has_checkout_block = ${flag(switches.checkout_block, store.has_checkout_block)},
    strict_csp = ${flag(switches.strict_csp, store.strict_csp)}, network = ${switches.network ?? store.network}
    WHERE id = ${store.id}`
}

export function presentTheme(scope: StoreScope): Required<ThemeSwitches> {
  const { store } = refreshed(scope)
  return {
    look: store.look,
    embed: store.has_embed === 1,
    blocks: store.has_blocks === 1,
    script_tag: store.has_script_tag === 1,
    checkout_block: store.has_checkout_block === 1,
    strict_csp: store.strict_csp === 1,
    network: store.network,
  }
}
