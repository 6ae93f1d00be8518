import { z } from 'zod'

/** The parts of the script on a shop's pages, as their places in a theme are called: `data-okaeri="heart"`. */
export const widgetParts = ['heart', 'favorites-page', 'restock', 'birthday', 'consent', 'sign-up', 'views'] as const
export const WidgetPart = z.enum(widgetParts, 'not_allowed')
export type WidgetPart = z.output<typeof WidgetPart>

/** Where a part goes in a theme that has no place for it. */
export const placements = ['before', 'after', 'start', 'end'] as const
/** Names of the colors, each a CSS variable of the script (`--okaeri-accent`). */
export const widgetColors = ['accent', 'on_accent', 'text', 'ground', 'line'] as const
